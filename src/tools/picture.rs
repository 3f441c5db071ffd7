//! A board as an SVG document, with the share of the visits of each cell.
//!
//! Nothing is written to a file here: that is up to `show`.

use std::sync::atomic::AtomicBool;

use svg::Document;
use svg::node::element::{Circle, Group, Polygon, Text, Title};

use super::drawing::last_stone;
use crate::engine::HavannahEngine;
use crate::havannah::structure::winning_structure;
use crate::havannah::{Cell, Colour, Notation};
use crate::search::Limits;

/// A position, and what to draw of it.
pub struct Picture<'a> {
    pub engine: &'a HavannahEngine,
    pub notation: Notation,
    pub title: &'a str,
    /// The searched cells, each with its share of the visits.
    pub heat: Vec<(Cell, f64)>,
}

impl Picture<'_> {
    fn heat_of(&self, cell: Cell) -> Option<f64> {
        self.heat.iter().find(|(other, _)| *other == cell).map(|(_, share)| *share)
    }

    /// The board as an SVG document.
    pub fn svg(&self) -> String {
        let tables = self.engine.geometry();
        let side = 2.0 * tables.size as f64 - 1.0;
        let (width, height) = ((side + 2.0) * ACROSS, side * DOWN + 3.5 * RADIUS);
        let hottest = self.heat.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        let (last, winning) = (last_stone(self.engine), winning_structure(self.engine.board()));
        let mut board = Group::new();
        for cell in tables.cells() {
            let (x, y) = self.centre(*cell);
            let colour = self.engine.colour_at(*cell);
            let heat = self.heat_of(*cell).filter(|_| colour.is_none());
            board = board.add(hexagon(x, y, heat.map_or(0.0, |share| share / hottest.max(1e-9))));
            let label = match (colour, heat) {
                (Some(colour), _) => {
                    board = board.add(stone(x, y, colour, winning.contains(cell.index())));
                    None
                }
                (None, Some(share)) if share >= 0.005 => Some(format!("{:.0}%", 100.0 * share)),
                (None, _) => Some(tables.write_cell(self.notation, *cell)),
            };
            if Some(*cell) == last {
                board = board.add(mark(x, y));
            }
            if let Some(label) = label {
                board = board.add(text(x, y + 4.0, label, 9.0));
            }
        }
        let document = Document::new()
            .set("viewBox", (0.0, 0.0, width, height))
            .set("width", width)
            .set("height", height)
            .set("font-family", "sans-serif")
            .add(Title::new(self.title))
            .add(background(width, height))
            .add(text(width / 2.0, 1.2 * RADIUS, self.title.to_string(), 14.0))
            .add(board);
        document.to_string() + "\n"
    }

    /// The centre of a cell. Row `a` is at the top, and the hexagons have a corner at the top.
    fn centre(&self, cell: Cell) -> (f64, f64) {
        let tables = self.engine.geometry();
        let (x, y) = tables.xy(cell);
        let middle = tables.size as f64 - 1.0;
        let (row, column) = (f64::from(x), f64::from(y));
        let along = column - row / 2.0 + middle / 2.0;
        ((along + 1.5) * ACROSS, (row + 1.0) * DOWN + 2.0 * RADIUS)
    }
}

/// Searches the position. Returns the share of the visits of each cell.
pub fn heat_map(engine: &mut HavannahEngine, limits: &Limits) -> Vec<(Cell, f64)> {
    let report = engine.analyze(limits, &AtomicBool::new(false), None);
    let total: f64 = report.moves.iter().map(|found| f64::from(found.visits)).sum();
    let share = |visits: u32| f64::from(visits) / total.max(1.0);
    let cell = |next| engine.geometry().cell_of(next);
    report.moves.iter().map(|found| (cell(found.next), share(found.visits))).collect()
}

/// The distance from the centre of a hexagon to its corners, between columns, and between rows.
const RADIUS: f64 = 20.0;
const ACROSS: f64 = 1.732_050_807_568_877_2 * RADIUS;
const DOWN: f64 = 1.5 * RADIUS;

fn background(width: f64, height: f64) -> Polygon {
    let points = format!("0,0 {width},0 {width},{height} 0,{height}");
    Polygon::new().set("points", points).set("fill", "#ffffff")
}

/// A cell. More heat is more red.
fn hexagon(x: f64, y: f64, heat: f64) -> Polygon {
    let corner = |number: u32| {
        let angle = (60.0 * f64::from(number) - 30.0).to_radians();
        format!("{:.2},{:.2}", x + RADIUS * angle.cos(), y + RADIUS * angle.sin())
    };
    let blend = |cold: f64, hot: f64| (cold + (hot - cold) * heat.sqrt()).round() as u8;
    let fill =
        format!("#{:02x}{:02x}{:02x}", blend(240.0, 232.0), blend(222.0, 80.0), blend(184.0, 40.0));
    Polygon::new()
        .set("points", (0..6).map(corner).collect::<Vec<_>>().join(" "))
        .set("fill", fill)
        .set("stroke", "#8a7a5a")
        .set("stroke-width", 1)
}

fn stone(x: f64, y: f64, colour: Colour, is_winning: bool) -> Circle {
    let fill = match colour {
        Colour::White => "#fdfdfd",
        Colour::Black => "#222222",
    };
    let (stroke, width) = if is_winning { ("#1e9e3a", 4.0) } else { ("#444444", 1.0) };
    Circle::new()
        .set("cx", format!("{x:.2}"))
        .set("cy", format!("{y:.2}"))
        .set("r", 0.68 * RADIUS)
        .set("fill", fill)
        .set("stroke", stroke)
        .set("stroke-width", width)
}

/// The mark of the last stone.
fn mark(x: f64, y: f64) -> Circle {
    Circle::new()
        .set("cx", format!("{x:.2}"))
        .set("cy", format!("{y:.2}"))
        .set("r", 0.2 * RADIUS)
        .set("fill", "#d4342c")
}

fn text(x: f64, y: f64, content: String, size: f64) -> Text {
    Text::new(content)
        .set("x", format!("{x:.2}"))
        .set("y", format!("{y:.2}"))
        .set("font-size", size)
        .set("text-anchor", "middle")
        .set("fill", "#5a4c30")
}
