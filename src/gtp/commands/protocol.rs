//! Commands of every GTP program. They do not use the game.

use super::{COMMANDS, exactly, expect};
use crate::gtp::session::{Reply, Session};
use crate::gtp::wire::Answer;

pub fn protocol_version(_: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    Ok("2".to_string())
}

pub fn name(_: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    Ok("Ciclon".to_string())
}

pub fn version(_: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    Ok(env!("CARGO_PKG_VERSION").to_string())
}

pub fn known_command(_: &mut Session, arguments: &[String]) -> Answer {
    let [name] = exactly(arguments)?;
    Ok(COMMANDS.iter().any(|entry| entry.name == name).to_string())
}

pub fn list_commands(_: &mut Session, arguments: &[String]) -> Answer {
    let [] = exactly(arguments)?;
    Ok(COMMANDS.iter().map(|entry| entry.name).collect::<Vec<_>>().join("\n"))
}

pub fn help(_: &mut Session, arguments: &[String]) -> Answer {
    let [name] = expect(arguments, 0)?;
    let wanted = COMMANDS.iter().filter(|entry| name.is_none_or(|name| entry.name == name));
    let lines: Vec<String> = wanted
        .map(|entry| {
            let call = format!("{} {}", entry.name, entry.arguments);
            format!("{}: {}", call.trim_end(), entry.meaning)
        })
        .collect();
    if lines.is_empty() { Err("unknown command".to_string()) } else { Ok(lines.join("\n")) }
}

pub fn quit(_: &mut Session, arguments: &[String]) -> Reply {
    match exactly(arguments) {
        Ok([]) => Reply::Goodbye,
        Err(error) => Err(error).into(),
    }
}
