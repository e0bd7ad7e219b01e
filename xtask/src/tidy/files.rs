//! Rules on files: their length, first line and name, and the pages that must be there.

use super::{Finding, Tree, at, sources};
use crate::servers::topic;

const LINES: usize = 500;

/// A source has at most 500 lines.
pub(super) fn length(tree: &Tree) -> Vec<Finding> {
    let lengths = sources(tree).map(|(path, text)| (path, text.lines().count()));
    lengths
        .filter(|(_, lines)| *lines > LINES)
        .map(|(path, lines)| {
            at(
                path,
                lines,
                format!("{lines} lines"),
                "split the file by topic",
            )
        })
        .collect()
}

/// A source begins with `//!`.
pub(super) fn first_line(tree: &Tree) -> Vec<Finding> {
    sources(tree)
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| {
            at(
                path,
                1,
                "no module comment",
                "begin with `//!` and one sentence that says what it holds",
            )
        })
        .collect()
}

/// No file or folder has a name that could hold anything.
pub(super) fn names(tree: &Tree) -> Vec<Finding> {
    const EMPTY: [&str; 4] = ["utils", "helpers", "common", "manager"];
    let stem = |part: &str| part.split('.').next().unwrap_or_default().to_owned();
    tree.keys()
        .filter_map(|path| {
            let name = path
                .split('/')
                .map(stem)
                .find(|name| EMPTY.contains(&name.as_str()))?;
            Some(at(
                path,
                1,
                format!("`{name}` says nothing"),
                "name the file after what it holds",
            ))
        })
        .collect()
}

/// Every server has its generated page of tools and its page of upstream facts.
pub(super) fn pages_of_servers(tree: &Tree) -> Vec<Finding> {
    let wanted = servers(tree).flat_map(|(manifest, server)| {
        let tools = format!("docs/tools/{server}.md");
        let upstream = format!("docs/upstreams/{}.md", topic(server));
        [
            (manifest, tools, "run `cargo xtask schema`"),
            (
                manifest,
                upstream,
                "write down its endpoints, their sources and the guesses",
            ),
        ]
    });
    wanted
        .filter(|(_, page, _)| !tree.contains_key(page))
        .map(|(manifest, page, mend)| at(manifest, 1, format!("{page} is missing"), mend))
        .collect()
}

/// The servers of a tree: path of the manifest, and name of the folder.
pub(super) fn servers(tree: &Tree) -> impl Iterator<Item = (&String, &str)> {
    tree.keys().filter_map(|path| {
        let name = path.strip_prefix("servers/")?.strip_suffix("/Cargo.toml")?;
        Some((path, name))
    })
}

/// The two languages of the README have the same headings, in depth and order.
pub(super) fn twin_readmes(tree: &Tree) -> Vec<Finding> {
    const MEND: &str = "give README.md and README.zh-CN.md the same sections";
    let headings = |path| tree.get(path).map(|text| headings(text));
    let (Some(english), Some(chinese)) = (headings("README.md"), headings("README.zh-CN.md"))
    else {
        return vec![at(
            "README.md",
            1,
            "one of the two READMEs is missing",
            MEND,
        )];
    };
    let depths =
        |found: &[(usize, usize)]| found.iter().map(|(_, depth)| *depth).collect::<Vec<_>>();
    if depths(&english) == depths(&chinese) {
        return Vec::new();
    }
    let same = english
        .iter()
        .zip(&chinese)
        .take_while(|(one, other)| one.1 == other.1)
        .count();
    let line = chinese
        .get(same)
        .or(chinese.last())
        .map_or(1, |(line, _)| *line);
    vec![at(
        "README.zh-CN.md",
        line,
        "the headings part ways with README.md here",
        MEND,
    )]
}

/// Line and depth of each heading outside of code blocks.
fn headings(text: &str) -> Vec<(usize, usize)> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        let depth = line
            .chars()
            .take_while(|&character| character == '#')
            .count();
        if !fenced && depth > 0 && line.chars().nth(depth) == Some(' ') {
            found.push((index + 1, depth));
        }
    }
    found
}
