//! The program `ciclon`; the library has all of it.

use std::process::ExitCode;

fn main() -> ExitCode {
    ciclon::run_program()
}
