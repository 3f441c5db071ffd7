//! Havannah as search sees it: positions, early results for the side to move, and the moves to expand.
//!
//! - Wins in one and forced blocks come from the winning cells (Nahue 2014 §5.2 and §5.3).
//! - A draw is proven if neither side could win even with a stone on every empty cell.
//! - With `look_ahead=false` nothing but the end of the game is seen, as by players whose papers mention
//!   no such check.

use super::board::Board;
use super::geometry::Cell;
use super::neighbourhood::{flood, neighbour_planes};
use super::notation::Notation;
use super::patterns::{dead_cells, dead_cells_as_published};
use super::playout::leaf_work;
use super::priors::PriorCounts;
use super::rules::{Colour, Outcome, wins_of_borders};
use super::threats::SideThreats;
use super::width::{Layout, Set, Width};
use crate::bits::{Isa, Kernel};
use crate::game::{Children, DRAW, LOSS, LeafWork, Move, Position, Prospect, WIN};
use crate::params::{DeadCells, EdgePrior, Params};

impl Position for Board {
    fn to_move(&self) -> usize {
        Board::to_move(self).index()
    }

    fn result(&self) -> Option<u32> {
        points_of_white(self.outcome())
    }

    fn advance(&mut self, next: Move) {
        self.play(self.geometry().cell_of(next)).expect("the move is legal");
    }

    fn list_moves(&self, moves: &mut Vec<Move>) {
        if !self.outcome().is_over() {
            let cells = self.empty_cells();
            moves.extend(cells.iter().map(|cell| self.geometry().move_to(Cell::from_index(cell))));
        }
    }

    fn move_span(&self) -> usize {
        self.geometry().cell_count()
    }

    fn ply(&self) -> usize {
        self.stone_count()
    }

    fn name_of(&self, of: Move) -> String {
        self.geometry().write_cell(Notation::Letternum, self.geometry().cell_of(of))
    }

    fn hash(&self) -> u64 {
        Board::hash(self)
    }

    fn canonical_hash(&self) -> u64 {
        Board::canonical_hash(self)
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(*self)
    }

    fn leaf_work(&self, isa: Isa, params: &Params) -> Box<dyn LeafWork> {
        leaf_work(self, isa, params)
    }
}

/// The points of White; `None` if the game is not over.
pub(super) fn points_of_white(outcome: Outcome) -> Option<u32> {
    match outcome {
        Outcome::Ongoing => None,
        Outcome::Draw => Some(DRAW),
        Outcome::Won { by: Colour::White, .. } => Some(WIN),
        Outcome::Won { by: Colour::Black, .. } => Some(LOSS),
    }
}

/// Examines positions: the result if it is already decided, and the moves to expand.
pub(super) struct LookAhead<W: Width> {
    isa: Isa,
    params: Params,
    /// Buffers: the threats of the side to move and of the opponent, and prior wins by cell index.
    threats: Box<[SideThreats<W>; 2]>,
    wins: Vec<u32>,
}

impl<W: Width> LookAhead<W> {
    pub fn new(layout: &Layout<W>, isa: Isa, params: &Params) -> Self {
        let threats = Box::new([SideThreats::none(layout), SideThreats::none(layout)]);
        Self { isa, params: params.clone(), threats, wins: vec![0; W::INDICES] }
    }

    /// Examines a position where the game is not over. Lists the moves to expand if `children` is given and
    /// the result is open.
    pub fn look(&mut self, board: &Board<W>, children: Option<&mut Children>) -> Prospect {
        let (prospect, open) = self.prospect(board);
        if let (Some(children), Prospect::Open { .. }) = (children, prospect) {
            self.list_children(board, open, children);
        }
        prospect
    }

    /// The prospect; if it is open, also the moves that do not lose at once.
    fn prospect(&mut self, board: &Board<W>) -> (Prospect, Set<W>) {
        let colour = board.to_move();
        let move_to = |index: usize| board.geometry().move_to(Cell::from_index(index));
        let none = Set::<W>::empty();
        let [own, other] = &mut *self.threats;
        if !self.params.look_ahead {
            if self.params.prior_edge != EdgePrior::Off {
                own.find(self.isa, board, colour);
            }
            return (Prospect::Open { forced: None }, board.empty_cells());
        }
        own.find(self.isa, board, colour);
        if let Some(index) = own.open().and_then(|cells| cells.first()) {
            return (Prospect::Win(move_to(index)), none);
        }
        other.find(self.isa, board, colour.other());
        let threats = other.open().unwrap_or(none);
        let empty = board.empty_cells();
        let first = threats.first().map(move_to);
        match (threats.len(), first) {
            (1, _) => (Prospect::Open { forced: first }, threats),
            (2.., Some(first)) => (Prospect::Loss(first), none),
            _ if !can_still_win(board, colour) && !can_still_win(board, colour.other()) => {
                (Prospect::Draw { plies: empty.len() as u32 }, none)
            }
            _ => (Prospect::Open { forced: None }, empty),
        }
    }

    /// Lists the given moves without dead cells and, early in the game, without symmetric duplicates;
    /// with their priors. The threats of the side to move must have been found, if they are asked for.
    fn list_children(&mut self, board: &Board<W>, moves: Set<W>, children: &mut Children) {
        let Self { isa, params, threats, wins } = self;
        let mut worth = moves;
        if params.dead_cells != DeadCells::Off {
            let exactly = params.dead_cells == DeadCells::Exact;
            let alive = worth - isa.run_narrow(DeadCellsOf { board, exactly });
            worth = if alive.is_empty() { worth } else { alive };
        }
        if board.stone_count() < params.symmetry_plies as usize {
            worth = distinct(board, worth);
        }
        children.clear();
        let ordinals = &board.geometry().ordinal;
        children.moves.extend(worth.iter().map(|index| ordinals[index]));
        let has_priors =
            params.prior_joint || params.prior_local || params.prior_edge != EdgePrior::Off;
        if has_priors {
            wins.fill(0);
            let reach = threats[0].reach();
            children.prior_visits = isa.run_narrow(PriorCounts { board, params, reach, wins });
            children.prior_wins.extend(worth.iter().map(|index| wins[index]));
        }
    }
}

struct DeadCellsOf<'a, W: Width> {
    board: &'a Board<W>,
    exactly: bool,
}

impl<W: Width> Kernel for DeadCellsOf<'_, W> {
    type Output = Set<W>;

    #[inline(always)]
    fn run(self) -> Set<W> {
        if self.exactly { dead_cells(self.board) } else { dead_cells_as_published(self.board) }
    }
}

/// One move of each group of moves that the symmetries of the position make equal.
#[inline(never)]
fn distinct<W: Width>(board: &Board<W>, moves: Set<W>) -> Set<W> {
    let geometry = board.geometry();
    let image = |set: Set<W>, symmetry: usize| -> Set<W> {
        let cells = set.iter().map(Cell::from_index);
        cells.map(|cell| geometry.transform(cell, symmetry).index()).collect()
    };
    let keeps_stones = |symmetry: &usize| {
        Colour::BOTH.into_iter().all(|colour| {
            let stones = board.stones(colour);
            image(stones, *symmetry) == stones
        })
    };
    let symmetries: Vec<usize> = (1..12).filter(keeps_stones).collect();
    let is_first = |index: &usize| {
        let images = symmetries
            .iter()
            .map(|symmetry| geometry.transform(Cell::from_index(*index), *symmetry).index());
        images.into_iter().all(|image| image >= *index || !moves.contains(image))
    };
    moves.iter().filter(is_first).collect()
}

/// Whether a side would win with a stone on every empty cell.
#[inline(never)]
pub fn can_still_win<W: Width>(board: &Board<W>, colour: Colour) -> bool {
    let layout = board.layout();
    let other = board.stones(colour.other());
    let own = layout.on_board - other;
    // A ring exists if some own cell has six own neighbours, or if stones of the other side are cut off
    // from the rim. The first test is cheap and usually succeeds.
    let mut surrounded = own;
    for plane in neighbour_planes(layout, own) {
        surrounded &= plane;
    }
    !surrounded.is_empty() || encloses_or_connects(layout, own, other)
}

#[inline(never)]
fn encloses_or_connects<W: Width>(layout: &Layout<W>, own: Set<W>, other: Set<W>) -> bool {
    let mut rim = Set::<W>::empty();
    for border in layout.borders {
        rim |= border;
    }
    if flood(layout, other & rim, other) != other {
        return true;
    }
    let mut rest = own & rim;
    while let Some(index) = rest.first() {
        let part = flood(layout, Set::<W>::single(index), own);
        let mut borders = 0;
        for (bit, border) in layout.borders.iter().enumerate() {
            borders |= u16::from(!part.is_disjoint(*border)) << bit;
        }
        if !wins_of_borders(borders).is_empty() {
            return true;
        }
        rest -= part;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::width::{self, AnyWidth, Width8, with_width};
    use crate::rng::Rng;

    /// A position of a few stones, often symmetric: each stone with its images under one symmetry.
    fn symmetric_position<W: Width>(layout: &'static Layout<W>, rng: &mut Rng) -> Board<W> {
        let symmetry = rng.below(12) as usize;
        let mut board = Board::empty(layout);
        for _ in 0..rng.below(4) {
            let cells = layout.geometry.cells();
            let mut cell = cells[rng.below(cells.len() as u32) as usize];
            let colour = board.to_move();
            for _ in 0..6 {
                board.set_to_move(colour);
                let mut next = board;
                if next.play(cell) == Ok(Outcome::Ongoing) {
                    board = next;
                }
                cell = layout.geometry.transform(cell, symmetry);
            }
            board.set_to_move(colour.other());
        }
        board
    }

    /// Checks `distinct` with all moves and with a random subset of them.
    fn check<W: Width>(size: usize) {
        let layout = W::layout(size).expect("a base");
        let mut rng = Rng::stream(62, size);
        let mut fewer = 0;
        for _ in 0..400 {
            let board = symmetric_position(layout, &mut rng);
            let image = |set: Set<W>, symmetry: usize| -> Set<W> {
                let cells = set.iter().map(Cell::from_index);
                cells.map(|cell| layout.geometry.transform(cell, symmetry).index()).collect()
            };
            let sides = Colour::BOTH.map(|colour| board.stones(colour));
            let keeps = |symmetry: &usize| sides.iter().all(|set| image(*set, *symmetry) == *set);
            let symmetries: Vec<usize> = (0..12).filter(keeps).collect();
            let all = board.empty_cells();
            let some: Set<W> = all.iter().filter(|_| rng.below(2) == 0).collect();
            for moves in [all, some] {
                let distinct = distinct(&board, moves);
                assert!(distinct.is_subset(moves), "\n{board}");
                for index in moves {
                    let images = symmetries.iter().map(|k| image(Set::<W>::single(index), *k));
                    let equal = images.fold(Set::<W>::empty(), |all, image| all | image);
                    assert_eq!((distinct & equal).len(), 1, "index {index} of {moves:?}\n{board}");
                }
                fewer += usize::from(distinct.len() < moves.len());
            }
        }
        assert!(fewer > 0, "base {size}");
    }

    /// White has a1 and a2 on base 3, and wins with a bridge on a3.
    fn with_a_threat(moves: &[&str]) -> Board<Width8> {
        let mut board = Board::empty(Width8::layout(3).expect("a base"));
        for name in [&["a1", "e4", "a2"], moves].concat() {
            let cell = board.geometry().read_cell(Notation::Letternum, name).expect("a cell");
            assert_eq!(board.play(cell), Ok(Outcome::Ongoing));
        }
        board
    }

    #[test]
    fn who_looks_no_further_than_the_rules_sees_no_win_and_no_threat() {
        let look = |board: &Board<Width8>, settings: &[&str]| {
            let mut params = Params::default();
            settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
            let mut children = Children::default();
            let mut ahead = LookAhead::new(board.layout(), Isa::best(), &params);
            let prospect = ahead.look(board, Some(&mut children));
            (prospect, children)
        };
        let (threatened, winning) = (with_a_threat(&[]), with_a_threat(&["c3"]));
        for board in [&threatened, &winning] {
            let all = board.empty_cells().len();
            let (seen, _) = look(board, &["proofs=false"]);
            assert_ne!(seen, Prospect::Open { forced: None });
            let (seen, children) = look(board, &["look_ahead=false"]);
            assert_eq!(seen, Prospect::Open { forced: None });
            assert_eq!(children.moves.len(), all);
        }
        // Priors by edges and corners know a winning move, which is taken before any other.
        let (_, children) = look(&winning, &["look_ahead=false", "prior_edge=chains"]);
        let a3 = winning.geometry().read_cell(Notation::Letternum, "a3").expect("a cell");
        let a3 = winning.geometry().move_to(a3).number() as u16;
        let sure = |wins: &&u32| **wins > children.prior_visits;
        assert_eq!(children.prior_wins.iter().filter(sure).count(), 1);
        let best = children.prior_wins.iter().position(|wins| *wins > children.prior_visits);
        assert_eq!(best.map(|index| children.moves[index]), Some(a3));
    }

    #[test]
    fn one_move_of_each_symmetric_group_is_distinct() {
        for size in 2..=10 {
            check::<AnyWidth>(size);
            with_width!(width, size, W => check::<W>(size)).expect("a base");
        }
    }
}
