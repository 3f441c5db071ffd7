//! What is generated from the list of commands: shell completions and man pages.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{report_bad_input, say};

const PROGRAM: &str = "ciclon";

/// `ciclon completions`.
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, mut command: clap::Command) -> ExitCode {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, PROGRAM, &mut script);
        say(&String::from_utf8_lossy(&script));
        ExitCode::SUCCESS
    }
}

/// `ciclon man`.
#[derive(Args)]
pub struct ManPages {
    /// Write a page for each command into this folder, instead of the page of the program to the standard
    /// output
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl ManPages {
    pub fn run(&self, command: clap::Command) -> ExitCode {
        let written = match &self.dir {
            Some(dir) => clap_mangen::generate_to(command, dir),
            None => {
                let mut page = Vec::new();
                let rendered = Man::new(command).render(&mut page);
                say(&String::from_utf8_lossy(&page));
                rendered
            }
        };
        match written {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let dir = self.dir.as_deref().unwrap_or_else(|| "-".as_ref()).display();
                report_bad_input(&std::io::Error::new(error.kind(), format!("'{dir}': {error}")))
            }
        }
    }
}
