//! The entry for each host, printed and merged into its configuration.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use fixtures::shell::Ended;

use crate::toy::{Place, binary};

/// Hosts, and the key under which each keeps its servers.
const HOSTS: [(&str, &str); 6] = [
    ("claude-desktop", "mcpServers"),
    ("claude-code", "mcpServers"),
    ("cursor", "mcpServers"),
    ("vscode", "servers"),
    ("codex", "mcp_servers"),
    ("gemini", "mcpServers"),
];

fn entry(host: &str) -> Value {
    match host {
        "vscode" => json!({ "type": "stdio", "command": binary(), "args": [] }),
        _ => json!({ "command": binary(), "args": [] }),
    }
}

/// What a file holds, whatever its form.
fn content(host: &str, text: &str) -> Value {
    match host {
        "codex" => {
            // One line each is enough of TOML here.
            let mut servers = json!({});
            let mut name = "";
            for line in text.lines().filter(|line| !line.is_empty()) {
                match line.strip_prefix("[mcp_servers.") {
                    Some(rest) => name = rest.trim_end_matches(']'),
                    None => {
                        let (key, value) = line.split_once(" = ").unwrap();
                        servers[name][key] = serde_json::from_str(value).unwrap();
                    }
                }
            }
            json!({ "mcp_servers": servers })
        }
        _ => serde_json::from_str(text).unwrap(),
    }
}

/// Files below `place`, in order of name.
fn files(place: &Place) -> Vec<PathBuf> {
    fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                gather(&path, found)
            } else {
                found.push(path)
            }
        }
    }
    let mut found = Vec::new();
    gather(&place.path(""), &mut found);
    found.sort();
    found
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[track_caller]
fn done(ended: &Ended) {
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{ended:?}");
}

#[test]
fn each_host_gets_an_entry_with_the_absolute_path() {
    for (host, key) in HOSTS {
        let place = Place::new();
        let printed = place.run(&["setup", host]);
        done(&printed);
        let shown: Vec<_> = printed
            .out
            .lines()
            .filter(|line| !line.starts_with("# "))
            .collect();
        let expected = json!({ key: { "toy-mcp": entry(host) } });
        assert_eq!(content(host, &shown.join("\n")), expected, "{host}");
        assert!(binary().is_absolute());
        assert_eq!(
            files(&place),
            [] as [PathBuf; 0],
            "printing wrote something"
        );
    }
}

#[test]
fn a_new_file_is_made_where_the_host_looks() {
    for (host, key) in HOSTS {
        let place = Place::new();
        let written = place.run(&["setup", host, "--write"]);
        done(&written);
        let [file] = &files(&place)[..] else {
            panic!("{:?}", files(&place))
        };
        let name = match host {
            "claude-desktop" => "Claude/claude_desktop_config.json",
            "claude-code" => ".mcp.json",
            "cursor" => ".cursor/mcp.json",
            "vscode" => ".vscode/mcp.json",
            "codex" => ".codex/config.toml",
            _ => ".gemini/settings.json",
        };
        assert!(file.ends_with(name), "{file:?}");
        let text = fs::read_to_string(file).unwrap();
        assert_eq!(
            content(host, &text),
            json!({ key: { "toy-mcp": entry(host) } })
        );

        let again = place.run(&["setup", host, "--write"]);
        done(&again);
        assert!(again.out.ends_with(" 已有相同条目，未改动\n"), "{again:?}");
        assert_eq!(&files(&place), std::slice::from_ref(file));
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
}

#[test]
fn an_existing_file_keeps_the_rest_and_a_backup() {
    let json = r#"{"z":1.50,"theme":"深","mcpServers":{"b":{"command":"b"},"toy-mcp":{"command":"old"}},"servers":{"s":{}},"a":[1,{"x":null}]}"#;
    let toml = "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = 'o'\n\n[tui]\ntheme = \"dark\"\n";
    for (host, key) in HOSTS {
        let place = Place::new();
        let before = if host == "codex" { toml } else { json };
        let file = place.path("settings");
        fs::write(&file, before).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        let write = ["setup", host, "--write", "--config", "settings"];
        done(&place.run(&write));

        let after = fs::read_to_string(&file).unwrap();
        if host == "codex" {
            let path = Value::from(binary().to_str().unwrap());
            let added = format!("[mcp_servers.toy-mcp]\ncommand = {path}\nargs = []\n\n");
            let (first, last) = before.split_once("[tui]").unwrap();
            assert_eq!(after, format!("{first}{added}[tui]{last}"));
        } else {
            let mut expected: Value = serde_json::from_str(before).unwrap();
            expected[key]["toy-mcp"] = entry(host);
            // As text, so that the order counts.
            let found: Value = serde_json::from_str(&after).unwrap();
            assert_eq!(found.to_string(), expected.to_string());
        }
        let backup = place.path("settings.backup-1");
        assert_eq!(fs::read_to_string(&backup).unwrap(), before);
        assert_eq!((mode(&file), mode(&backup)), (0o640, 0o640));

        let again = place.run(&write);
        done(&again);
        assert!(again.out.ends_with(" 已有相同条目，未改动\n"), "{again:?}");
        assert_eq!(files(&place), [file.clone(), backup.clone()]);
        assert_eq!(fs::read_to_string(&file).unwrap(), after);

        // A further change keeps the first backup.
        fs::write(&file, before).unwrap();
        done(&place.run(&write));
        assert_eq!(
            files(&place),
            [file, backup, place.path("settings.backup-2")]
        );
    }
}

#[test]
fn a_file_that_cannot_be_parsed_stays_as_it_is() {
    for (host, before, why) in [
        (
            "claude-desktop",
            "{\"mcpServers\": {}, // mine\n}",
            "不是有效的 JSON：",
        ),
        ("cursor", "{", "不是有效的 JSON："),
        ("gemini", "[]", "其中的 整个文件 不是对象"),
        ("vscode", "{\"servers\": []}", "其中的 servers 不是对象"),
        ("codex", "model = ", "不是有效的 TOML："),
        ("codex", "mcp_servers = 3\n", "其中的 mcp_servers 不是对象"),
    ] {
        let place = Place::new();
        let file = place.path("settings");
        fs::write(&file, before).unwrap();
        let refused = place.run(&["setup", host, "--write", "--config", "settings"]);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.err.contains(why), "{refused:?}");
        // The entry is shown, to be put in by hand.
        assert!(
            refused.out.contains(binary().to_str().unwrap()),
            "{refused:?}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
        assert_eq!(files(&place), [file]);
    }
}

#[test]
fn a_link_to_a_configuration_stays_a_link() {
    let place = Place::new();
    fs::create_dir(place.path("kept")).unwrap();
    let (kept, link) = (place.path("kept/mcp.json"), place.path(".cursor/mcp.json"));
    fs::write(&kept, "{}").unwrap();
    fs::create_dir(place.path(".cursor")).unwrap();
    symlink(&kept, &link).unwrap();
    done(&place.run(&["setup", "cursor", "--write"]));
    assert_eq!(fs::read_link(&link).unwrap(), kept);
    let expected = json!({ "mcpServers": { "toy-mcp": entry("cursor") } });
    assert_eq!(
        content("cursor", &fs::read_to_string(&kept).unwrap()),
        expected
    );
    assert_eq!(
        files(&place),
        [link, kept, place.path("kept/mcp.json.backup-1")]
    );
}
