//! The rules of Tron again, slow and obvious.
//!
//! - The board is rows of letters, as in the text of a map. Every query reads the letters again.
//! - The oracle shares the map format and the names of the directions with the position, and no
//!   algorithm. So each can check the other.
//! - It is for tests and fuzzing only. The rules themselves may not use it.
//! - Here a crash is a move like any other, and a player without a free cell has to make it. The game is
//!   over with the crash, not before.

use std::collections::{HashMap, HashSet};

use super::Side;
use super::grid::Direction;
use super::map::Map;
use crate::game::{DRAW, LOSS, WIN};

/// A column and a row.
pub type Place = (usize, usize);

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oracle {
    /// Letters as in the text of a map.
    rows: Vec<Vec<char>>,
    heads: [Place; 2],
    /// The points of side 0, after a crash.
    result: Option<u32>,
}

impl Oracle {
    /// The position of a map.
    pub fn new(map: &Map) -> Self {
        let letter = |x, y| map.letter(map.grid.cell(x, y));
        let row = |y| (0..map.grid.width()).map(|x| letter(x, y)).collect();
        let rows = (0..map.grid.height()).map(row).collect();
        Self { rows, heads: map.heads.map(|head| map.grid.place(head)), result: None }
    }

    /// Where the head of a side is.
    pub fn head(&self, side: Side) -> Place {
        self.heads[side]
    }

    /// The points of side 0, after a crash.
    pub fn result(&self) -> Option<u32> {
        self.result
    }

    /// The points of side 0 as soon as they are certain: a side without a free cell crashes with its
    /// next step, and a side with a free cell does not have to.
    pub fn foreseen(&self) -> Option<u32> {
        let is_stuck = |side| self.free_around(self.heads[side]).is_empty();
        let is_certain = is_stuck(0) || is_stuck(1);
        self.result.or(is_certain.then(|| points([is_stuck(0), is_stuck(1)])))
    }

    /// The board as rows of letters.
    pub fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// Both sides move simultaneously. Returns the points of side 0 if the game is over. After a crash
    /// the board stays as it was. Nothing happens once the game is over.
    pub fn step(&mut self, ways: [Direction; 2]) -> Option<u32> {
        if self.result.is_some() {
            return self.result;
        }
        let to = [0, 1].map(|side| self.free_towards(self.heads[side], ways[side]));
        match to {
            [Some(one), Some(two)] => {
                for (side, place) in [one, two].into_iter().enumerate() {
                    self.put(self.heads[side], '#');
                    self.put(place, if side == 0 { '1' } else { '2' });
                }
                self.heads = [one, two];
                self.result = (one == two).then_some(DRAW);
            }
            _ => self.result = Some(points(to.map(|place| place.is_none()))),
        }
        self.result
    }

    /// The free cells next to the head of a side.
    pub fn exits(&self, side: Side) -> Vec<Place> {
        self.free_around(self.heads[side])
    }

    /// The free cells that a side can reach.
    pub fn reachable(&self, side: Side) -> HashSet<Place> {
        let mut found = HashSet::new();
        let mut waiting = self.exits(side);
        while let Some(place) = waiting.pop() {
            if found.insert(place) {
                waiting.extend(self.free_around(place));
            }
        }
        found
    }

    /// Whether no free cell can be reached by both sides.
    pub fn are_separated(&self) -> bool {
        self.reachable(0).is_disjoint(&self.reachable(1))
    }

    /// The number of moves a side can still make if the other does not move. Every path is tried.
    pub fn longest_path(&self, side: Side) -> usize {
        self.longest_from(self.heads[side], &mut HashSet::new())
    }

    fn longest_from(&self, place: Place, used: &mut HashSet<Place>) -> usize {
        let mut longest = 0;
        for next in self.free_around(place) {
            if used.insert(next) {
                longest = longest.max(1 + self.longest_from(next, used));
                used.remove(&next);
            }
        }
        longest
    }

    fn put(&mut self, (x, y): Place, letter: char) {
        self.rows[y][x] = letter;
    }

    /// The neighbour of a place in a direction, if it is on the board and free.
    fn free_towards(&self, (x, y): Place, way: Direction) -> Option<Place> {
        let (x, y) = match way {
            Direction::North => (x, y.checked_sub(1)?),
            Direction::East => (x + 1, y),
            Direction::South => (x, y + 1),
            Direction::West => (x.checked_sub(1)?, y),
        };
        let letter = *self.rows.get(y)?.get(x)?;
        (letter == ' ').then_some((x, y))
    }

    fn free_around(&self, place: Place) -> Vec<Place> {
        Direction::ALL.into_iter().filter_map(|way| self.free_towards(place, way)).collect()
    }
}

/// The points of side 0 after a crash.
fn points(crashed: [bool; 2]) -> u32 {
    match crashed {
        [true, false] => LOSS,
        [false, true] => WIN,
        _ => DRAW,
    }
}

/// The value of positions if one side always sees the choice of the other. Every line of play is tried.
/// It is a bound on what the sides can get by simultaneous choices.
pub struct Minimax {
    /// The side that sees the other's choice at each step.
    informed: Side,
    /// Whether a side may crash although it has a free cell.
    may_crash: bool,
    known: HashMap<String, u32>,
}

impl Minimax {
    /// For side `informed`, which sees the choices of the other.
    pub fn new(informed: Side, may_crash: bool) -> Self {
        Self { informed, may_crash, known: HashMap::new() }
    }

    /// The points of side 0.
    pub fn value(&mut self, position: &Oracle) -> u32 {
        if let Some(points) = position.result {
            return points;
        }
        let text = position.text();
        if let Some(points) = self.known.get(&text) {
            return *points;
        }
        let points = self.search(position);
        self.known.insert(text, points);
        points
    }

    fn search(&mut self, position: &Oracle) -> u32 {
        let blind = 1 - self.informed;
        let mut best_of_blind = None;
        for open in self.choices(position, blind) {
            let mut answer = None;
            for reply in self.choices(position, self.informed) {
                let ways = if blind == 0 { [open, reply] } else { [reply, open] };
                let mut after = position.clone();
                after.step(ways);
                let points = self.value(&after);
                answer = Some(better(self.informed, answer, points));
            }
            if let Some(points) = answer {
                best_of_blind = Some(better(blind, best_of_blind, points));
            }
        }
        best_of_blind.expect("there are four ways to go")
    }

    fn choices(&self, position: &Oracle, side: Side) -> Vec<Direction> {
        let head = position.heads[side];
        let is_free = |way: &Direction| position.free_towards(head, *way).is_some();
        let free: Vec<Direction> = Direction::ALL.into_iter().filter(is_free).collect();
        if self.may_crash || free.is_empty() { Direction::ALL.to_vec() } else { free }
    }
}

/// The better points for a side.
fn better(side: Side, so_far: Option<u32>, points: u32) -> u32 {
    match so_far {
        None => points,
        Some(other) if side == 0 => other.max(points),
        Some(other) => other.min(points),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, South, West};

    fn oracle(text: &str) -> Oracle {
        Oracle::new(&text.parse().expect("a map"))
    }

    #[test]
    fn both_move_and_leave_walls() {
        let mut game = oracle("4 2\n1   \n   2\n");
        assert_eq!(game.step([East, West]), None);
        assert_eq!(game.text(), "#1  \n  2#\n");
        assert_eq!((game.head(0), game.head(1)), ((1, 0), (2, 1)));
        assert_eq!(game.exits(0), [(2, 0), (1, 1)]);
        assert_eq!(game.exits(1), [(2, 0), (1, 1)]);
    }

    #[test]
    fn crashes_end_the_game() {
        let text = "4 2\n1  2\n    \n";
        for (ways, expected) in [
            ([North, South], LOSS),
            ([West, South], LOSS),
            ([South, North], WIN),
            ([North, North], DRAW),
            ([West, East], DRAW),
        ] {
            let mut game = oracle(text);
            assert_eq!(game.step(ways), Some(expected), "{ways:?}");
            assert_eq!(game.text(), oracle(text).text());
            assert_eq!(game.step([South, South]), Some(expected), "it stays over");
        }
    }

    #[test]
    fn meeting_and_changing_places_are_draws() {
        assert_eq!(oracle("3 1\n1 2\n").step([East, West]), Some(DRAW));
        assert_eq!(oracle("2 2\n12\n  \n").step([East, West]), Some(DRAW));
        assert_eq!(oracle("2 2\n12\n  \n").step([East, South]), Some(LOSS), "a wall is left there");
        let mut side_by_side = oracle("4 1\n1  2\n");
        assert_eq!(side_by_side.step([East, West]), None);
        assert_eq!(side_by_side.foreseen(), Some(DRAW), "both are stuck");
    }

    #[test]
    fn space_is_flooded_and_paths_are_tried() {
        let game = oracle("5 3\n1 #  \n  # 2\n ##  \n");
        assert!(game.are_separated());
        assert_eq!(game.reachable(0), HashSet::from([(1, 0), (0, 1), (1, 1), (0, 2)]));
        assert_eq!(game.longest_path(0), 4);
        assert_eq!(game.longest_path(1), 5);
        assert_eq!(oracle("3 3\n1  \n # \n  2\n").longest_path(0), 3);
        assert!(!oracle("3 3\n1  \n # \n  2\n").are_separated());
    }

    #[test]
    fn more_space_wins_and_as_much_draws() {
        for (text, expected) in [
            ("5 2\n1 #  \n  # 2\n", DRAW),
            ("6 2\n1  #  \n   # 2\n", WIN),
            ("5 2\n1##  \n  # 2\n", LOSS),
        ] {
            for informed in [0, 1] {
                assert_eq!(Minimax::new(informed, true).value(&oracle(text)), expected, "{text}");
            }
        }
    }

    /// Seeing the choice of the other side can be worth something.
    #[test]
    fn who_sees_more_gets_more() {
        let door = "4 4\n 2 #\n    \n    \n 1 #\n";
        for (text, is_worth) in [("3 3\n   \n1 2\n   \n", false), (door, true)] {
            let [low, high] =
                [1, 0].map(|informed| Minimax::new(informed, true).value(&oracle(text)));
            assert!(low <= high, "{text}");
            assert_eq!(low < high, is_worth, "{text}");
            for (informed, expected) in [(1, low), (0, high)] {
                let points = Minimax::new(informed, false).value(&oracle(text));
                assert_eq!(points, expected, "a crash is never better: {text}");
            }
        }
    }
}
