//! Our figures beside the papers'.

use std::fmt::Write as _;
use std::path::Path;

use super::catalogue::{Experiment, Row};
use super::figure::Figure;
use super::trial::{Outcome, found};
use crate::matches::game_spec::GameSpec;
use crate::matches::log::LogError;

/// A row with what was played of it.
pub struct Line {
    pub row: Row,
    pub outcome: Option<Outcome>,
}

/// An experiment with what was played of it.
pub struct ExperimentReport {
    pub experiment: Experiment,
    pub lines: Vec<Line>,
}

/// How ours stands to the paper's figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The intervals overlap.
    Agrees,
    /// They do not, but both players are better, or both worse, for certain.
    SameSign,
    /// One of the two tells nothing about who is better, and the intervals do not overlap.
    Unclear,
    Opposite,
}

impl Agreement {
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::SameSign => "same sign",
            Self::Unclear => "unclear",
            Self::Opposite => "opposite",
        }
    }

    /// From the paper's figure and from our interval, in per cent.
    pub fn new(paper: Figure, (low, high): (f64, f64)) -> Self {
        let (paper_low, paper_high) = paper.interval();
        let sign = |low: f64, high: f64| i32::from(low > 50.0) - i32::from(high < 50.0);
        if low <= paper_high && paper_low <= high {
            return Self::Agrees;
        }
        match sign(paper_low, paper_high) * sign(low, high) {
            1 => Self::SameSign,
            -1 => Self::Opposite,
            _ => Self::Unclear,
        }
    }
}

/// Everything that has a log in a folder.
pub fn chapters(
    folder: &Path,
    experiments: Vec<Experiment>,
) -> Result<Vec<ExperimentReport>, LogError> {
    let mut chapters = Vec::new();
    for experiment in experiments {
        let mut lines = Vec::new();
        for (number, row) in experiment.rows.iter().enumerate() {
            lines.push(Line { row: row.clone(), outcome: found(folder, &experiment, number)? });
        }
        if lines.iter().any(|line| line.outcome.is_some()) {
            chapters.push(ExperimentReport { experiment, lines });
        }
    }
    Ok(chapters)
}

/// The report as Markdown.
pub fn markdown(chapters: &[ExperimentReport]) -> String {
    let mut text = String::from("# Experiments\n");
    for ExperimentReport { experiment, lines } in chapters {
        let write = |text: &mut String, part: String| {
            text.push_str(&part);
            text.push('\n');
        };
        write(&mut text, format!("\n## {}: {}\n", experiment.id, experiment.source));
        write(&mut text, format!("{}\n", experiment.about));
        write(&mut text, format!("| {} |", HEADS.join(" | ")));
        write(&mut text, format!("| {} |", HEADS.map(|_| "---").join(" | ")));
        for line in lines {
            if let Some(cells) = cells(experiment, line) {
                write(&mut text, format!("| {} |", cells.join(" | ")));
            }
        }
    }
    text
}

/// What the columns are.
pub const HEADS: [&str; 9] = [
    "row",
    "base or maps",
    "limit",
    "paper, %",
    "ours, %",
    "games",
    "verdict",
    "playouts/s",
    "paper's playouts/s",
];

/// A row of the report; none if it was not played.
pub fn cells(experiment: &Experiment, Line { row, outcome }: &Line) -> Option<Vec<String>> {
    let Outcome { settings, standing, .. } = outcome.as_ref()?;
    let percent = |rate: f64| 100.0 * rate;
    let (low, high) = (percent(standing.ci_low), percent(standing.ci_high));
    let paper = experiment.figure(row);
    let agreement = Agreement::new(paper, (low, high));
    let mut limit = settings.limit_a.to_string();
    if settings.limit_b != settings.limit_a {
        write!(limit, ", B {}", settings.limit_b).expect("strings take everything");
    }
    let place = match &settings.game {
        GameSpec::Havannah => settings.size.to_string(),
        GameSpec::Tron { maps } => maps.iter().map(|map| map.name.as_str()).collect(),
    };
    let rate = |rate: Option<f64>| rate.map_or("-".to_string(), |rate| format!("{rate:.0}"));
    Some(vec![
        row.name.clone(),
        place,
        limit,
        paper.to_string(),
        format!("{:.1} ({low:.1} to {high:.1})", percent(standing.win_rate)),
        standing.games.to_string(),
        agreement.name().to_string(),
        rate(standing.playouts_per_second[0]),
        rate(experiment.paper_rate),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_agree_or_not() {
        let rate = |rate| Figure::Rate { rate, error: 3.0 };
        let range = |low, high| Figure::Range { low, high };
        for (paper, ours, expected) in [
            (rate(55.0), (50.0, 54.0), Agreement::Agrees),
            (rate(70.0), (55.0, 60.0), Agreement::SameSign),
            (rate(30.0), (40.0, 45.0), Agreement::SameSign),
            (rate(60.0), (40.0, 45.0), Agreement::Opposite),
            (rate(60.0), (45.0, 55.0), Agreement::Unclear),
            (range(70.0, 80.0), (65.0, 71.0), Agreement::Agrees),
            (range(70.0, 80.0), (72.0, 74.0), Agreement::Agrees),
            (range(70.0, 80.0), (55.0, 69.0), Agreement::SameSign),
            (range(80.0, 100.0), (40.0, 49.0), Agreement::Opposite),
            (range(80.0, 100.0), (45.0, 55.0), Agreement::Unclear),
            (range(0.0, 60.0), (61.0, 70.0), Agreement::Unclear),
        ] {
            assert_eq!(Agreement::new(paper, ours), expected, "{paper} {ours:?}");
        }
    }
}
