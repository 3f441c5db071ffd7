//! Signals to end the program, and the closing of its output.
//!
//! Without the feature `signals`, or on a system other than Unix, nothing is watched. Then a signal
//! ends the program at once, and a closed output is noticed at the next answer.

#[cfg(all(unix, feature = "signals"))]
pub use unix::{when_asked_to_end, when_output_closes};

#[cfg(all(unix, feature = "signals"))]
mod unix {
    use std::{io, thread};

    use rustix::event::{PollFd, PollFlags, poll};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Calls `end` with the number of the first SIGINT or SIGTERM, in a thread of its own.
    pub fn when_asked_to_end(end: impl FnOnce(i32) + Send + 'static) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        thread::spawn(move || signals.forever().next().map(end));
        Ok(())
    }

    /// Calls `end` when nobody reads standard output any more, in a thread of its own.
    pub fn when_output_closes(end: impl FnOnce() + Send + 'static) {
        thread::spawn(move || {
            let output = io::stdout();
            let mut watched = [PollFd::new(&output, PollFlags::empty())];
            let closed = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
            while !watched[0].revents().intersects(closed) {
                if poll(&mut watched, None).is_err() {
                    return;
                }
            }
            end();
        });
    }
}

/// Does nothing on this system.
#[cfg(not(all(unix, feature = "signals")))]
pub fn when_asked_to_end(_end: impl FnOnce(i32) + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

/// Does nothing on this system.
#[cfg(not(all(unix, feature = "signals")))]
pub fn when_output_closes(_end: impl FnOnce() + Send + 'static) {}
