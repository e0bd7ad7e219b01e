//! Each rule is seen naming one planted fault, and passing a tree without faults.

use super::{CHECKS, Tree};

/// A small tree that breaks no rule.
fn clean() -> Tree {
    const LINTS: &str = "[lints]\nworkspace = true\n";
    let package = |name: &str, dependencies: &str| {
        format!("[package]\nname = \"{name}\"\n\n[dependencies]\n{dependencies}\n{LINTS}")
    };
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = []\n".to_owned()),
        (
            "README.md",
            "# Errands\n\n```sh\n# no heading\n```\n\n## Use\n".to_owned(),
        ),
        ("README.zh-CN.md", "# 跑腿\n\n## 用法\n".to_owned()),
        (
            "crates/audit/Cargo.toml",
            package("errands-audit", "state.workspace = true\n"),
        ),
        (
            "crates/server-kit/Cargo.toml",
            package(
                "errands-server-kit",
                "audit.workspace = true\nrmcp = \"3\"\n",
            ),
        ),
        (
            "crates/state/Cargo.toml",
            package(
                "errands-state",
                "[dev-dependencies]\nfixtures.workspace = true\n",
            ),
        ),
        (
            "crates/state/src/platform.rs",
            format!("//! Platforms.\n#[{}(unix)]\nfn f() {{}}\n", "cfg"),
        ),
        ("docs/tools/rail-mcp.md", "# rail-mcp\n".to_owned()),
        ("docs/upstreams/rail.md", "# 12306\n".to_owned()),
        (
            "fixtures/Cargo.toml",
            package("errands-fixtures", "axum = \"0.8\"\n"),
        ),
        ("fixtures/data/rail/page.html", "<html>\r\n ".to_owned()),
        (
            "servers/rail-mcp/Cargo.toml",
            package("rail-mcp", "server-kit.workspace = true\n"),
        ),
        (
            "servers/rail-mcp/src/main.rs",
            "//! Trains.\nfn main() {}\n".to_owned(),
        ),
        ("xtask/Cargo.toml", package("xtask", "clap = \"4\"\n")),
    ];
    files
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text))
        .collect()
}

/// What all rules say of a tree.
fn findings(tree: &Tree) -> Vec<String> {
    CHECKS
        .iter()
        .flat_map(|check| check(tree))
        .map(|finding| finding.to_string())
        .collect()
}

#[test]
fn a_clean_tree_has_no_findings() {
    assert_eq!(findings(&clean()), Vec::<String>::new());
}

#[test]
fn each_planted_fault_is_named() {
    let source = |line: &str| format!("//! Trains.\n{line}\n");
    let manifest = |name: &str, dependency: &str| {
        format!("[package]\nname = \"{name}\"\n{dependency}\n[lints]\nworkspace = true\n")
    };
    let rail = "servers/rail-mcp/src/planted.rs";
    let cases = [
        (
            rail,
            source(&["f();"; 500].join("\n")),
            format!("{rail}:501: 501 lines; split"),
        ),
        (
            rail,
            "fn f() {}\n".to_owned(),
            format!("{rail}:1: no module comment"),
        ),
        (
            rail,
            "//! Trains.\nfn f() {}".to_owned(),
            format!("{rail}:2: the file does not end"),
        ),
        (
            rail,
            "//! Trains.\n\n".to_owned(),
            format!("{rail}:2: the file does not end"),
        ),
        (
            rail,
            "//! Trains.\r\n".to_owned(),
            format!("{rail}:1: white space"),
        ),
        (
            rail,
            source("let a = 1; "),
            format!("{rail}:2: white space"),
        ),
        (
            rail,
            source(concat!("to", "do!()")),
            format!("{rail}:2: `{}`", concat!("to", "do!")),
        ),
        (
            rail,
            source(concat!("unimple", "mented!()")),
            format!("{rail}:2: `{}`", concat!("unimple", "mented!")),
        ),
        (
            rail,
            source(concat!("#[ig", "nore]")),
            format!("{rail}:2: `{}`", concat!("#[ig", "nore")),
        ),
        (
            rail,
            source(concat!("// FIX", "ME")),
            format!("{rail}:2: `{}`", concat!("FIX", "ME")),
        ),
        (
            rail,
            source(concat!("// XX", "X")),
            format!("{rail}:2: `{}`", concat!("XX", "X")),
        ),
        (
            rail,
            source(concat!("#[cf", "g(unix)]")),
            format!("{rail}:2: a platform switch"),
        ),
        (
            rail,
            source(concat!("#[cf", "g(not(windows))]")),
            format!("{rail}:2: a platform switch"),
        ),
        (
            rail,
            source(concat!("if cf", "g!(target_os = \"macos\") {}")),
            format!("{rail}:2: a platform switch"),
        ),
        (
            rail,
            source(concat!("#[cf", "g_attr(unix, path = \"u.rs\")]")),
            format!("{rail}:2: a platform switch"),
        ),
        (
            rail,
            source(concat!("// see /wo", "rk/main")),
            format!("{rail}:2: `{}`", concat!("/wo", "rk/")),
        ),
        (
            rail,
            source(concat!("// (/ho", "me/me/bin)")),
            format!("{rail}:2: `{}`", concat!("/ho", "me/")),
        ),
        (
            rail,
            source(concat!("// registry.np", "mjs.org")),
            format!("{rail}:2: `{}`", concat!("registry.np", "mjs.org")),
        ),
        (
            "crates/state/src/utils.rs",
            source("fn f() {}"),
            "crates/state/src/utils.rs:1: `utils` says nothing".to_owned(),
        ),
        (
            "servers/rail-mcp/tests/common/mod.rs",
            source("fn f() {}"),
            "servers/rail-mcp/tests/common/mod.rs:1: `common` says nothing".to_owned(),
        ),
        (
            "README.zh-CN.md",
            "# 跑腿\n\n### 用法\n".to_owned(),
            "README.zh-CN.md:3: the headings part ways".to_owned(),
        ),
        (
            "crates/audit/Cargo.toml",
            manifest(
                "errands-audit",
                "[dependencies]\nserver-kit = { workspace = true }",
            ),
            "crates/audit/Cargo.toml:4: depends on `server-kit`; a capability".to_owned(),
        ),
        (
            "crates/audit/Cargo.toml",
            manifest(
                "errands-audit",
                "[target.'cfg(all())'.dependencies.kit]\npackage = \"errands-server-kit\"",
            ),
            "crates/audit/Cargo.toml:1: depends on `server-kit`; a capability".to_owned(),
        ),
        (
            "crates/audit/Cargo.toml",
            manifest("errands-audit", "[dependencies]\nrmcp = \"3\""),
            "crates/audit/Cargo.toml:4: depends on `rmcp`; only server-kit".to_owned(),
        ),
        (
            "crates/state/Cargo.toml",
            manifest("errands-state", "[dependencies]\naudit.workspace = true"),
            "crates/state/Cargo.toml:4: depends on `audit`; `state` stands".to_owned(),
        ),
        (
            "crates/server-kit/Cargo.toml",
            manifest("errands-server-kit", "[dependencies]\nrail-mcp = \"1\""),
            "crates/server-kit/Cargo.toml:4: depends on `rail-mcp`; nobody".to_owned(),
        ),
        (
            "servers/rail-mcp/Cargo.toml",
            manifest("rail-mcp", "[dependencies]\nrmcp.workspace = true"),
            "servers/rail-mcp/Cargo.toml:4: depends on `rmcp`; only server-kit".to_owned(),
        ),
        (
            "servers/rail-mcp/Cargo.toml",
            manifest("rail-mcp", "[dependencies]\nfixtures.workspace = true"),
            "servers/rail-mcp/Cargo.toml:4: depends on `fixtures`; move".to_owned(),
        ),
        (
            "xtask/Cargo.toml",
            manifest("xtask", "[dev-dependencies]\nstate.workspace = true"),
            "xtask/Cargo.toml:4: depends on `state`; drive".to_owned(),
        ),
        (
            "fixtures/Cargo.toml",
            manifest(
                "errands-fixtures",
                "[dependencies]\nrail-mcp.workspace = true",
            ),
            "fixtures/Cargo.toml:4: depends on `rail-mcp`; drive".to_owned(),
        ),
        (
            "xtask/Cargo.toml",
            "[package]\nname = \"xtask\"\n\n[lints.rust]\nunsafe_code = \"deny\"\n".to_owned(),
            "xtask/Cargo.toml:1: its own lints".to_owned(),
        ),
    ];
    for (path, text, expected) in cases {
        let mut tree = clean();
        tree.insert(path.to_owned(), text);
        assert_one(&tree, &expected);
    }
}

#[test]
fn a_server_without_pages_or_table_entry_is_named() {
    for (page, mend) in [
        ("docs/tools/rail-mcp.md", "run"),
        ("docs/upstreams/rail.md", "write down"),
    ] {
        let mut tree = clean();
        tree.remove(page);
        assert_one(
            &tree,
            &format!("servers/rail-mcp/Cargo.toml:1: {page} is missing; {mend}"),
        );
    }
    let mut tree = clean();
    let manifest = "[package]\nname = \"ship-mcp\"\n\n[lints]\nworkspace = true\n".to_owned();
    tree.insert("servers/ship-mcp/Cargo.toml".to_owned(), manifest);
    tree.insert(
        "docs/tools/ship-mcp.md".to_owned(),
        "# ship-mcp\n".to_owned(),
    );
    tree.insert("docs/upstreams/ship.md".to_owned(), "# Ships\n".to_owned());
    assert_one(
        &tree,
        "servers/ship-mcp/Cargo.toml:1: `ship-mcp` is unknown to xtask",
    );
}

#[test]
fn a_missing_readme_is_named() {
    let mut tree = clean();
    tree.remove("README.zh-CN.md");
    assert_one(&tree, "README.md:1: one of the two READMEs is missing");
}

fn assert_one(tree: &Tree, expected: &str) {
    let found = findings(tree);
    assert_eq!(
        found.len(),
        1,
        "expected only {expected:?}, found {found:#?}"
    );
    assert!(
        found.iter().all(|finding| finding.starts_with(expected)),
        "expected {expected:?}, found {found:#?}"
    );
}
