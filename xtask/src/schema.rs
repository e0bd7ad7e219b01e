//! `schema`: writes `docs/tools/<server>.md` from the server's own `tools/list`, or tells which page is stale.

mod page;

use std::fs;
use std::process::Command;

use serde_json::Value;

use self::page::render;
use crate::Outcome;
use crate::process::{build, output, program, root};
use crate::servers::SERVERS;

/// Writes the pages, or with `check` fails and names those that differ from what would be written.
pub(crate) fn run(check: bool) -> Outcome {
    let names: Vec<_> = SERVERS.iter().map(|server| server.name).collect();
    let built = build(&names, "dev")?;
    let mut stale = Vec::new();
    for name in names {
        // Settings of whoever runs this must not reach the page.
        let tools = |more: &[&str]| -> Outcome<Value> {
            let mut command = Command::new(program(&built, name)?);
            let listed = output(command.args(["tools", "--json"]).args(more).env_clear())?;
            Ok(serde_json::from_str(&listed)?)
        };
        let page = format!("docs/tools/{name}.md");
        let (path, fresh) = (
            root().join(&page),
            render(name, &tools(&[])?, &tools(&["--read-only"])?),
        );
        if is_stale(fs::read_to_string(&path).ok().as_deref(), &fresh) {
            if !check {
                fs::create_dir_all(root().join("docs/tools"))?;
                fs::write(path, fresh)?;
                println!("{page}: written");
            }
            stale.push(page);
        }
    }
    match (check, stale.as_slice()) {
        (_, []) => println!("docs/tools: every page is fresh"),
        (true, pages) => {
            return Err(format!("stale: {}; run `cargo xtask schema`", pages.join(", ")).into());
        }
        (false, _) => {}
    }
    Ok(())
}

/// Whether the page on disk is missing or differs from the one that would be written.
fn is_stale(kept: Option<&str>, fresh: &str) -> bool {
    // A checkout may have turned line ends around.
    kept.is_none_or(|kept| kept.replace("\r\n", "\n") != fresh)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{is_stale, render};

    #[test]
    fn a_changed_or_missing_page_is_stale() {
        let list = |maximum: u32| {
            let limit = json!({ "type": "integer", "maximum": maximum });
            json!({ "tools": [{ "name": "find", "inputSchema": { "properties": { "limit": limit } } }] })
        };
        let page = render("rail-mcp", &list(100), &list(100));
        assert!(!is_stale(Some(&page), &page));
        assert!(!is_stale(Some(&page.replace('\n', "\r\n")), &page));
        assert!(is_stale(
            Some(&page),
            &render("rail-mcp", &list(50), &list(50))
        ));
        assert!(is_stale(None, &page));
    }
}
