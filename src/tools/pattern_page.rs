//! Weights of local patterns as an HTML page, with the figures of the thesis (Stankiewicz 2011).
//!
//! The page is one file and loads nothing.

use plotters::prelude::*;

use super::page::{chart, head, plot};
use crate::havannah::patterns::Pattern;
use crate::havannah::weights::{PatternWeights, Turns};

/// The number of classes in the last plot (figure 4.2 of the thesis).
const MOST_FREQUENT: usize = 50;

/// The weights as a page: figures 3.5, 4.1 and 4.2 of the thesis.
pub fn pattern_weights(weights: &PatternWeights) -> String {
    let classes: Vec<(Pattern, Turns)> = weights.classes().collect();
    let weight = |turns: &Turns| turns.weight().unwrap_or_default();
    let all = classes.iter().map(|(_, turns)| weight(turns)).collect::<Vec<_>>();
    let frequencies = classes.iter().map(|(_, turns)| turns.available as f64).collect::<Vec<_>>();
    let mut by_frequency = classes.clone();
    by_frequency.sort_by_key(|(_, turns)| std::cmp::Reverse(turns.available));
    let frequent = by_frequency.iter().take(MOST_FREQUENT);
    let frequent = frequent.map(|(_, turns)| weight(turns)).collect::<Vec<_>>();

    let mut text = head("Weights of local patterns");
    let mut add = |part: String| text.push_str(&part);
    add(format!("<p>Base {}, {} classes.</p>\n<table>\n", weights.base, classes.len()));
    for (name, value) in &weights.origin {
        add(format!("<tr><td>{}</td><td>{}</td></tr>\n", name.replace('_', " "), value));
    }
    add("</table>\n".to_string());
    add(bars("Weight of each class (as figure 3.5)", "class", &all));
    add(bars("Turns at which each class was available (as figure 4.1)", "class", &frequencies));
    let title = format!("Weights of the {MOST_FREQUENT} most frequent classes (as figure 4.2)");
    add(bars(&title, "class, most frequent first", &frequent));
    add("</body>\n</html>\n".to_string());
    text
}

fn bars(title: &str, axis: &str, values: &[f64]) -> String {
    let highest = values.iter().copied().fold(0.0, f64::max).max(1e-9);
    plot(|area| {
        let mut chart = chart(area, title, 40, 60)
            .build_cartesian_2d(0.0..values.len() as f64, 0.0..highest * 1.05)
            .expect("the ranges are finite");
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_desc(axis)
            .x_label_formatter(&|at| format!("{at:.0}"))
            .draw()
            .expect("text takes everything");
        let bar = |(at, value): (usize, &f64)| {
            let corners = [(at as f64, 0.0), (at as f64 + 0.9, *value)];
            Rectangle::new(corners, RGBColor(31, 119, 180).filled())
        };
        chart.draw_series(values.iter().enumerate().map(bar)).expect("text takes everything");
    })
}
