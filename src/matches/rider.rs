//! Who takes part in a game of Tron: an engine of this program, or another program that talks the
//! contest's protocol. Each is shown the map, on which it is `1`, and says where it goes.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::contestant::{Fault, Limit, Start};
use super::external::{LONGEST_WAIT, Program};
use super::process::{Process, Silence};
use super::tron::FIRST;
use crate::bits::Isa;
use crate::engine::TronPlayer;
use crate::params::Params;
use crate::search::Limits;
use crate::tron::{Direction, Map};

/// Where a player goes, and the playouts it took, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ride {
    pub way: Direction,
    pub playouts: Option<u64>,
}

/// One side of a game of Tron.
pub trait Rider {
    /// Begins a game.
    fn begin(&mut self, start: &Start) -> Result<(), Fault>;

    /// Says where it goes on a map.
    fn choose(&mut self, map: &Map, stop: &AtomicBool) -> Result<Ride, Fault>;
}

/// An engine of this program.
pub struct EngineRider {
    params: Params,
    isa: Isa,
    game: Option<(TronPlayer, Limits)>,
}

impl EngineRider {
    /// An engine with these settings.
    pub fn new(params: &Params, isa: Isa) -> Self {
        Self { params: params.clone(), isa, game: None }
    }
}

impl Rider for EngineRider {
    fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        let params = Params { seed: start.seed, ..self.params.clone() };
        let nothing = Limits::default();
        let limits = match start.limit {
            Limit::Playouts(playouts) => Limits { playouts: Some(playouts), ..nothing },
            Limit::Seconds(seconds) | Limit::Clock(seconds) => {
                Limits { time: Some(Duration::from_secs_f64(seconds)), ..nothing }
            }
        };
        self.game = Some((TronPlayer::new(self.isa, &params), limits));
        Ok(())
    }

    fn choose(&mut self, map: &Map, stop: &AtomicBool) -> Result<Ride, Fault> {
        let (player, limits) = self.game.as_mut().expect("a game has begun");
        let chosen = player.choose(map, limits, stop);
        let (way, report) = chosen.map_err(|error| Fault::Crash(error.to_string()))?;
        Ok(Ride { way, playouts: Some(report.playouts) })
    }
}

/// Another program. It plays one game: the next has a process of its own.
pub struct ProgramRider {
    program: Program,
    process: Option<Process>,
    /// How long the next move may take, and those after it.
    patience: Duration,
    later: Duration,
}

impl ProgramRider {
    /// A program that is not started yet.
    pub fn new(program: &Program) -> Self {
        Self {
            program: program.clone(),
            process: None,
            patience: LONGEST_WAIT,
            later: LONGEST_WAIT,
        }
    }

    fn ask(&self, map: &Map, stop: &AtomicBool) -> Result<Ride, Fault> {
        let sent = "a map";
        let fault = |silence: Silence| silence.fault(sent);
        let process = self.process.as_ref().ok_or_else(|| fault(Silence::Gone))?;
        process.send(map.to_string());
        let line = process.line(Instant::now(), self.patience, Some(stop));
        let answer = line.map_err(fault)?;
        let way = answer.trim().parse().ok().and_then(Direction::from_code);
        let nonsense = || Fault::Nonsense { sent: sent.to_string(), answer: answer.clone() };
        Ok(Ride { way: way.ok_or_else(nonsense)?, playouts: None })
    }
}

impl Rider for ProgramRider {
    fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        let within = |seconds: f64| Duration::from_secs_f64(seconds + self.program.patience);
        (self.patience, self.later) = match start.limit {
            Limit::Seconds(seconds) | Limit::Clock(seconds) => {
                (within(f64::from(FIRST) * seconds), within(seconds))
            }
            // So many playouts may take any time.
            Limit::Playouts(_) => (LONGEST_WAIT, LONGEST_WAIT),
        };
        // The last game's process goes before the next one comes.
        self.process = None;
        self.process = Some(Process::start(&self.program.command)?);
        Ok(())
    }

    fn choose(&mut self, map: &Map, stop: &AtomicBool) -> Result<Ride, Fault> {
        let ride = self.ask(map, stop);
        self.patience = self.later;
        if ride.is_err() {
            self.process = None;
        }
        ride
    }
}
