//! Round robins, experiments and sweeps as HTML pages and SVG plots. A page is one file and loads
//! nothing.

use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;

use crate::experiments::report::{self, ExperimentReport};
use crate::experiments::sweep::Point;
use crate::matches::game_result::{End, GameResult, PlayerSide};
use crate::matches::round_robin::{Meeting, RoundRobin};
use crate::matches::standing::Standing;
use crate::matches::statistics::Tally;

const SIZE: (u32, u32) = (720, 360);
const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(255, 127, 14),
    RGBColor(44, 160, 44),
    RGBColor(214, 39, 40),
    RGBColor(148, 103, 189),
    RGBColor(140, 86, 75),
];

/// The drawing area of a plot.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// Text escaped for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The beginning of a page.
pub(super) fn head(title: &str) -> String {
    const STYLE: &str = "body{font-family:sans-serif;max-width:60em;margin:2em auto;color:#222}\
        table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.3em .6em;\
        text-align:right}th:first-child,td:first-child{text-align:left}svg{margin:1em 0}";
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

/// The page of a round robin: the crosstable and plots.
pub fn round_robin(robin: &RoundRobin) -> String {
    let settings = &robin.settings;
    let games: usize = robin.meetings.iter().map(|meeting| meeting.games.len()).sum();
    let mut text = head("Round robin");
    let mut add = |part: &str| text.push_str(part);
    add(&format!(
        "<p>On {}, {}, {games} games, {} random opening plies, seed {}.</p>\n",
        escaped(&settings.place()),
        escaped(&settings.limit_a.to_string()),
        settings.opening_random,
        settings.seed
    ));
    add(&crosstable(robin));
    for plot in [ratings(robin), scores(robin), win_kinds(robin), lengths(robin)] {
        add(&plot);
        add("\n");
    }
    add("</body>\n</html>\n");
    text
}

fn crosstable(robin: &RoundRobin) -> String {
    let (order, table) = (robin.order(), robin.table());
    let mut text = String::from("<h2>Crosstable</h2>\n<table>\n<tr><th>player</th><th>Elo</th>");
    let mut add = |part: String| text.push_str(&part);
    for number in 1..=order.len() {
        add(format!("<th>{number}</th>"));
    }
    add("<th>all</th></tr>\n".to_string());
    for (number, player) in order.iter().enumerate() {
        let rating = robin.ratings[*player];
        let name = escaped(&robin.players[*player]);
        add(format!("<tr><td>{}. {name}</td>", number + 1));
        add(format!("<td>{:+.0} &plusmn; {:.0}</td>", rating.elo, rating.error));
        for other in &order {
            let tally = table[*player][*other];
            add(if tally.games() == 0 {
                "<td>&ndash;</td>".to_string()
            } else {
                let Tally { wins, draws, losses } = tally;
                format!(
                    "<td title=\"+{wins} ={draws} -{losses}\">{:.1}%</td>",
                    100.0 * tally.rate()
                )
            });
        }
        let all = table[*player].iter().fold(Tally::default(), |sum, tally| sum.and(*tally));
        add(format!("<td>{:.1} of {}</td></tr>\n", all.points(), all.games()));
    }
    add("</table>\n".to_string());
    text
}

/// Draws a plot as SVG. The backend is a string, so that no call can fail.
pub(super) fn plot(draw: impl FnOnce(&Area<'_>)) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE).expect("text takes everything");
        draw(&area);
        area.present().expect("text takes everything");
    }
    text
}

/// A chart with a title, and `below` and `left` pixels for the labels.
pub(super) fn chart<'a, 'b>(
    area: &'a Area<'b>,
    title: &str,
    below: u32,
    left: u32,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(area);
    chart.caption(title, ("sans-serif", 18)).margin(10);
    chart.x_label_area_size(below).y_label_area_size(left);
    chart
}

fn draw_legend<'a, 'b: 'a, CT: CoordTranslate>(chart: &mut ChartContext<'a, SVGBackend<'b>, CT>) {
    let mut labels = chart.configure_series_labels();
    labels.background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3));
    labels.draw().expect("text takes everything");
}

fn ratings(robin: &RoundRobin) -> String {
    let order = robin.order();
    let ends = robin.ratings.iter().flat_map(|rating| {
        let error = if rating.error.is_finite() { rating.error } else { 0.0 };
        [rating.elo - error, rating.elo + error]
    });
    let (low, high) =
        ends.fold((-10.0_f64, 10.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    plot(|area| {
        let mut chart = chart(area, "Elo, with 95 % intervals", 30, 220)
            .build_cartesian_2d(
                low * 1.1..high * 1.1,
                (0..order.len().saturating_sub(1)).into_segmented(),
            )
            .expect("the ranges are finite");
        let name = |at: &SegmentValue<usize>| match at {
            SegmentValue::CenterOf(row) => {
                let player = order[order.len() - 1 - row.min(&(order.len() - 1))];
                robin.players[player].chars().take(32).collect()
            }
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(order.len())
            .y_label_formatter(&name)
            .draw()
            .expect("text takes everything");
        let bars = order.iter().enumerate().map(|(place, player)| {
            let (rating, row) = (robin.ratings[*player], order.len() - 1 - place);
            let (begin, end) = (SegmentValue::Exact(row), SegmentValue::Exact(row + 1));
            let mut bar = Rectangle::new(
                [(0.0, begin), (rating.elo, end)],
                colour(*player).mix(0.6).filled(),
            );
            bar.set_margin(6, 6, 0, 0);
            bar
        });
        chart.draw_series(bars).expect("text takes everything");
        let whiskers = order.iter().enumerate().map(|(place, player)| {
            let (rating, row) = (robin.ratings[*player], order.len() - 1 - place);
            let error = if rating.error.is_finite() { rating.error } else { 0.0 };
            let middle = SegmentValue::CenterOf(row);
            let ends = [(rating.elo - error, middle.clone()), (rating.elo + error, middle)];
            PathElement::new(ends.to_vec(), BLACK.stroke_width(2))
        });
        chart.draw_series(whiskers).expect("text takes everything");
    })
}

/// The points of one of the players in a game.
fn points(game: &GameResult, seat: PlayerSide) -> f64 {
    match game.winner {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == seat)),
    }
}

/// The score of each player after each game.
fn scores(robin: &RoundRobin) -> String {
    let line = |player: usize| -> Vec<(f64, f64)> {
        let games = robin.meetings.iter().flat_map(|Meeting { a, b, games, .. }| {
            let seat = [(*a, PlayerSide::A), (*b, PlayerSide::B)]
                .into_iter()
                .find(|(who, _)| *who == player);
            let seat = seat.map(|(_, seat)| seat);
            games.iter().filter_map(move |game| seat.map(|seat| points(game, seat)))
        });
        let mut sum = 0.0;
        let rates = games.enumerate().map(|(index, points)| {
            sum += points;
            let played = (index + 1) as f64;
            (played, sum / played)
        });
        rates.collect()
    };
    let lines: Vec<Vec<(f64, f64)>> = (0..robin.players.len()).map(line).collect();
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0).max(1) as f64;
    plot(|area| {
        let mut chart = chart(area, "Score so far", 40, 50)
            .build_cartesian_2d(0.0..longest, 0.0..1.0)
            .expect("the ranges are finite");
        chart
            .configure_mesh()
            .x_desc("games")
            .y_label_formatter(&|rate| format!("{:.0}%", 100.0 * rate))
            .draw()
            .expect("text takes everything");
        for (player, line) in lines.into_iter().enumerate() {
            let drawn = chart.draw_series(LineSeries::new(line, colour(player).stroke_width(2)));
            drawn
                .expect("text takes everything")
                .label(robin.players[player].chars().take(32).collect::<String>())
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 16, y)], colour(player).stroke_width(2))
                });
        }
        draw_legend(&mut chart);
    })
}

/// The number of wins by kind, for each colour.
fn win_kinds(robin: &RoundRobin) -> String {
    const KINDS: [&str; 4] = ["ring", "bridge", "fork", "other"];
    let mut counts = [[0_usize; 4]; 2];
    for game in robin.meetings.iter().flat_map(|meeting| &meeting.games) {
        let Some(winner) = game.winner else {
            continue;
        };
        let kind = match game.end {
            End::Ring => 0,
            End::Bridge => 1,
            End::Fork => 2,
            _ => 3,
        };
        counts[usize::from(winner != game.white)][kind] += 1;
    }
    let most = counts.iter().flatten().max().copied().unwrap_or(0).max(1);
    plot(|area| {
        let mut chart = chart(area, "Wins by kind and colour", 30, 50)
            .build_cartesian_2d(0.0..4.0, 0..most + most / 10 + 1)
            .expect("the ranges are finite");
        let name = |at: &f64| {
            KINDS.get(at.floor() as usize).map_or(String::new(), |kind| kind.to_string())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(5)
            .x_label_offset(80)
            .x_label_formatter(&name)
            .draw()
            .expect("text takes everything");
        for (side, name) in ["White", "Black"].into_iter().enumerate() {
            let style = if side == 0 { RGBColor(190, 190, 190) } else { RGBColor(60, 60, 60) };
            let bars = counts[side].iter().enumerate().map(|(kind, count)| {
                let left = kind as f64 + 0.15 + 0.35 * side as f64;
                Rectangle::new([(left, 0), (left + 0.33, *count)], style.filled())
            });
            chart.draw_series(bars).expect("text takes everything").label(name).legend(
                move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], style.filled()),
            );
        }
        draw_legend(&mut chart);
    })
}

/// A histogram of the game lengths.
fn lengths(robin: &RoundRobin) -> String {
    let lengths: Vec<u32> = robin
        .meetings
        .iter()
        .flat_map(|meeting| &meeting.games)
        .map(|game| game.moves.len() as u32)
        .collect();
    let longest = lengths.iter().max().copied().unwrap_or(0);
    let width = longest / 40 + 1;
    let mut bins = vec![0_u32; (longest / width + 1) as usize];
    lengths.iter().for_each(|length| bins[(length / width) as usize] += 1);
    let most = bins.iter().max().copied().unwrap_or(0).max(1);
    plot(|area| {
        let mut chart = chart(area, "Game length in plies", 30, 50)
            .build_cartesian_2d(0..(longest / width + 1) * width, 0..most + most / 10 + 1)
            .expect("the ranges are finite");
        chart.configure_mesh().disable_x_mesh().draw().expect("text takes everything");
        let bars = bins.iter().enumerate().map(|(index, count)| {
            let left = index as u32 * width;
            Rectangle::new([(left, 0), (left + width, *count)], colour(0).mix(0.7).filled())
        });
        chart.draw_series(bars).expect("text takes everything");
    })
}

/// A name, a rate in per cent and its interval. Some sources give only the interval.
struct Estimate {
    name: String,
    rate: Option<f64>,
    low: f64,
    high: f64,
}

/// Plots rates with their intervals side by side, one mark per series.
fn estimates(title: &str, series: &[(&str, Vec<Estimate>)]) -> String {
    let count = series.iter().map(|(_, estimates)| estimates.len()).max().unwrap_or(0).max(1);
    plot(|area| {
        let mut chart = chart(area, title, 40, 50)
            .build_cartesian_2d(0.0..count as f64, 0.0..100.0)
            .expect("the ranges are finite");
        let name = |at: &f64| {
            let names = series.first().map(|(_, estimates)| estimates);
            let found = names.and_then(|estimates| estimates.get(at.floor() as usize));
            found.map_or(String::new(), |estimate| estimate.name.chars().take(16).collect())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(count + 1)
            .x_label_offset(300 / count as i32)
            .x_label_formatter(&name)
            .y_desc("win rate, %")
            .draw()
            .expect("text takes everything");
        let even = PathElement::new([(0.0, 50.0), (count as f64, 50.0)], BLACK.mix(0.5));
        chart.draw_series([even]).expect("text takes everything");
        for (number, (label, estimates)) in series.iter().enumerate() {
            let style = colour(number);
            let at = move |index: usize| index as f64 + 0.4 + 0.2 * number as f64;
            let whiskers = estimates.iter().enumerate().map(|(index, estimate)| {
                let ends = [(at(index), estimate.low), (at(index), estimate.high)];
                PathElement::new(ends, style.stroke_width(2))
            });
            chart.draw_series(whiskers).expect("text takes everything");
            let marks = estimates.iter().enumerate().filter_map(|(index, estimate)| {
                Some(Circle::new((at(index), estimate.rate?), 4, style.filled()))
            });
            chart
                .draw_series(marks)
                .expect("text takes everything")
                .label(*label)
                .legend(move |(x, y)| Circle::new((x + 8, y), 4, style.filled()));
        }
        draw_legend(&mut chart);
    })
}

fn estimate(name: &str, standing: &Standing) -> Estimate {
    Estimate {
        name: name.to_string(),
        rate: Some(100.0 * standing.win_rate),
        low: 100.0 * standing.ci_low,
        high: 100.0 * standing.ci_high,
    }
}

/// A sweep as an SVG plot.
pub fn sweep(parameter: &str, points: &[Point]) -> String {
    let points = points.iter().map(|point| estimate(&point.value, &point.standing)).collect();
    estimates(&format!("win rate by {parameter}"), &[("95 % interval", points)])
}

/// The page of the experiments.
pub fn experiments(chapters: &[ExperimentReport]) -> String {
    let mut text = head("Experiments");
    for ExperimentReport { experiment, lines } in chapters {
        let title = format!("{}: {}", experiment.id, experiment.source);
        text.push_str(&format!("<h2>{}</h2>\n", escaped(&title)));
        text.push_str(&format!("<p>{}</p>\n<table>\n<tr>", escaped(&experiment.about)));
        text.push_str(&report::HEADS.map(|head| format!("<th>{head}</th>")).concat());
        text.push_str("</tr>\n");
        for line in lines {
            let cells = report::cells(experiment, line).unwrap_or_default();
            let cells: String =
                cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
            text.push_str(&format!("<tr>{cells}</tr>\n"));
        }
        text.push_str("</table>\n");
        let played = || lines.iter().filter_map(|line| Some((&line.row, line.outcome.as_ref()?)));
        let papers = played().map(|(row, _)| {
            let figure = experiment.figure(row);
            let (low, high) = figure.interval();
            Estimate { name: row.name.clone(), rate: figure.rate(), low, high }
        });
        let ours = played().map(|(row, outcome)| estimate(&row.name, &outcome.standing));
        let series = [("paper", papers.collect()), ("ours", ours.collect())];
        text.push_str(&estimates(&experiment.id, &series));
        text.push('\n');
    }
    text.push_str("</body>\n</html>\n");
    text
}
