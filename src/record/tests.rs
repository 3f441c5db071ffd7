//! Game records: what is parsed, what is refused with which error, and that nothing is lost.

use super::game_tree::GameTree;
use super::sgf::{Collection, MAX_BYTES, read};
use super::{Action, Record, RecordError};
use crate::havannah::{Colour, Notation};

/// As written by Little Golem.
const LITTLE_GOLEM: &str = "(;FF[4]EV[havannah.mc.2010.aug.1.1]PB[someone]PW[other]SZ[8]RE[B]\
    GC[ game #1]SO[http://www.littlegolem.com];W[E4];B[swap];W[F6];B[resign])";

/// As written by HavannahGui, with variations.
const VARIATIONS: &str = "(;FF[4]GM[Havannah]SZ[8]PW[x]PB[y]\n;W[c3]\n;B[j6]\n\
    (;W[d4]C[a good one];B[e5])\n(;W[f6](;B[g7])(;B[h8];W[a1]))\n)\n";

/// Parses a text, and checks that it is parsed to the same trees after being written.
fn reads(text: &str) -> Collection {
    let collection = read(text).unwrap_or_else(|error| panic!("{text:.80}: {error}"));
    let written = collection.write();
    assert_eq!(read(&written).as_ref(), Ok(&collection), "{text:.80}");
    assert!(written.len() <= text.len(), "{text:.80} has grown");
    collection
}

fn tree(text: &str) -> GameTree {
    reads(text).trees()[0].clone()
}

fn record(text: &str) -> Record {
    Record::from_tree(&tree(text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    Record::from_tree(&tree(text)).expect_err(text).to_string()
}

fn sgf_error(text: &str) -> String {
    let message = read(text).expect_err(text).to_string();
    assert!(!message.contains(char::is_control), "{message:?} is on one line");
    message
}

/// The turns in short form: side, action, comment.
fn summary(record: &Record) -> String {
    let turns = record.turns.iter().map(|turn| {
        let comment = turn.comment.as_ref().map_or(String::new(), |text| format!("({text})"));
        format!("{}:{}{comment}", super::turn_property(turn.side), turn.action.text())
    });
    turns.collect::<Vec<_>>().join(" ")
}

#[test]
fn texts_are_written_in_one_form() {
    let cases = [
        ("(;)", "(;)"),
        (";) x (;W[a1])", "(;W[a1])"),
        ("\u{feff}(;W[a1])", "(;W[a1])"),
        ("Date: Tue (MET)\nTo: (you)\n\n ( ; W [a1]\r\n\t[b2] ) \n", "(;W[a1][b2])"),
        ("(;White[c3]CoPyright[x])", "(;W[c3]CP[x])"),
        ("(;XYZ[][][1]W[a]W[b])", "(;XYZ[][][1]W[a]W[b])"),
        ("(;A[1](;B[2](;C[3])))", "(;A[1];B[2];C[3])"),
        ("(;(;A[1])(;(;B[2])(;C[3];)))", "(;(;A[1])(;(;B[2])(;C[3];)))"),
        ("(;A[1]) (;B[2])\n\n(;C[3])", "(;A[1])(;B[2])(;C[3])"),
        ("(;C[(;W[x\\])])", "(;C[(;W[x\\])])"),
        (
            "(;LB[a1:x\\:y]C[\r\n\\\r\n \u{0}\u{7}é🌀])",
            "(;LB[a1:x\\:y]C[\r\n\\\r\n \u{0}\u{7}é🌀])",
        ),
    ];
    for (text, written) in cases {
        assert_eq!(reads(text).write(), written, "{text}");
    }
}

#[test]
fn escapes_stand_for_plain_text() {
    let cases = [
        (r"", ""),
        (r"a\]b\\", r"a]b\"),
        (r"\\\]\:\a:", r"\]:a:"),
        ("one\\\ntwo\\\r\nthree\\\rfour\\\n\rfive", "onetwothreefourfive"),
        ("one\\\n\ntwo\\\r\rthree", "one\ntwo\rthree"),
        ("one\\\\\ntwo\r\nthree", "one\\\ntwo\r\nthree"),
        ("\\é\\🌀\t\u{0}", "é🌀\t\u{0}"),
    ];
    for (value, text) in cases {
        let tree = tree(&format!("(;C[{value}]W[{value}])"));
        let values = tree.properties(tree.root()).iter().flat_map(|property| property.values());
        assert_eq!(values.collect::<Vec<_>>(), [text, text], "{value:?}");
        let mut made = GameTree::default();
        made.put("C", [text]);
        let made = Collection::from(made);
        assert_eq!(read(&made.write()), Ok(made), "{text:?}");
    }
}

#[test]
fn broken_texts_are_refused_where_they_break() {
    let here = "']' for the value that begins here, found the end of the text";
    let inside = "a property, ';', '(' or ')', found";
    let cases = [
        ("", "1, column 1: expected '(' of a game tree, found the end of the text".to_string()),
        ("no game", "1, column 8: expected '(' of a game tree, found the end of the text".into()),
        ("x\n (W[a1])", "2, column 3: expected ';' of the first node, found 'W'".into()),
        ("((((", "1, column 2: expected ';' of the first node, found '('".into()),
        ("(;", format!("1, column 3: expected {inside} the end of the text")),
        ("(;W[a1]\r\n;é", format!("2, column 2: expected {inside} 'é'")),
        ("(;\r\r\n\n]", format!("4, column 1: expected {inside} ']'")),
        ("(;C[éé]\u{0})", format!("1, column 8: expected {inside} '\\0'")),
        ("\u{feff}(;1[x])", format!("1, column 3: expected {inside} '1'")),
        ("(;W)", "1, column 4: expected '[' of a value, found ')'".into()),
        ("(;W B[a1])", "1, column 5: expected '[' of a value, found 'B'".into()),
        ("(;white[c3])", "1, column 3: expected a property name with a capital, found 'w'".into()),
        ("(;W[a1)", format!("1, column 5: expected {here}")),
        ("(;\nW[a1][b\\]", format!("2, column 7: expected {here}")),
        ("(;C[\\", format!("1, column 5: expected {here}")),
        ("(;(W[a1]))", "1, column 4: expected ';' of the first node, found 'W'".into()),
        ("(;(;);W[a1])", "1, column 6: expected '(' or ')' after a variation, found ';'".into()),
        ("(;(;)W[a1])", "1, column 6: expected '(' or ')' after a variation, found 'W'".into()),
        ("(;))", "1, column 4: expected '(' of a game tree, found ')'".into()),
        ("(;)\nend", "2, column 1: expected '(' of a game tree, found 'e'".into()),
    ];
    for (text, message) in cases {
        assert_eq!(sgf_error(text), format!("line {message}"), "{text:?}");
    }
}

#[test]
fn every_beginning_of_a_text_is_refused_or_reads() {
    for text in [LITTLE_GOLEM, VARIATIONS, "(;C[\\]\\\r\né\\\\](;W[a])(;B[🌀]))"] {
        let text = text.trim_end();
        for (end, _) in text.char_indices() {
            sgf_error(&text[..end]);
        }
        reads(text);
    }
}

#[test]
fn depth_and_breadth_cost_no_stack() {
    let many = 200_000;
    let deep = format!("{}{}", "(;W[a1]".repeat(many), ")".repeat(many));
    assert_eq!(tree(&deep).line(&[]).map(|line| line.len()), Some(many));
    let forked = format!("(;{}{}", "(;)(;".repeat(many), ")".repeat(many + 1));
    assert_eq!(tree(&forked).line(&vec![1; many]).map(|line| line.len()), Some(many + 1));
    let broad = tree(&format!("(;{})", "(;W[a1])".repeat(100_000)));
    assert_eq!(broad.children(broad.root()).count(), 100_000);
    assert!(broad.line(&[99_999]).is_some() && broad.line(&[100_000]).is_none());
    assert_eq!(reads(&"(;)".repeat(many)).trees().len(), many);
    let long = tree(&format!("(;{}AB{})", "A[]".repeat(many), "[a1]".repeat(many)));
    assert_eq!(long.values(long.root(), "AB").count(), many);
    for start in ["(", "(;", "( ", ";", "[", "\\", "A[", "(;A[\\"] {
        sgf_error(&start.repeat(1_000_000));
    }
}

#[test]
fn texts_have_a_longest_length() {
    let longest = format!("(;C[{}])", "x".repeat(MAX_BYTES - 6));
    reads(&longest);
    let message = format!("a text of {} bytes is too long (at most 16777216)", MAX_BYTES + 1);
    assert_eq!(sgf_error(&(longest + " ")), message);
}

#[test]
fn equal_trees_have_equal_forms() {
    let mut broad_first = GameTree::default();
    let root = broad_first.root();
    let [left, right] = [(); 2].map(|()| broad_first.add(root));
    for (parent, cell) in [(right, "b2"), (left, "a1")] {
        broad_first.add(parent);
        broad_first.put("W", [cell]);
    }
    assert_eq!(broad_first, tree("(;(;;W[a1])(;;W[b2]))"));
    let texts = ["(;(;)(;;))", "(;(;;)(;))", "(;;(;)(;))", "(;;;)", "(;;;;)", "(;(;)(;)(;))"];
    let trees = texts.map(tree);
    for (index, tree) in trees.iter().enumerate() {
        assert_eq!(trees.iter().position(|other| other == tree), Some(index));
    }
}

#[test]
fn random_collections_survive() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize % below
    };
    const LETTERS: [char; 16] = [
        '\\', ']', '[', '(', ')', ';', ':', '\n', '\r', ' ', '\t', '\0', 'a', 'Z', 'é', '\u{feff}',
    ];
    const NAMES: [&str; 6] = ["W", "B", "C", "AB", "UNKNOWN", "Z"];
    for _ in 0..2_000 {
        let mut games = (0..1 + draw(3)).map(|_| {
            let mut tree = GameTree::default();
            let mut nodes = vec![tree.root()];
            for _ in 0..draw(12) {
                for _ in 0..draw(3) {
                    let values = (0..draw(4)).map(|_| {
                        (0..draw(6)).map(|_| LETTERS[draw(LETTERS.len())]).collect::<String>()
                    });
                    let values: Vec<_> = values.collect();
                    tree.put(NAMES[draw(NAMES.len())], &values);
                    let newest = nodes[nodes.len() - 1];
                    let kept = tree.properties(newest).last().map(|last| last.values().collect());
                    assert!(values.is_empty() || kept == Some(values));
                }
                nodes.push(tree.add(nodes[draw(nodes.len())]));
            }
            tree
        });
        let mut collection = Collection::from(games.next().unwrap_or_default());
        games.for_each(|game| collection.push(game));
        let text = collection.write();
        assert_eq!(reads(&text), collection);
        assert_eq!(reads(&text).write(), text);
        // A damaged text is refused or parsed. It never makes the reader or the writer panic.
        let mut letters: Vec<char> = text.chars().collect();
        let at = draw(letters.len());
        letters[at] = LETTERS[draw(LETTERS.len())];
        let damaged: String = letters.into_iter().collect();
        if read(&damaged).is_ok() {
            reads(&damaged);
        }
    }
}

#[test]
fn little_golem_games_are_read() {
    let record = record(LITTLE_GOLEM);
    assert_eq!((record.size, record.coordinates), (8, Notation::LittleGolem));
    assert_eq!(record.white.as_deref(), Some("other"));
    assert_eq!(record.black.as_deref(), Some("someone"));
    assert_eq!(record.event.as_deref(), Some("havannah.mc.2010.aug.1.1"));
    assert_eq!(record.result.as_deref(), Some("B"));
    assert_eq!((&record.date, &record.comment), (&None, &None));
    assert_eq!(summary(&record), "W:E4 B:swap W:F6 B:resign");
    assert_eq!(record.turns[1].action, Action::Swap);
    assert_eq!(record.turns[3].action, Action::Resign);
}

#[test]
fn variations_are_followed() {
    let tree = tree(VARIATIONS);
    let cases: [(&[usize], Result<&str, &str>); 8] = [
        (&[], Ok("W:c3 B:j6 W:d4(a good one) B:e5")),
        (&[0], Ok("W:c3 B:j6 W:d4(a good one) B:e5")),
        (&[1], Ok("W:c3 B:j6 W:f6 B:g7")),
        (&[1, 1], Ok("W:c3 B:j6 W:f6 B:h8 W:a1")),
        (&[2], Err("there is no variation [2]")),
        (&[0, 0], Err("there is no variation [0, 0]")),
        (&[1, 2], Err("there is no variation [1, 2]")),
        (&[usize::MAX], Err("there is no variation [18446744073709551615]")),
    ];
    for (choices, expected) in cases {
        let line = Record::along(&tree, choices).map(|record| summary(&record));
        let line = line.map_err(|error| error.to_string());
        assert_eq!(line, expected.map(String::from).map_err(String::from), "{choices:?}");
    }
}

#[test]
fn properties_of_the_game_are_read() {
    let littlegolem = |text| record(text).coordinates == Notation::LittleGolem;
    assert!(littlegolem("(;SZ[4]RU[lg])") && littlegolem("(;SZ[4]SO[x][www.LittleGolem.net])"));
    assert!(!littlegolem("(;SZ[4])") && !littlegolem("(;SZ[4]RU[LGX]SO[elsewhere])"));
    for game in ["", "GM[Havannah]", "GM[havannah]", "GM[ HAVANNAH ]", "GM[4100]"] {
        assert_eq!(record(&format!("(;{game}SZ[ 10 ])")).size, 10, "{game}");
    }
    let game = record("(;SZ[2]C[all]DT[2010-08]W[ a1 ];N[x];B[SWAP]C[so\\];];White[];B[Resign])");
    assert_eq!(summary(&game), "W:a1 B:swap(so];) W: B:resign");
    assert_eq!(game.comment.as_deref(), Some("all"));
    assert_eq!(game.date.as_deref(), Some("2010-08"));
}

#[test]
fn other_games_are_refused() {
    let cases = [
        ("(;GM[1]SZ[8])", "GM[1] is another game than Havannah"),
        ("(;GM[He\nx]SZ[8])", "GM[He\\nx] is another game than Havannah"),
        ("(;GM[Havannah])", "the board size SZ is missing (2 to 10)"),
        ("(;;SZ[8])", "the board size SZ is missing (2 to 10)"),
        ("(;SZ[])", "'' is no board size (2 to 10)"),
        ("(;SZ[1])", "'1' is no board size (2 to 10)"),
        ("(;SZ[11])", "'11' is no board size (2 to 10)"),
        ("(;SZ[-8])", "'-8' is no board size (2 to 10)"),
        ("(;SZ[8:8])", "'8:8' is no board size (2 to 10)"),
        ("(;SZ[8]AW[a1][a1:c3])", "'a1:c3': rectangles of stones are not supported"),
        ("(;SZ[8];W[a1];AB[b2])", "AB after turn 1: stones are set up in the first node only"),
        ("(;SZ[8];AE[b2])", "AE after turn 0: stones are set up in the first node only"),
        ("(;SZ[8];W[a1];W[b2]B[c3])", "two turns in one node after turn 1"),
        ("(;SZ[8];W[a1][b2])", "two turns in one node after turn 0"),
    ];
    for (text, message) in cases {
        assert_eq!(refused(text), message, "{text}");
    }
    let endless = RecordError::BadSize("9".repeat(1_000_000)).to_string();
    assert_eq!(endless, format!("'{}...' is no board size (2 to 10)", "9".repeat(40)));
}

#[test]
fn records_survive() {
    let mut game = record("(;SZ[5]AB[e5]AW[ a1 ][b2]RU[LG];B[c3]C[one];W[swap];B[d4])");
    let stones = [(Colour::White, "a1"), (Colour::White, "b2"), (Colour::Black, "e5")];
    assert_eq!(game.setup, stones.map(|(side, cell)| (side, cell.to_string())));
    let odd = || Some("[odd] \\text;\r\n(é)\\".to_string());
    game.white = odd();
    game.comment = odd();
    game.turns[2].comment = odd();
    game.date = Some(String::new());
    assert_eq!(record(&game.to_sgf()), game);

    let game = record(LITTLE_GOLEM);
    assert_eq!(record(&game.to_sgf()), game);
    let mut game = record(VARIATIONS);
    game.black = Some("a]b".into());
    let written = "(;FF[4]GM[Havannah]SZ[8]CA[UTF-8]AP[Ciclon]PW[x]PB[a\\]b];W[c3];B[j6]\
        ;W[d4]C[a good one];B[e5])";
    assert_eq!(game.to_sgf(), written);
    let empty = Record::new(4, Notation::LittleGolem);
    assert_eq!(record(&empty.to_sgf()), empty);
}
