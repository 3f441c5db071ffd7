//! The public interface, by itself: whatever it is given, it answers or refuses, and what it answers is
//! what the rooms behind it say.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ciclon::internals::havannah::Geometry;
use ciclon::internals::havannah::oracle::Oracle;
use ciclon::internals::rng::Rng;
use ciclon::records::{self, Action, Record};
use ciclon::{
    Board, Cell, Colour, Direction, Ending, Engine, GtpSession, IllegalLine, Limits, Notation,
    Outcome, Params, PictureError, PlayError, Playouts, Policy, Proven, SetupError, TronEngine,
    TronMap, TronResult, TronSide, Turn,
};

fn board(size: usize) -> Board {
    Board::new(size).expect("a base")
}

fn cell(name: &str) -> Cell {
    name.parse().expect("a cell")
}

fn few(playouts: u64) -> Limits {
    Limits { playouts: Some(playouts), ..Limits::default() }
}

/// Settings of a small tree.
fn small() -> Params {
    Params::default().with("memory", 1).expect("in its range")
}

/// Every cell that any board has.
fn all_cells() -> Vec<Cell> {
    (0..30).flat_map(|x| (0..30).filter_map(move |y| Cell::new(x, y))).collect()
}

#[test]
fn types_can_go_to_other_threads() {
    fn check<T: Send + Sync>() {}
    fn check_send<T: Send>() {}
    check::<(Board, Cell, Params, Record, ciclon::Report, SetupError, TronMap)>();
    check_send::<(Engine, Playouts, GtpSession, TronEngine)>();
}

/// So that `unwrap` and `expect` can be used on what makes them.
#[test]
fn what_was_made_can_be_shown() {
    let shown = |value: &dyn std::fmt::Debug| format!("{value:?}");
    let picture = board(2).to_string();
    let engine = Engine::new(2, &small()).expect("an engine");
    assert!(shown(&board(2)).starts_with(&picture) && shown(&engine).contains(&picture));
    assert!(shown(&Playouts::new(&board(2), Policy::Random, 1)).contains(&picture));
    let session = GtpSession::new(2, &small(), &few(1)).expect("a session");
    assert_eq!(shown(&session), "GtpSession { .. }");
    let map: TronMap = "3 1\n1 2\n".parse().expect("a map");
    let engine = TronEngine::new(&map, &Params::preset("uct").expect("a preset"));
    assert!(shown(&engine.expect("an engine")).contains("1 2"));
}

#[test]
fn cells_are_those_of_the_largest_board() {
    let cells = all_cells();
    assert_eq!(cells.len(), 271);
    let of_board: BTreeSet<Cell> = board(Board::MAX_SIZE).cells().collect();
    assert_eq!(cells.iter().copied().collect::<BTreeSet<_>>(), of_board);
    for cell in cells {
        assert_eq!(cell.to_string().parse(), Ok(cell));
        assert_eq!(format!("{cell:?}"), cell.to_string());
    }
    assert_eq!(Cell::new(usize::MAX, 0), None);
    assert_eq!(Cell::new(0, 10), None, "it is too far from the first row");
    for text in ["", "c", "3", "a11", "s9", "c03", "é1", "t19", "c3 "] {
        assert!(text.parse::<Cell>().is_err(), "{text}");
    }
}

#[test]
fn boards_refuse_the_cells_they_do_not_have() {
    for size in Board::MIN_SIZE..=Board::MAX_SIZE {
        let empty = board(size);
        let own: BTreeSet<Cell> = empty.cells().collect();
        assert_eq!(own.len(), 3 * size * (size - 1) + 1);
        assert_eq!(empty.legal_cells().collect::<BTreeSet<_>>(), own);
        for cell in all_cells() {
            let (mut next, is_own) = (empty, own.contains(&cell));
            assert_eq!(empty.is_legal(cell), is_own);
            assert_eq!(next.play(cell).is_ok(), is_own);
            assert_eq!(next.colour_at(cell), is_own.then_some(Colour::White));
            if !is_own {
                assert_eq!(next.play(cell), Err(PlayError::OffBoard));
                assert_eq!(next, empty);
            }
            assert_eq!(empty.neighbours(cell).count() > 0, is_own);
            assert!(empty.neighbours(cell).all(|next| own.contains(&next)));
            for notation in [Notation::Letternum, Notation::LittleGolem] {
                let name = empty.write_cell(notation, cell);
                assert_eq!(name.is_some(), is_own);
                if let Some(name) = name {
                    assert_eq!(empty.read_cell(notation, &name), Ok(cell));
                }
            }
        }
    }
    for size in [0, 1, 11, usize::MAX] {
        assert!(Board::new(size).is_none());
        assert_eq!(Engine::new(size, &small()).err(), Some(SetupError::NoSuchSize(size)));
        let session = GtpSession::new(size, &small(), &few(1)).err();
        assert_eq!(session, Some(SetupError::NoSuchSize(size)));
    }
}

#[test]
fn pictures_say_which_board_they_show() {
    for size in Board::MIN_SIZE..=Board::MAX_SIZE {
        let mut position = board(size);
        for _ in 0..3 {
            let first = position.legal_cells().next().expect("there is room");
            let before = position;
            if position.play(first).is_ok_and(Outcome::is_over) {
                position = before;
            }
        }
        assert_eq!(position.to_string().parse(), Ok(position), "\n{position}");
    }
    assert_eq!("".parse::<Board>(), Err(PictureError::NoBoard { found: 0 }));
    assert_eq!(". . . . . .".parse::<Board>(), Err(PictureError::NoBoard { found: 6 }));
    let over = PictureError::GameOver { cell: "c3".to_string() };
    assert_eq!("O O . . . . O".parse::<Board>(), Err(over));
}

/// Random games, on to the end and a little beyond: the board says what the oracle says.
#[test]
fn games_go_as_the_oracle_says() {
    let mut rng = Rng::new(31);
    for size in 2..=6 {
        let geometry = Geometry::of_size(size).expect("a base");
        for _ in 0..20 {
            let (mut position, mut oracle) = (board(size), Oracle::new(geometry));
            while !position.outcome().is_over() {
                let cells: Vec<Cell> = position.legal_cells().collect();
                let next = cells[rng.below(cells.len() as u32) as usize];
                let winning: Vec<Cell> = position.winning_cells(position.to_move()).collect();
                let outcome = position.play(next).expect("a legal move");
                let index = geometry.cell(next.x() as i32, next.y() as i32).expect("a cell");
                assert_eq!(oracle.play(index), Ok(outcome));
                assert_eq!(outcome.winner().is_some(), winning.contains(&next), "\n{position}");
                assert!(position.play(next).is_err(), "the cell is taken");
            }
            assert_eq!(position.legal_cells().count(), 0);
            let stones: Vec<Cell> = position.winning_stones().collect();
            let winner = position.outcome().winner();
            assert_eq!(stones.is_empty(), winner.is_none());
            assert!(stones.iter().all(|stone| position.colour_at(*stone) == winner));
            // What is over stays over, whoever is to move.
            for colour in Colour::BOTH {
                position.set_to_move(colour);
                position.winning_cells(colour).for_each(drop);
                assert!(all_cells().into_iter().all(|cell| position.play(cell).is_err()));
                let game = Playouts::new(&position, Policy::mate(size), 1).run();
                assert_eq!((game.outcome, game.length), (position.outcome(), 0));
            }
        }
    }
}

/// Positions that no game leads to, with any number of stones of either side, are played out like others.
#[test]
fn playouts_begin_anywhere() {
    let mut rng = Rng::new(32);
    for size in Board::MIN_SIZE..=Board::MAX_SIZE {
        for round in 0..20 {
            let mut position = board(size);
            for _ in 0..rng.below(3 * size as u32 * size as u32) {
                let before = position;
                let colour = if round % 2 == 0 {
                    Colour::White
                } else {
                    Colour::BOTH[rng.below(2) as usize]
                };
                position.set_to_move(colour);
                let cells: Vec<Cell> = position.legal_cells().collect();
                position.play(cells[rng.below(cells.len() as u32) as usize]).expect("a legal move");
                if position.outcome().is_over() {
                    position = before;
                }
            }
            let policies = [
                Policy::Random,
                Policy::mate(usize::MAX),
                Policy::Mate { plies: usize::MAX },
                Policy::Mate { plies: 1 },
            ];
            for policy in policies {
                let mut playouts = Playouts::new(&position, policy, 7);
                for _ in 0..5 {
                    let game = playouts.run();
                    let mut replayed = position;
                    for next in playouts.moves() {
                        assert_eq!(replayed.outcome(), Outcome::Ongoing);
                        replayed.play(next).expect("a legal move");
                    }
                    assert_eq!(replayed.outcome(), game.outcome, "\n{replayed}");
                    assert!(game.outcome.is_over());
                }
            }
        }
    }
}

#[test]
fn lines_of_playouts_are_checked() {
    let mut position = board(4);
    position.play(cell("d4")).expect("a legal move");
    for policy in [Policy::Random, Policy::Mate { plies: usize::MAX }] {
        let mut playouts = Playouts::new(&position, policy, 1);
        for (line, at) in [
            (&["d4"][..], 0),
            (&["a1", "a1"], 1),
            (&["a1", "a5"], 1),
            (&["a5", "d4"], 0),
            (&["a1", "b1", "a2", "c1", "a3", "b2", "a4", "e4"], 7),
        ] {
            let line: Vec<Cell> = line.iter().map(|name| cell(name)).collect();
            assert_eq!(playouts.run_line(&line), Err(IllegalLine { at }), "{line:?}");
        }
        let line: Vec<Cell> = ["a1", "b1", "a2", "c1", "a3", "b2", "a4"].map(cell).to_vec();
        let won = playouts.run_line(&line).expect("the last move wins");
        assert_eq!((won.outcome.winner(), won.length), (Some(Colour::Black), line.len()));
        assert_eq!(playouts.moves().collect::<Vec<_>>(), line);
        let game = playouts.run_line(&line[..3]).expect("a legal line");
        assert_eq!(playouts.moves().count(), game.length);
        assert_eq!(playouts.moves().take(3).collect::<Vec<_>>(), line[..3]);
    }
}

#[test]
fn playouts_depend_on_their_seed_alone() {
    let mut one = Playouts::new(&board(5), Policy::Random, 1);
    let mut two = Playouts::new(&board(5), Policy::Random, 2);
    let games = |playouts: &mut Playouts| -> Vec<Vec<Cell>> {
        (0..10).map(|_| (playouts.run(), playouts.moves().collect()).1).collect()
    };
    let first = games(&mut one);
    assert_ne!(games(&mut two), first);
    two.set_seed(1);
    assert_eq!(games(&mut two), first);
}

#[test]
fn settings_stay_in_their_ranges() {
    let mut params = small();
    for (name, value) in [
        ("memory", "0"),
        ("memory", "1e3"),
        ("exploration", "nan"),
        ("exploration", "inf"),
        ("rave", "gamma"),
        ("prior_joint_visits", "1001"),
        ("nothing", "1"),
    ] {
        let before = params.clone();
        assert!(params.set(name, value).is_err(), "{name}={value}");
        assert_eq!(params, before);
    }
    for (name, _) in Params::presets() {
        let params = Params::preset(name).expect("a preset");
        assert!(params.list().iter().all(|param| !param.meaning.is_empty()));
    }
    assert!(Params::preset("none").is_err());
}

#[test]
fn settings_of_another_game_are_refused() {
    let of_tron = small().with("stacked", true).expect("a setting");
    let refused = |error: Option<SetupError>| match error {
        Some(SetupError::Param(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused(Engine::new(4, &of_tron).err()).contains("stacked"));
    assert!(refused(GtpSession::new(4, &of_tron, &few(1)).err()).contains("stacked"));
    let mut engine = Engine::new(4, &small()).expect("an engine");
    assert!(refused(engine.set_params(&of_tron).err()).contains("stacked"));
    let map: TronMap = "2 1\n12\n".parse().expect("a map");
    assert!(refused(TronEngine::new(&map, &small()).err()).contains("rave"));
    let weights = small().with("pattern_file", "/nowhere/weights").expect("a name");
    let error = Engine::new(4, &weights).err();
    assert!(matches!(&error, Some(SetupError::File(text)) if text.contains("/nowhere/weights")));
}

#[test]
fn an_engine_plays_a_game() {
    let mut engine = Engine::new(3, &small()).expect("an engine");
    assert!(!engine.undo() && !engine.swap(), "nothing was played");
    assert_eq!(engine.play(cell("a4")), Err(PlayError::OffBoard));
    assert_eq!(engine.play(cell("c3")), Ok(Outcome::Ongoing));
    assert_eq!(engine.play(cell("c3")), Err(PlayError::Occupied));
    assert!(engine.can_swap() && engine.swap() && !engine.swap());
    assert_eq!(engine.board().colour_at(cell("c3")), Some(Colour::Black));
    let turns: Vec<Turn> = engine.turns().collect();
    assert_eq!(turns, [Turn::Place(Colour::White, cell("c3")), Turn::Swap]);
    assert!(engine.undo());
    assert_eq!(engine.board().to_move(), Colour::Black);
    let mut plies = 0;
    while !engine.board().outcome().is_over() {
        let report = engine.analyze(&few(300));
        let best = report.best.expect("a move");
        assert!(engine.board().is_legal(best) && report.pv.first() == Some(&best));
        assert!(report.moves.iter().all(|found| engine.board().is_legal(found.cell)));
        assert!((0.0..=1.0).contains(&report.value) && report.playouts <= 500, "{report:?}");
        engine.play(best).expect("a legal move");
        plies += 1;
    }
    assert!(plies > 3);
    let report = engine.analyze(&few(300));
    assert_eq!((report.best, report.ending), (None, Some(Ending::Solved)));
    let won = engine.board().outcome().winner() == Some(engine.board().to_move());
    assert_eq!(report.proven == Some(Proven::Win), won);
    assert!(engine.play(cell("a1")).is_err() && !engine.resign());
}

#[test]
fn searches_end() {
    let mut engine = Engine::new(4, &small()).expect("an engine");
    let stop = AtomicBool::new(true);
    let report = engine.analyze_until(&Limits::default(), &stop, Duration::ZERO, &mut |_| ());
    assert_eq!(report.ending, Some(Ending::Stopped));
    let mut seen = 0;
    let report =
        engine.analyze_until(&few(2_000), &AtomicBool::new(false), Duration::ZERO, &mut |so_far| {
            assert_eq!(so_far.ending, None);
            seen += 1;
        });
    assert!(seen > 0 && report.ending == Some(Ending::Limit) && report.playouts >= 2_000);
    // No length of time is too long to be added up.
    let forever = Some(Duration::MAX);
    let limits = Limits { time: forever, extra_time: Duration::MAX, ..few(500) };
    for threads in [1, 2] {
        engine.set_params(&small().with("threads", threads).expect("in range")).expect("they fit");
        assert_eq!(engine.analyze(&limits).ending, Some(Ending::Limit));
    }
    let limits = Limits { playouts: Some(u64::MAX), time: Some(Duration::ZERO), ..limits };
    assert!(engine.analyze(&Limits { extra_time: Duration::ZERO, ..limits }).best.is_some());
}

#[test]
fn engines_begin_at_any_position() {
    let mut position = board(4);
    for name in ["a1", "d4", "a2", "d5", "a3", "e5"] {
        position.play(cell(name)).expect("legal");
    }
    let mut engine = Engine::at(&position, &small()).expect("an engine");
    let report = engine.analyze(&few(100));
    assert_eq!((report.best, report.proven), (Some(cell("a4")), Some(Proven::Win)));
    position.play(cell("a4")).expect("legal");
    let mut over = Engine::at(&position, &small()).expect("an engine");
    assert_eq!(over.play(cell("b1")), Err(PlayError::GameOver));
    assert_eq!(over.analyze(&Limits::default()).proven, Some(Proven::Loss));
}

#[test]
fn records_and_engines_agree() {
    let mut engine = Engine::new(5, &small()).expect("an engine");
    engine.play(cell("b2")).expect("legal");
    assert!(engine.swap());
    engine.play(cell("e5")).expect("legal");
    assert!(engine.resign() && !engine.resign());
    assert_eq!(engine.play(cell("e6")), Err(PlayError::GameOver));
    for notation in [Notation::Letternum, Notation::LittleGolem] {
        let text = engine.record(notation).to_sgf();
        let collection = records::read(&text).expect("it was written");
        let record = Record::from_tree(&collection.trees()[0]).expect("a record");
        let again = Engine::replay(&record, usize::MAX, &small()).expect("a legal game");
        assert_eq!(again.board(), engine.board());
        assert_eq!(again.resigned(), engine.resigned());
        assert_eq!(again.turns().collect::<Vec<_>>(), engine.turns().collect::<Vec<_>>());
        assert_eq!(again.record(notation), record);
        let first = Engine::replay(&record, 1, &small()).expect("a legal game");
        assert_eq!(first.board().stone_count(), 1);
    }
    let resigned = engine.resigned();
    assert!(resigned.is_some() && engine.undo() && engine.resigned().is_none());
}

#[test]
fn records_that_cannot_be_played_are_refused() {
    let record = |size: usize, cells: &[&str]| {
        let mut record = Record::new(size, Notation::Letternum);
        for (at, name) in cells.iter().enumerate() {
            let action = Action::Place(name.to_string());
            record.turns.push(records::Turn { side: Colour::BOTH[at % 2], action, comment: None });
        }
        record
    };
    let replay = |record: &Record| Engine::replay(record, usize::MAX, &small()).err();
    assert_eq!(replay(&record(4, &["a1", "d4"])), None);
    assert_eq!(replay(&record(40, &["a1"])), Some(SetupError::NoSuchSize(40)));
    for (cells, turn) in [(&["a1", "a1"][..], 2), (&["a9"], 1), (&["a1", "]\n("], 2)] {
        let error = replay(&record(4, cells));
        assert!(
            matches!(&error, Some(SetupError::Replay(error)) if error.turn == turn),
            "{error:?}"
        );
    }
}

#[test]
fn sessions_answer_any_line() {
    let mut session = GtpSession::new(4, &small(), &few(50)).expect("a session");
    for line in ["", "# nothing", "\u{0}", "   "] {
        assert_eq!(session.answer(line), None, "{line:?}");
    }
    for line in ["play white q9", "boardsize 11", "nonsense", "loadsgf /etc/hosts", "set_option x"]
    {
        let answer = session.answer(line).expect("a command");
        assert!(answer.starts_with("? ") && answer.ends_with("\n\n"), "{line}: {answer:?}");
    }
    let first = session.answer("genmove white").expect("a move");
    assert!(first.starts_with("= ") && first.trim_end().len() > 3, "{first:?}");
    assert_eq!(session.answer("7 quit").as_deref(), Some("=7\n\n"));
}

#[test]
fn games_of_tron_end() {
    let params =
        Params::preset("laschet").and_then(|params| params.with("memory", 1)).expect("one");
    let map: TronMap = "4 2\n1   \n   2\n".parse().expect("a map");
    let mut engine = TronEngine::new(&map, &params).expect("an engine");
    assert_eq!(engine.map(), map);
    for side in [TronSide::One, TronSide::Two] {
        let report = engine.choose(side, &few(100));
        assert!((0.0..=1.0).contains(&report.value) && report.playouts <= 200, "{report:?}");
    }
    engine.play(Direction::East, Direction::East);
    assert_eq!(engine.result(), Some(TronResult::Won(TronSide::One)), "into the rim");
    let after = engine.map();
    engine.play(Direction::East, Direction::West);
    assert_eq!(engine.map(), after, "it is over");
    engine.choose(TronSide::Two, &Limits::default());
    for (text, result) in [
        ("3 1\n1#2\n", TronResult::Draw),
        ("3 1\n#12\n", TronResult::Draw),
        ("4 1\n1#2 \n", TronResult::Won(TronSide::Two)),
    ] {
        let map: TronMap = text.parse().expect("a map");
        assert_eq!(TronEngine::new(&map, &params).map(|engine| engine.result()), Ok(Some(result)));
    }
}
