//! MCP hosts: where each keeps its configuration and what an entry looks like there.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, value};

/// A host whose configuration `setup` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    Vscode,
    Codex,
    Gemini,
}

/// One server as a host starts it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// Absolute: hosts start servers without the shell's PATH.
    pub(crate) command: String,
    pub(crate) variables: &'static [(&'static str, &'static str)],
}

/// Why a configuration cannot be merged into. The file stays as it is.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("不是有效的 {0}：{1}")]
    Unparsable(&'static str, String),
    #[error("其中的 {0} 不是对象")]
    NotAnObject(&'static str),
}

impl Host {
    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "claude-desktop",
            Self::ClaudeCode => "claude-code",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// The host's file: the user's own, or for `claude-code` and `vscode` the project's, below the
    /// current folder. `None` when the user has no home folder.
    pub(crate) fn file(self) -> Option<PathBuf> {
        let folders = directories::BaseDirs::new();
        let home = |path: &str| {
            folders
                .as_ref()
                .map(|folders| folders.home_dir().join(path))
        };
        match self {
            Self::ClaudeDesktop => {
                let base = folders.as_ref()?.config_dir();
                Some(base.join("Claude").join("claude_desktop_config.json"))
            }
            Self::ClaudeCode => Some(".mcp.json".into()),
            Self::Cursor => home(".cursor/mcp.json"),
            Self::Vscode => Some(".vscode/mcp.json".into()),
            Self::Codex => home(".codex/config.toml"),
            Self::Gemini => home(".gemini/settings.json"),
        }
    }

    /// `before` with the entry set and all else as it was.
    pub(crate) fn merged(self, before: &str, entry: &Entry) -> Result<String, Unfit> {
        match self {
            Self::Codex => merged_toml(before, entry),
            Self::Vscode => merged_json(before, "servers", entry),
            _ => merged_json(before, "mcpServers", entry),
        }
    }

    /// What else a user of this host may want to know.
    pub(crate) fn remark(self, entry: &Entry) -> Option<String> {
        let variables = entry
            .variables
            .iter()
            .map(|(name, value)| format!(" --env {name}={value}"))
            .collect::<String>();
        let Entry { name, command, .. } = entry;
        match self {
            Self::ClaudeCode => Some(format!("也可运行：claude mcp add --scope user{variables} {name} -- '{command}'")),
            Self::Codex => Some(format!("也可运行：codex mcp add {name}{variables} -- '{command}'")),
            Self::ClaudeDesktop => Some("写入后请完全退出并重新打开 Claude Desktop。Windows 商店版的配置在 %LOCALAPPDATA%\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude，可用 --config 指定".into()),
            _ => None,
        }
    }
}

/// An entry that is there already keeps what the user added to it: arguments, variables, comments.
fn merged_json(before: &str, section: &'static str, entry: &Entry) -> Result<String, Unfit> {
    let old: Value = if before.trim().is_empty() {
        json!({})
    } else {
        serde_json::from_str(before)
            .map_err(|error| Unfit::Unparsable("JSON", error.to_string()))?
    };
    let mut new = old.clone();
    let whole = new.as_object_mut().ok_or(Unfit::NotAnObject("整个文件"))?;
    let servers = object_in(whole, section)?;
    let one = object_in(servers, entry.name)?;
    if section == "servers" {
        one.insert("type".into(), json!("stdio"));
    }
    one.insert("command".into(), json!(entry.command));
    one.entry("args").or_insert(json!([]));
    if !entry.variables.is_empty() {
        let variables = object_in(one, "env")?;
        for (name, set) in entry.variables {
            variables.insert((*name).to_owned(), json!(set));
        }
    }
    // What says the same already keeps its own layout.
    Ok(if new == old {
        before.to_owned()
    } else {
        format!("{new:#}\n")
    })
}

fn object_in<'a>(
    fields: &'a mut Map<String, Value>,
    name: &'static str,
) -> Result<&'a mut Map<String, Value>, Unfit> {
    let field = fields.entry(name).or_insert(json!({}));
    field.as_object_mut().ok_or(Unfit::NotAnObject(name))
}

fn merged_toml(before: &str, entry: &Entry) -> Result<String, Unfit> {
    let mut whole: DocumentMut = before.parse().map_err(|error: toml_edit::TomlError| {
        Unfit::Unparsable("TOML", error.message().to_owned())
    })?;
    let servers = table_in(whole.as_table_mut(), "mcp_servers")?;
    let one = table_in(servers, entry.name)?;
    set(one, "command", &entry.command);
    if !one.contains_key("args") {
        one.insert("args", value(Array::new()));
    }
    if !entry.variables.is_empty() {
        let variables = one.entry("env").or_insert(value(InlineTable::new()));
        let variables = variables
            .as_table_like_mut()
            .ok_or(Unfit::NotAnObject("env"))?;
        for (name, text) in entry.variables {
            set(variables, name, text);
        }
    }
    Ok(whole.to_string())
}

/// Sets a text and keeps the comment beside one that is there.
fn set(table: &mut dyn TableLike, name: &str, text: &str) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) if old.as_str() == Some(text) => {}
        Some(old) => {
            let mut new = toml_edit::Value::from(text);
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => drop(table.insert(name, value(text))),
    }
}

fn table_in<'a>(
    table: &'a mut dyn TableLike,
    name: &'static str,
) -> Result<&'a mut dyn TableLike, Unfit> {
    let inner = table.entry(name).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    inner.as_table_like_mut().ok_or(Unfit::NotAnObject(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry {
        name: "rail-mcp",
        command: String::new(),
        variables: &[],
    };

    fn entry() -> Entry {
        Entry {
            command: "/opt/rail mcp".into(),
            ..ENTRY
        }
    }

    #[test]
    fn the_rest_of_the_file_stays() {
        let before = r#"{"theme":"dark","mcpServers":{"b":{"command":"b"},"rail-mcp":{"command":"old","args":["--read-only"],"env":{"A":"1"}},"a":{}},"z":[1,2.5]}"#;
        let after = Host::Cursor.merged(before, &entry()).expect("merged");
        let expected = r#"{"theme":"dark","mcpServers":{"b":{"command":"b"},"rail-mcp":{"command":"/opt/rail mcp","args":["--read-only"],"env":{"A":"1"}},"a":{}},"z":[1,2.5]}"#;
        let after: Value = serde_json::from_str(&after).expect("JSON");
        assert_eq!(after.to_string(), expected);
        // What says the same already is left as it is laid out.
        assert_eq!(
            Host::Cursor.merged(expected, &entry()).as_deref(),
            Ok(expected)
        );
    }

    #[test]
    fn each_host_gets_its_own_form() {
        let variables: &[(&str, &str)] = &[("RAIL_TOOL_NAMES", "letters")];
        let with = Entry {
            variables,
            ..entry()
        };
        for (host, expected) in [
            (
                Host::ClaudeDesktop,
                "{\n  \"mcpServers\": {\n    \"rail-mcp\": {\n      \"command\": \"/opt/rail mcp\",\n      \"args\": []\n    }\n  }\n}\n",
            ),
            (
                Host::Vscode,
                "{\n  \"servers\": {\n    \"rail-mcp\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/rail mcp\",\n      \"args\": []\n    }\n  }\n}\n",
            ),
            (
                Host::Codex,
                "[mcp_servers.rail-mcp]\ncommand = \"/opt/rail mcp\"\nargs = []\n",
            ),
        ] {
            assert_eq!(host.merged("", &entry()).as_deref(), Ok(expected));
        }
        assert_eq!(
            Host::Codex
                .merged(
                    "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"o\"\n",
                    &with
                )
                .as_deref(),
            Ok(
                "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"o\"\n\n[mcp_servers.rail-mcp]\ncommand = \"/opt/rail mcp\"\nargs = []\nenv = { RAIL_TOOL_NAMES = \"letters\" }\n"
            )
        );
        assert!(
            Host::Gemini
                .merged("", &with)
                .expect("merged")
                .contains("\"RAIL_TOOL_NAMES\": \"letters\"")
        );
    }

    #[test]
    fn comments_beside_a_changed_value_stay() {
        let before = "[mcp_servers.rail-mcp] # trains\n# where it is\ncommand = \"old\" # built by hand\nargs = []\n";
        let after = before.replace("old", "/opt/rail mcp");
        assert_eq!(
            Host::Codex.merged(before, &entry()).as_deref(),
            Ok(after.as_str())
        );
        let same = after.replace("\"/opt/rail mcp\"", "'/opt/rail mcp'");
        assert_eq!(
            Host::Codex.merged(&same, &entry()).as_deref(),
            Ok(same.as_str())
        );
    }

    #[test]
    fn what_cannot_be_parsed_is_refused() {
        for (host, before) in [
            (Host::Cursor, "{\"mcpServers\": {} // mine\n}"),
            (Host::Cursor, "[]"),
            (Host::Cursor, "{\"mcpServers\": []}"),
            (Host::Codex, "mcp_servers = 3"),
            (Host::Codex, "[x"),
        ] {
            assert!(host.merged(before, &entry()).is_err(), "{before}");
        }
    }
}
