//! Rules on single lines: left-overs, platform switches, places that exist on one machine only, white space.
//!
//! Words that are looked for are put together from two halves, since this file is looked through as well.

use super::{Finding, Tree, at, sources};

/// Nothing unfinished is left in a source.
pub(super) fn left_overs(tree: &Tree) -> Vec<Finding> {
    const WORDS: [&str; 5] = [
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
        concat!("#[ig", "nore"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
    ];
    lines(sources(tree))
        .filter_map(|(path, number, line)| {
            let word = WORDS.iter().find(|word| line.contains(**word))?;
            Some(at(
                path,
                number,
                format!("`{word}`"),
                "finish it or take it out",
            ))
        })
        .collect()
}

/// What differs between platforms is in one file. Tests may be for one platform only.
pub(super) fn platforms(tree: &Tree) -> Vec<Finding> {
    const HOME: &str = "crates/state/src/platform.rs";
    const SWITCHES: [&str; 3] = [
        concat!("cf", "g("),
        concat!("cf", "g!("),
        concat!("cf", "g_attr("),
    ];
    const NAMES: [&str; 6] = [
        "target_os",
        "target_family",
        "unix",
        "windows",
        "macos",
        "linux",
    ];
    let shipped =
        |path: &str| path != HOME && !path.starts_with("fixtures/") && !path.contains("/tests/");
    lines(sources(tree).filter(|(path, _)| shipped(path)))
        .filter(|(_, _, line)| {
            let conditions = SWITCHES
                .iter()
                .filter_map(|switch| Some(line.split_once(switch)?.1));
            let mut words =
                conditions.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
            words.any(|word| NAMES.contains(&word))
        })
        .map(|(path, number, _)| {
            at(
                path,
                number,
                "a platform switch",
                "move the difference into crates/state/src/platform.rs",
            )
        })
        .collect()
}

/// No file names the host of a package registry, or a path of one machine. The lock file has to.
pub(super) fn places(tree: &Tree) -> Vec<Finding> {
    const HOSTS: [&str; 7] = [
        concat!("index.cra", "tes.io"),
        concat!("static.cra", "tes.io"),
        concat!("registry.np", "mjs.org"),
        concat!("registry.npm", "mirror.com"),
        concat!("py", "pi.org"),
        concat!("files.python", "hosted.org"),
        concat!("proxy.go", "lang.org"),
    ];
    const FOLDERS: [&str; 4] = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
    ];
    // A folder counts when it begins a path: `https://host/work/` and `$HOME/work/` are none of it.
    let begins = |line: &str, folder: &str| {
        line.match_indices(folder).any(|(index, _)| {
            let before = line.get(..index).and_then(|head| head.chars().next_back());
            before.is_none_or(|character| {
                !character.is_alphanumeric() && !"._-}$~/".contains(character)
            })
        })
    };
    lines(tree.iter().filter(|(path, _)| *path != "Cargo.lock"))
        .filter_map(|(path, number, line)| {
            let host = HOSTS.iter().find(|host| line.contains(**host));
            let place = host.or_else(|| FOLDERS.iter().find(|folder| begins(line, folder)))?;
            Some(at(
                path,
                number,
                format!("`{place}`"),
                "leave out what is true of one machine only",
            ))
        })
        .collect()
}

/// Lines end in a line feed and nothing else. Recordings and snapshots are kept as they are.
pub(super) fn white_space(tree: &Tree) -> Vec<Finding> {
    const MEND: &str = "end each line with its last letter and one line feed";
    let written = || {
        tree.iter()
            .filter(|(path, _)| !path.contains("/data/") && !path.ends_with(".snap"))
    };
    let trailing = lines(written())
        .filter(|(_, _, line)| line.ends_with(char::is_whitespace))
        .map(|(path, number, _)| at(path, number, "white space at the end of the line", MEND));
    let unfinished = written()
        .filter(|(_, text)| !text.is_empty() && (!text.ends_with('\n') || text.ends_with("\n\n")))
        .map(|(path, text)| {
            at(
                path,
                text.lines().count(),
                "the file does not end in one line feed",
                MEND,
            )
        });
    trailing.chain(unfinished).collect()
}

/// All lines with their path and number; a carriage return stays in.
fn lines<'a>(
    files: impl Iterator<Item = (&'a String, &'a String)>,
) -> impl Iterator<Item = (&'a String, usize, &'a str)> {
    files.flat_map(|(path, text)| {
        text.split('\n')
            .enumerate()
            .map(move |(index, line)| (path, index + 1, line))
    })
}
