//! Random games, board against oracle, stone by stone, on every base and in both of its widths.
//!
//! Uniform games are what playouts play; clustering games make long chains and crowded
//! neighbourhoods; win-avoiding games go on to draws and to rings round own stones, which the
//! others hardly ever reach. At the end the tests assert that all of that really occurred.
//! `cargo test` in debug plays a few per cent of the games.

use std::collections::HashMap;

use bitvec::prelude::BitVec;

use ciclon::internals::bits::{Bits, Words};
use ciclon::internals::havannah::baseline::{Baseline, FindStatistics};
use ciclon::internals::havannah::neighbourhood;
use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::havannah::patterns::{Pattern, dead_cells, dead_cells_as_published};
use ciclon::internals::havannah::threats::{SideThreats, winning_cells};
use ciclon::internals::havannah::{
    Board, Cell, Colour, Geometry, Layout, Outcome, PlayError, Set, Undo, Width, Wins,
};
use ciclon::internals::rng::Rng;

use crate::positions::in_both_widths;

const SIZES: std::ops::RangeInclusive<usize> = 2..=10;

fn geometry(size: usize) -> &'static Geometry {
    Geometry::of_size(size).expect("a base")
}

/// How many games each base gets in each of its widths, of a number over all bases.
fn games_per_base(games: usize) -> usize {
    let games = if cfg!(debug_assertions) { games / 40 } else { games };
    games.div_ceil(SIZES.count())
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Uniform,
    /// Prefers neighbours of own stones.
    Clustering,
    /// Does not win while another move is left.
    WinAvoiding,
}

const STYLES: [Style; 3] = [Style::Uniform, Style::Clustering, Style::WinAvoiding];

fn random_member<A: Words>(set: Bits<A>, rng: &mut Rng) -> Option<Cell> {
    let choice = rng.below(set.len().max(1) as u32) as usize;
    set.iter().nth(choice).map(Cell::from_index)
}

fn random_move<W: Width>(board: &Board<W>, style: Style, rng: &mut Rng) -> Cell {
    let empty = board.empty_cells();
    let choice = match style {
        Style::Uniform => None,
        Style::Clustering => {
            let near = neighbourhood::dilate(board.layout(), board.stones(board.to_move())) & empty;
            random_member(near, rng).filter(|_| rng.below(4) > 0)
        }
        Style::WinAvoiding => {
            let mut untried = empty;
            loop {
                let Some(cell) = random_member(untried, rng) else {
                    break None;
                };
                let mut after = *board;
                after.place(cell);
                if after.outcome().winner().is_none() {
                    break Some(cell);
                }
                untried.remove(cell.index());
            }
        }
    };
    choice.unwrap_or_else(|| random_member(empty, rng).expect("the game is not over"))
}

/// What occurred in a number of games.
#[derive(Default, Debug)]
struct Seen {
    games: usize,
    draws: usize,
    rings: usize,
    bridges: usize,
    forks: usize,
    several_kinds: usize,
    rings_round_own_stones_only: usize,
}

impl Seen {
    fn add<W: Width>(&mut self, board: &Board<W>, oracle: &Oracle) {
        self.games += 1;
        let Outcome::Won { by, wins } = board.outcome() else {
            self.draws += 1;
            return;
        };
        let kinds = [Wins::RING, Wins::BRIDGE, Wins::FORK].map(|kind| wins.contains(kind));
        let counters = [&mut self.rings, &mut self.bridges, &mut self.forks];
        for (counter, seen) in counters.into_iter().zip(kinds) {
            *counter += usize::from(seen);
        }
        self.several_kinds += usize::from(kinds.into_iter().filter(|seen| *seen).count() > 1);
        let stones = as_bits(board, board.stones(by));
        let own_only = kinds[0] && !oracle.encloses_other_cell(&stones);
        self.rings_round_own_stones_only += usize::from(own_only);
    }

    fn assert_variety(&self) {
        let rarest = [
            self.draws,
            self.rings,
            self.bridges,
            self.forks,
            self.several_kinds,
            self.rings_round_own_stones_only,
        ];
        assert!(rarest.into_iter().all(|count| count > 0), "{self:?}");
    }
}

/// A set of cells of a board as the oracle holds it.
fn as_bits<W: Width>(board: &Board<W>, set: Set<W>) -> BitVec {
    let cells = board.geometry().cells().iter();
    cells.map(|cell| set.contains(cell.index())).collect()
}

/// Plays a game and checks its end: no win before the last stone, and the right kinds with it.
/// Wins grow with the stones (`tests/exhaustive.rs`), so this covers every stone of the game.
fn check_the_end<W: Width>(
    layout: &'static Layout<W>,
    oracle: &Oracle,
    style: Style,
    rng: &mut Rng,
) -> Board<W> {
    let mut board = Board::empty(layout);
    let mut before = board;
    while board.outcome() == Outcome::Ongoing {
        before = board;
        board.place(random_move(&board, style, rng));
    }
    let mover = before.to_move();
    let wins = |board: &Board<W>, colour| oracle.wins(&as_bits(board, board.stones(colour)));
    for colour in Colour::BOTH {
        assert!(wins(&before, colour).is_empty(), "over before\n{board}");
    }
    let expected = match wins(&board, mover) {
        Wins::NONE => Outcome::Draw,
        wins => Outcome::Won { by: mover, wins },
    };
    assert_eq!(board.outcome(), expected, "\n{board}");
    if expected == Outcome::Draw {
        assert_eq!(board.stone_count(), layout.cell_count(), "\n{board}");
    }
    board
}

/// Plays a game with the oracle beside the board.
fn check_every_stone<W: Width>(
    layout: &'static Layout<W>,
    style: Style,
    rng: &mut Rng,
) -> Board<W> {
    let mut board = Board::empty(layout);
    let mut oracle = Oracle::new(layout.geometry);
    while board.outcome() == Outcome::Ongoing {
        let cell = random_move(&board, style, rng);
        let (found, expected) = (board.play(cell), oracle.play(cell));
        assert_eq!(found, expected, "\n{board}");
    }
    board
}

#[test]
fn games_end_as_the_oracle_says() {
    const GAMES: usize = 100_000;
    /// One game in so many is compared after every stone too.
    const THOROUGH: usize = 10;

    fn play<W: Width>(size: usize, seen: &mut Seen) {
        let layout = W::layout(size).expect("a base");
        let mut rng = Rng::stream(20, size);
        let oracle = Oracle::new(layout.geometry);
        for game in 0..games_per_base(GAMES) {
            let style = STYLES[game % STYLES.len()];
            let board = if game.is_multiple_of(THOROUGH) {
                check_every_stone(layout, style, &mut rng)
            } else {
                check_the_end(layout, &oracle, style, &mut rng)
            };
            seen.add(&board, &oracle);
        }
    }

    let mut seen = Seen::default();
    for size in SIZES {
        in_both_widths!(size, W => play::<W>(size, &mut seen));
    }
    assert!(cfg!(debug_assertions) || seen.games >= 2 * GAMES);
    seen.assert_variety();
}

/// Everything that the rules say about a position; sets and lists go by cell ordinals, pairs by
/// colour.
#[derive(PartialEq, Debug)]
struct Facts {
    outcome: Outcome,
    to_move: Colour,
    hash: u64,
    canonical_hash: u64,
    stones: [BitVec; 2],
    empty_cells: BitVec,
    /// For each stone, the first stone of its chain and the border bits of the chain.
    chains: Vec<Option<(usize, u16)>>,
    neighbour_cells: [BitVec; 2],
    /// For each cell, how many groups of the colour are round it.
    group_counts: [Vec<usize>; 2],
    joint_cells: [BitVec; 2],
    /// Exactly, and by the published rule.
    dead_cells: [BitVec; 2],
}

impl Facts {
    fn of_board<W: Width>(board: &Board<W>) -> Self {
        let (layout, cells) = (board.layout(), board.geometry().cells());
        let mut first_stones: HashMap<(Colour, u8), usize> = HashMap::new();
        let chains = cells.iter().enumerate().map(|(ordinal, cell)| {
            let chain = (board.colour_at(*cell)?, board.chain_at(*cell)?);
            let first = *first_stones.entry(chain).or_insert(ordinal);
            Some((first, board.borders_at(*cell)?))
        });
        let group_counts = |colour: Colour| {
            let at_least = neighbourhood::cells_by_groups(layout, board.stones(colour));
            let count = |cell: &Cell| {
                let counted = at_least.iter().filter(|set| set.contains(cell.index()));
                counted.count()
            };
            cells.iter().map(count).collect()
        };
        let (colours, empty) = (Colour::BOTH, board.empty_cells());
        Self {
            outcome: board.outcome(),
            to_move: board.to_move(),
            hash: board.hash(),
            canonical_hash: board.canonical_hash(),
            stones: colours.map(|colour| as_bits(board, board.stones(colour))),
            empty_cells: as_bits(board, empty),
            chains: chains.collect(),
            neighbour_cells: colours.map(|colour| {
                as_bits(board, neighbourhood::dilate(layout, board.stones(colour)) & empty)
            }),
            group_counts: colours.map(group_counts),
            joint_cells: colours.map(|colour| {
                as_bits(board, neighbourhood::joint_cells(layout, board.stones(colour), empty))
            }),
            dead_cells: [dead_cells(board), dead_cells_as_published(board)]
                .map(|dead| as_bits(board, dead)),
        }
    }

    fn of_oracle(oracle: &Oracle, geometry: &Geometry) -> Self {
        let cells = geometry.cells();
        let mut chains = vec![None; cells.len()];
        for chain in Colour::BOTH.into_iter().flat_map(|c| oracle.chains(c)) {
            let first = chain.first_one().expect("a chain has a stone");
            for stone in chain.iter_ones() {
                chains[stone] = Some((first, oracle.borders(&chain)));
            }
        }
        let group_counts = |colour: Colour| {
            let count = |cell: &Cell| oracle.group_count(colour, *cell);
            cells.iter().map(count).collect()
        };
        let colours = Colour::BOTH;
        Self {
            outcome: oracle.outcome(),
            to_move: oracle.to_move(),
            hash: oracle.hash(),
            canonical_hash: oracle.canonical_hash(),
            stones: colours.map(|colour| oracle.stones(colour).to_bitvec()),
            empty_cells: oracle.empty_cells(),
            chains,
            neighbour_cells: colours.map(|colour| oracle.neighbour_cells(colour)),
            group_counts: colours.map(group_counts),
            joint_cells: colours.map(|colour| oracle.joint_cells(colour)),
            dead_cells: [oracle.dead_cells_exact(), oracle.dead_cells_paper()],
        }
    }
}

/// Compares what the next stone would do: winning cells by kind, the borders it would connect to,
/// and the pattern round every empty cell. The oracle takes a millisecond and more for it on the
/// large bases: there it is asked after some stones only.
fn check_next_stone<W: Width>(board: &Board<W>, oracle: &Oracle) {
    let geometry = board.geometry();
    let every = if geometry.size <= 6 { 1 } else { geometry.size };
    if board.outcome() != Outcome::Ongoing || !board.stone_count().is_multiple_of(every) {
        return;
    }
    for colour in Colour::BOTH {
        let winning = winning_cells(board, colour);
        let threats = SideThreats::new(board, colour);
        let reach = threats.reach();
        assert_eq!(
            as_bits(board, winning.all()),
            oracle.winning_cells(colour),
            "{colour}\n{board}"
        );
        let kept = SideThreats::new(board, colour).open().unwrap_or_default();
        assert_eq!(kept, winning.all(), "{colour}\n{board}");
        for index in board.empty_cells() {
            let cell = Cell::from_index(index);
            let mut stones = oracle.stones(colour).to_bitvec();
            stones.set(geometry.ordinal[index] as usize, true);
            let kinds = [(winning.ring, Wins::RING), (winning.bridge, Wins::BRIDGE)];
            let kinds = kinds.into_iter().chain([(winning.fork, Wins::FORK)]);
            let kinds = kinds.filter(|(cells, _)| cells.contains(index));
            let kinds = kinds.fold(Wins::NONE, |all, (_, kind)| all.union(kind));
            if winning.all().contains(index) {
                assert_eq!(kinds, oracle.wins(&stones), "{colour} at index {index}\n{board}");
            }
            let reached = (0..12).filter(|border| reach.border(*border).contains(index));
            let reached: u16 = reached.map(|border| 1 << border).sum();
            let connected = oracle.connected_borders(colour, cell);
            assert_eq!(reached, connected, "{colour} at index {index}\n{board}");
            assert_eq!(
                Pattern::at(board, colour, cell),
                pattern_by_hand(oracle, colour, cell, geometry)
            );
        }
    }
}

/// The pattern of a cell, neighbour by neighbour.
fn pattern_by_hand(oracle: &Oracle, colour: Colour, cell: Cell, geometry: &Geometry) -> Pattern {
    let bits = |holds: &dyn Fn(Cell) -> bool| -> usize {
        let neighbours = (0..6).filter_map(|d| Some((d, geometry.neighbour(cell, d)?)));
        neighbours.filter(|(_, neighbour)| holds(*neighbour)).map(|(d, _)| 1 << d).sum()
    };
    let stone =
        |colour: Colour, cell: Cell| oracle.stones(colour)[geometry.ordinal[cell.index()] as usize];
    let is_rim = |cell: Cell| (0..6).any(|d| geometry.neighbour(cell, d).is_none());
    Pattern::new(
        bits(&|cell| stone(colour, cell)),
        bits(&|cell| stone(colour.other(), cell)),
        bits(&is_rim),
    )
}

/// The position in every width that has its base is the same position, and the same board.
fn check_other_widths<W: Width>(board: &Board<W>, facts: &Facts) {
    fn check<W: Width, V: Width>(board: &Board<W>, facts: &Facts) {
        let other: Board<V> = board.widened().expect("the width has the base");
        assert_eq!(Facts::of_board(&other), *facts, "\n{board}");
        let back: Board<W> = other.widened().expect("the width has the base");
        assert_eq!(back, *board, "\n{board}");
    }
    in_both_widths!(board.geometry().size, V => check::<W, V>(board, facts));
}

/// Plays a game and compares all facts after every stone; tries and takes back another stone
/// before each, keeps a copy of the board from before, and takes back the whole game at the end.
fn check_all_facts<W: Width>(layout: &'static Layout<W>, style: Style, rng: &mut Rng) -> Board<W> {
    let mut board = Board::empty(layout);
    let mut oracle = Oracle::new(layout.geometry);
    let mut history: Vec<(Facts, Undo<W>)> = Vec::new();
    let mut facts = Facts::of_board(&board);
    assert_eq!(facts, Facts::of_oracle(&oracle, layout.geometry));
    while board.outcome() == Outcome::Ongoing {
        let tried = random_member(board.empty_cells(), rng).expect("an empty cell");
        let undo = board.place_logged(tried);
        board.undo(&undo);
        assert_eq!(Facts::of_board(&board), facts, "after undo\n{board}");

        let copy = board;
        let cell = random_move(&board, style, rng);
        let undo = board.place_logged(cell);
        oracle.play(cell).expect("a legal move");
        assert_eq!(Facts::of_board(&copy), facts, "the copy\n{copy}");
        history.push((facts, undo));
        facts = Facts::of_board(&board);
        check_other_widths(&board, &facts);
        assert_eq!(facts, Facts::of_oracle(&oracle, layout.geometry), "\n{board}");
        check_next_stone(&board, &oracle);
    }
    let end = board;
    for (facts, undo) in history.iter().rev() {
        board.undo(undo);
        assert_eq!(Facts::of_board(&board), *facts, "taken back\n{board}");
    }
    end
}

#[test]
fn all_facts_agree_after_every_stone() {
    fn play<W: Width>(size: usize, seen: &mut Seen) {
        let layout = W::layout(size).expect("a base");
        let mut rng = Rng::stream(21, size);
        let oracle = Oracle::new(layout.geometry);
        for game in 0..games_per_base(2_000) {
            let board = check_all_facts(layout, STYLES[game % STYLES.len()], &mut rng);
            seen.add(&board, &oracle);
        }
    }

    let mut seen = Seen::default();
    for size in SIZES {
        in_both_widths!(size, W => play::<W>(size, &mut seen));
    }
    if !cfg!(debug_assertions) {
        assert!(seen.games >= 2 * 2_000);
        seen.assert_variety();
    }
}

/// Threats that are kept up to date stone by stone are those of the position, and say what a stone
/// there completes.
#[test]
fn threats_are_kept_up_to_date() {
    fn play<W: Width>(size: usize, rng: &mut Rng) {
        let mut seen = [0; 3];
        for game in 0..games_per_base(4_000) {
            let mut board = Board::empty(W::layout(size).expect("a base"));
            let mut kept = Colour::BOTH.map(|colour| SideThreats::new(&board, colour));
            loop {
                let mover = board.to_move();
                let cell = random_move(&board, STYLES[game % STYLES.len()], rng);
                let is_open = kept[mover.index()].open().is_some_and(|o| o.contains(cell.index()));
                let expected = if is_open { kept[mover.index()].wins_at(cell) } else { Wins::NONE };
                let joined = board.place(cell);
                if let Outcome::Won { wins, .. } = board.outcome() {
                    assert_eq!(wins, expected, "\n{board}");
                    break;
                }
                assert!(expected.is_empty(), "\n{board}");
                if board.outcome() == Outcome::Draw {
                    break;
                }
                kept[mover.index()].add(&board, cell, &joined);
                kept[mover.other().index()].block(cell);
                for colour in Colour::BOTH {
                    let open = kept[colour.index()].open();
                    assert_ne!(open, Some(Set::<W>::empty()), "{colour}\n{board}");
                    let winning = winning_cells(&board, colour);
                    assert_eq!(open.unwrap_or_default(), winning.all(), "{colour}\n{board}");
                    let kinds = [winning.ring, winning.bridge, winning.fork];
                    seen.iter_mut().zip(kinds).for_each(|(seen, cells)| *seen += cells.len());
                }
            }
        }
        assert!(size == 2 || seen.into_iter().all(|count| count > 0), "base {size}: {seen:?}");
    }

    let mut rng = Rng::new(26);
    for size in SIZES {
        // The same games in both widths.
        let before = rng.clone();
        in_both_widths!(size, W => {
            rng = before.clone();
            play::<W>(size, &mut rng)
        });
    }
}

/// Whatever else is played, a stone on an exactly dead cell changes nothing for its side.
#[test]
fn dead_cells_never_matter() {
    fn play(geometry: &'static Geometry, rng: &mut Rng) -> usize {
        let mut checked = 0;
        for game in 0..games_per_base(400) {
            let mut board = Board::of(geometry);
            let mut oracle = Oracle::new(geometry);
            while board.outcome() == Outcome::Ongoing {
                let cell = random_move(&board, STYLES[game % STYLES.len()], rng);
                board.place(cell);
                oracle.play(cell).expect("a legal move");
                let empty = oracle.empty_cells();
                for dead in oracle.dead_cells_exact().iter_ones() {
                    for colour in Colour::BOTH {
                        let mut stones = oracle.stones(colour).to_bitvec();
                        let density = 1 + rng.below(4);
                        let chosen = empty.iter_ones().filter(|_| rng.below(4) < density);
                        chosen.for_each(|cell| stones.set(cell, true));
                        let wins = [false, true].map(|taken| {
                            stones.set(dead, taken);
                            oracle.wins(&stones)
                        });
                        assert_eq!(wins[0], wins[1], "cell {dead}, {colour}\n{board}");
                        checked += 1;
                    }
                }
            }
        }
        checked
    }

    let mut rng = Rng::new(24);
    let checked: usize = SIZES.map(|size| play(geometry(size), &mut rng)).sum();
    assert!(checked > 0);
}

/// The moves of a playout of the baseline, replayed with the oracle after some opening moves.
fn check_playout<const WEIGHTED: bool>(
    baseline: &mut Baseline<WEIGHTED>,
    geometry: &Geometry,
    mut oracle: Oracle,
    rng: &mut Rng,
) {
    let result = baseline.playout(rng);
    for cell in baseline.moves(geometry) {
        assert_eq!(oracle.outcome(), Outcome::Ongoing);
        oracle.play(cell).expect("a legal move");
    }
    let expected = match (result.winner, result.wins) {
        (Some(by), wins) => Outcome::Won { by, wins },
        (None, wins) => {
            assert!(wins.is_empty());
            Outcome::Draw
        }
    };
    assert_eq!(oracle.outcome(), expected);
    let stones = Colour::BOTH.map(|colour| oracle.stones(colour).count_ones());
    assert_eq!(result.length, stones[0] + stones[1]);
}

#[test]
fn baseline_playouts_are_games() {
    fn play<const WEIGHTED: bool>(geometry: &'static Geometry, rng: &mut Rng) {
        let mut opened = Baseline::<WEIGHTED>::new(geometry);
        let mut oracle = Oracle::new(geometry);
        let mut opening = Vec::new();
        for _ in 0..games_per_base(3_000) {
            check_playout(&mut opened, geometry, oracle.clone(), rng);
            // Every now and then a move more is given.
            let cells = oracle.empty_cells();
            let chosen = cells.iter_ones().nth(rng.below(100) as usize);
            let Some(cell) = chosen.map(|ordinal| geometry.cells()[ordinal]) else {
                continue;
            };
            let mut longer = oracle.clone();
            if longer.play(cell).expect("a legal move") == Outcome::Ongoing {
                oracle = longer;
                opening.push(cell);
                opened = Baseline::after(geometry, &opening).expect("an opening");
            }
        }
    }

    let mut rng = Rng::new(22);
    for size in SIZES {
        play::<false>(geometry(size), &mut rng);
        play::<true>(geometry(size), &mut rng);
    }
}

#[test]
fn baseline_openings_must_leave_a_game() {
    let geometry = geometry(4);
    let after = |moves: &[(i32, i32)]| {
        let cell = |(x, y): &(i32, i32)| geometry.cell(*x, *y).expect("on the board");
        let moves: Vec<Cell> = moves.iter().map(cell).collect();
        <Baseline>::after(geometry, &moves).map(|_| ())
    };
    assert_eq!(after(&[(0, 0), (3, 3), (0, 1)]), Ok(()));
    assert_eq!(after(&[(0, 0), (0, 0)]), Err(PlayError::Occupied));
    let bridge = [(0, 0), (6, 3), (0, 1), (6, 4), (0, 2), (4, 4), (0, 3)];
    assert_eq!(after(&bridge), Err(PlayError::GameOver));
    for index in [4, 384] {
        let moves = [Cell::from_index(index)];
        let error = <Baseline>::after(geometry, &moves).err();
        assert_eq!(error, Some(PlayError::OffBoard));
    }
}

/// Roots are near (Nahue 2014 §3.3 found 1.5 steps on average and 10 at most), and nearer when
/// the lower tree joins the higher.
#[test]
fn baseline_counts_its_steps() {
    fn count<const WEIGHTED: bool, const COUNTED: bool>() -> FindStatistics {
        let mut baseline = Baseline::<WEIGHTED, COUNTED>::new(geometry(10));
        let mut rng = Rng::new(25);
        for _ in 0..500 {
            baseline.playout(&mut rng);
        }
        baseline.statistics()
    }

    let (plain, weighted) = (count::<false, true>(), count::<true, true>());
    assert!(plain.calls > 0 && plain.steps < 2 * plain.calls);
    assert!(weighted.steps < plain.steps && weighted.longest < plain.longest);
    assert!(1 < weighted.longest && plain.longest <= 10);
    assert_eq!(count::<false, false>(), FindStatistics::default());
}

/// Mean lengths and kinds of random games, by a study of some million games a base.
#[test]
fn baseline_playouts_look_like_random_games() {
    const GAMES: usize = 20_000;
    let known = [(4, 27.95, [0.4404, 0.5000, 0.0589]), (5, 46.54, [0.5120, 0.2945, 0.1932])];
    for (size, length, shares) in known {
        let mut baseline = <Baseline>::new(geometry(size));
        let mut rng = Rng::new(23);
        let (mut lengths, mut kinds) = (0, [0; 3]);
        for _ in 0..GAMES {
            let result = baseline.playout(&mut rng);
            lengths += result.length;
            if let Some(kind) = result.wins.kind() {
                kinds[kind as usize] += 1;
            }
        }
        let mean = lengths as f64 / GAMES as f64;
        assert!((mean - length).abs() < 0.3, "base {size}: {mean}");
        for (count, share) in kinds.into_iter().zip(shares) {
            let found = f64::from(count) / GAMES as f64;
            assert!((found - share).abs() < 0.015, "base {size}: {kinds:?}");
        }
    }
}
