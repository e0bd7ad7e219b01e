//! Rules on manifests: who may depend on whom, and that every crate takes the workspace's lints.

use std::collections::BTreeMap;

use toml_edit::{DocumentMut, Item, TableLike};

use super::files::servers;
use super::{Finding, Tree, at};
use crate::servers::SERVERS;

/// The protocol's SDK: servers reach it through `server-kit`.
const SDK: &str = "rmcp";

/// Dependencies go the ways of docs/ARCHITECTURE.md and no other.
pub(super) fn dependencies(tree: &Tree) -> Vec<Finding> {
    let members = members(tree);
    let mut findings = Vec::new();
    for (path, manifest, text) in manifests(tree) {
        for (name, development) in dependencies_of(&manifest) {
            let own = members.contains(&name);
            let home: Vec<_> = path.split('/').collect();
            if let Some(mend) = way_out(&home, &name, own, development) {
                findings.push(at(
                    path,
                    line_of(text, &name),
                    format!("depends on `{name}`"),
                    mend,
                ));
            }
        }
    }
    findings
}

/// What to do instead when the manifest at `home` must not depend on `name`. `own` is a package of this workspace,
/// `development` a dependency of tests and benches only.
fn way_out(home: &[&str], name: &str, own: bool, development: bool) -> Option<&'static str> {
    match home {
        ["xtask" | "fixtures", _] if own => {
            Some("drive the built program, or keep a copy of the fact")
        }
        ["crates" | "servers", ..] if development => None,
        ["crates" | "servers", ..] if name == "fixtures" => Some("move it to [dev-dependencies]"),
        ["crates" | "servers", ..] if name.ends_with("-mcp") && own => {
            Some("nobody knows a server; share through a crate")
        }
        ["crates", "server-kit", _] => None,
        ["crates", "state", _] if own => Some("`state` stands below every other crate"),
        ["crates", ..] if own && name != "state" => {
            Some("a capability depends on `state` only; let server-kit join the two")
        }
        ["crates" | "servers", ..] if name == SDK => {
            Some("only server-kit names the SDK; use `server_kit::rmcp`")
        }
        _ => None,
    }
}

/// Every package takes the lints of the workspace.
pub(super) fn lints(tree: &Tree) -> Vec<Finding> {
    let lax = manifests(tree).filter(|(_, manifest, _)| {
        let inherited = manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace"));
        manifest.contains_key("package") && inherited.and_then(Item::as_bool) != Some(true)
    });
    lax.map(|(path, _, _)| {
        at(
            path,
            1,
            "its own lints",
            "add `[lints]` with `workspace = true`",
        )
    })
    .collect()
}

/// Every server has its entry in the table that the commands go through.
pub(super) fn table_of_servers(tree: &Tree) -> Vec<Finding> {
    servers(tree)
        .filter(|(_, name)| SERVERS.iter().all(|server| server.name != *name))
        .map(|(path, name)| {
            at(
                path,
                1,
                format!("`{name}` is unknown to xtask"),
                "add it to xtask/src/servers.rs",
            )
        })
        .collect()
}

/// The manifests of the tree that can be read; cargo itself refuses the others.
fn manifests(tree: &Tree) -> impl Iterator<Item = (&String, DocumentMut, &String)> {
    tree.iter()
        .filter(|(path, _)| path.as_str() == "Cargo.toml" || path.ends_with("/Cargo.toml"))
        .filter_map(|(path, text)| Some((path, text.parse().ok()?, text)))
}

/// The names of the workspace's own packages, without the prefix that keeps them apart on a registry.
fn members(tree: &Tree) -> Vec<String> {
    manifests(tree)
        .filter_map(|(_, manifest, _)| {
            Some(plain(manifest.get("package")?.get("name")?.as_str()?).to_owned())
        })
        .collect()
}

/// The name by which members depend on a package.
fn plain(package: &str) -> &str {
    package.strip_prefix("errands-").unwrap_or(package)
}

/// The dependencies of a manifest, whatever the platform they are for, and whether only tests and benches use them.
fn dependencies_of(manifest: &DocumentMut) -> BTreeMap<String, bool> {
    let targets = manifest.get("target").and_then(Item::as_table_like);
    let per_target = targets
        .into_iter()
        .flat_map(TableLike::iter)
        .filter_map(|(_, item)| item.as_table_like());
    let mut found = BTreeMap::new();
    for table in std::iter::once(manifest.as_table() as &dyn TableLike).chain(per_target) {
        for (section, development) in [
            ("dependencies", false),
            ("build-dependencies", false),
            ("dev-dependencies", true),
        ] {
            let entries = table.get(section).and_then(Item::as_table_like);
            for (name, entry) in entries.into_iter().flat_map(TableLike::iter) {
                let package = entry.get("package").and_then(Item::as_str).unwrap_or(name);
                let only = found
                    .entry(plain(package).to_owned())
                    .or_insert(development);
                *only &= development;
            }
        }
    }
    found
}

/// The line of a manifest that begins with a dependency's name, or the first.
fn line_of(text: &str, name: &str) -> usize {
    text.lines()
        .position(|line| line.starts_with(name))
        .map_or(1, |index| index + 1)
}
