//! `tidy`: the rules of this tree that no compiler knows, each a function over the tree's text.

mod files;
mod text;
mod workspace;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;

use crate::Outcome;
use crate::process::{output, root};

/// The text files of the tree by their path from the root, with `/` on every system.
pub(crate) type Tree = BTreeMap<String, String>;

/// A place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    /// Counted from 1.
    line: usize,
    /// What is wrong there.
    what: String,
    /// How it is put right.
    mend: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}:{}: {}; {}",
            self.path, self.line, self.what, self.mend
        )
    }
}

/// Every rule.
const CHECKS: [fn(&Tree) -> Vec<Finding>; 12] = [
    files::length,
    files::first_line,
    files::names,
    files::pages_of_servers,
    files::twin_readmes,
    text::left_overs,
    text::platforms,
    text::places,
    text::white_space,
    workspace::dependencies,
    workspace::lints,
    workspace::table_of_servers,
];

/// Checks the files that git knows or would add, and prints what it finds.
pub(crate) fn run() -> Outcome {
    let tree = tree()?;
    let findings: Vec<_> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!(
            "tidy: {} files, {} rules, nothing found",
            tree.len(),
            CHECKS.len()
        );
        return Ok(());
    }
    Err(format!("tidy: {} findings", findings.len()).into())
}

/// Reads the tree; files that are no text, and those just deleted, are left out.
fn tree() -> Outcome<Tree> {
    let mut git = std::process::Command::new("git");
    let listed = output(
        git.args(["ls-files", "-z", "-co", "--exclude-standard"])
            .current_dir(root()),
    )?;
    let paths = listed.split_terminator('\0');
    Ok(paths
        .filter_map(|path| Some((path.to_owned(), fs::read_to_string(root().join(path)).ok()?)))
        .collect())
}

/// The Rust sources of a tree.
fn sources(tree: &Tree) -> impl Iterator<Item = (&String, &String)> {
    tree.iter().filter(|(path, _)| path.ends_with(".rs"))
}

/// A finding at a line, counted from 1.
fn at(path: &str, line: usize, what: impl Into<String>, mend: &'static str) -> Finding {
    Finding {
        path: path.to_owned(),
        line,
        what: what.into(),
        mend,
    }
}

#[cfg(test)]
mod tests;
