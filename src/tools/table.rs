//! Text tables. Each column is as wide as its widest cell, and right-aligned.

/// Lays out rows under a heading.
pub fn lay_out(heading: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_str());
        cells.chain([heading[column]]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> =
            cells.zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    let mut text = line(&mut heading.iter().copied());
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}
