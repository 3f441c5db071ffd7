//! A folder for what a test writes, which goes with the test, however that ends; and logs of matches in it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder; no two tests have the same name.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ciclon-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The name of a file in the folder.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A file with some text: its name.
    pub fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).expect("a file");
        self.file(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// The games of a log without what depends on the clock, in their order.
pub fn games(log: &str) -> Vec<Value> {
    let text = fs::read_to_string(log).expect("a log");
    let mut games: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for game in &mut games {
        game.as_object_mut().expect("an object").remove("seconds");
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}
