//! Another program as a contestant in Tron: a process that talks the contest's protocol. It is shown the
//! map, on which it is `1`, and says where it goes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::game::TronGame;
use crate::havannah::Colour;
use crate::matches::contestant::{Answer, Contestant, Fault, Limit, Start};
use crate::matches::game::Game as _;
use crate::matches::program::{Connection, NextLine, Program, Request};
use crate::tron::Direction;

/// Another program. It plays one game: the next has a process of its own.
pub struct ProgramContestant {
    program: Program,
    connection: Connection,
    /// Of the game that was begun.
    limit: Option<Limit>,
}

impl ProgramContestant {
    pub fn new(program: &Program) -> Self {
        Self { program: program.clone(), connection: Connection::default(), limit: None }
    }
}

/// What a map is called in messages.
const A_MAP: &str = "a map";

fn read_way(next: NextLine<'_>) -> Result<Direction, Fault> {
    let answer = next()?;
    let way = answer.trim().parse().ok().and_then(Direction::from_code);
    way.ok_or_else(|| Fault::Nonsense { sent: A_MAP.to_string(), answer })
}

impl Contestant<TronGame> for ProgramContestant {
    fn begin(&mut self, _game: &TronGame, start: &Start) -> Result<(), Fault> {
        self.limit = Some(start.limit);
        self.connection.open(&self.program.command)
    }

    fn choose(
        &mut self,
        game: &TronGame,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Answer<Direction>, Fault> {
        let times = if game.steps().is_empty() { TronGame::FIRST_MOVE } else { 1 };
        let time = self.limit.and_then(|limit| limit.move_time(left));
        let patience = self.program.patience_for_move(time.map(|time| times * time));
        let text = game.map_for(side).to_string();
        let request = Request { text, name: A_MAP, patience, stop: Some(stop) };
        let way = self.connection.ask(request, read_way)?;
        Ok(Answer { choice: Some(way), playouts: None })
    }
}
