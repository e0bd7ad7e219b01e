//! Exports as files: in the folder that the user chose, under a plain name, and never over something else.

use std::{
    fs,
    path::{Path, PathBuf},
};

use fixtures::{mcp::Both, weread::Weread};
use serde_json::{Value, json};

use super::{TOOL, WEB, export, whole};
use crate::world::{cookie, environment, launch, with_cookie};

/// Servers with `place` below their state folder as the folder of exports.
fn with_folder(place: &str) -> Both<Weread> {
    Both::launch(&launch(), |data| {
        let fake = Weread::start();
        let mut env = environment(&fake);
        let (name, value) = cookie(&fake);
        env.push((name.to_owned(), value));
        let folder = real(data).join(place);
        let folder = folder
            .to_str()
            .expect("a folder with a plain name")
            .to_owned();
        env.push(("WEREAD_EXPORT_DIR".to_owned(), folder));
        (fake, env)
    })
}

/// Temporary folders lie behind a link on some systems.
fn real(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).expect("a folder")
}

/// Makes things in the state folder of both servers.
fn prepare(world: &Both<Weread>, make: impl Fn(&Path)) {
    for world in world.worlds() {
        make(&real(world.data.path()));
    }
}

/// Servers with an export folder that is there.
fn ready() -> Both<Weread> {
    let world = with_folder("exports");
    prepare(&world, |data| {
        fs::create_dir(data.join("exports")).expect("a new folder")
    });
    world
}

/// What is in the export folders, with the size of each file.
fn files(world: &Both<Weread>) -> Vec<(String, u64)> {
    let [one, other] = world.worlds().each_ref().map(|world| {
        let entries = fs::read_dir(world.data.path().join("exports")).expect("a folder");
        let mut files: Vec<_> = entries
            .map(|entry| {
                let entry = entry.expect("an entry");
                let name = entry.file_name().into_string().expect("a plain name");
                (name, entry.metadata().expect("metadata").len())
            })
            .collect();
        files.sort();
        files
    });
    let names = |files: &[(String, u64)]| {
        files
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&one), names(&other));
    one
}

/// What the older era's server has written, as [`whole`] gives it.
fn content(both: &Both<Weread>, path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a file");
    text.replace(&both.worlds()[0].fake.web_url(), WEB)
}

fn refused(world: &Both<Weread>, arguments: &Value) -> String {
    let refused = world.call(TOOL, arguments.clone());
    assert_eq!(
        refused.code(),
        Some("EXPORT_REFUSED"),
        "{arguments}: {}",
        refused.text
    );
    refused.structured["message"]
        .as_str()
        .expect("a message")
        .to_owned()
}

#[test]
fn a_file_holds_what_the_result_would() {
    let world = ready();
    for (format, name) in [
        ("markdown", "三体 与 其他.md"),
        ("json", "三体 与 其他.json"),
    ] {
        let arguments = json!({ "book_ids": ["30000666", "30001000"], "format": format });
        let (text, in_result) = whole(&world, &arguments);
        let mut to_file = arguments.clone();
        to_file["file"] = json!("三体 与 其他");
        let mut told = export(&world, &to_file);
        let path = told
            .as_object_mut()
            .expect("an object")
            .remove("path")
            .expect("a path");
        let data = real(world.worlds()[0].data.path());
        assert_eq!(path, json!(data.join("exports").join(name)));
        assert_eq!(told, in_result);
        let path = Path::new(path.as_str().expect("a text"));
        assert_eq!(content(&world, path), text);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(path).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
    let names: Vec<_> = files(&world).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        ["三体 与 其他.json", "三体 与 其他.md"],
        "and nothing else is left"
    );
}

/// Without the mark a spreadsheet takes the text for another encoding.
#[test]
fn a_csv_file_begins_with_the_mark_that_spreadsheets_need() {
    let world = ready();
    let arguments = json!({ "book_id": "26278269", "format": "csv" });
    let (text, _) = whole(&world, &arguments);
    let mut to_file = arguments;
    to_file["file"] = json!("a.csv");
    let told = export(&world, &to_file);
    let path = Path::new(told["path"].as_str().expect("a path"));
    assert_eq!(content(&world, path), format!("\u{feff}{text}"));
}

#[test]
fn an_existing_file_is_overwritten_only_when_told_so() {
    let world = ready();
    prepare(&world, |data| {
        fs::write(data.join("exports/a.md"), "alt").expect("a file")
    });
    let mut arguments = json!({ "book_id": "26278269", "file": "a" });
    for overwrite in [json!(null), json!(false)] {
        arguments["overwrite"] = overwrite;
        let message = refused(&world, &arguments);
        assert!(
            message.ends_with("已有同名文件；换一个文件名，或用 overwrite: true 覆盖"),
            "{message}"
        );
        assert_eq!(files(&world), [("a.md".to_owned(), 3)]);
    }
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
    arguments["overwrite"] = json!(true);
    let bytes = export(&world, &arguments)["bytes"]
        .as_u64()
        .expect("a count");
    assert_eq!(files(&world), [("a.md".to_owned(), bytes)]);
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let world = ready();
    prepare(&world, |data| {
        fs::write(data.join("outside.md"), "alt").expect("a file")
    });
    for file in [
        "../outside.md",
        "..",
        ".",
        ".hidden",
        "a/../../outside.md",
        "sub/a",
        "/tmp/a.md",
        "..\\outside.md",
        "C:\\a.md",
        "C:a",
        "a\u{0}b",
        "a\nb",
        "\u{202e}dm.a",
        "nul",
        "a.json",
        "a|b",
        " a",
    ] {
        for overwrite in [false, true] {
            refused(
                &world,
                &json!({ "book_id": "26278269", "file": file, "overwrite": overwrite }),
            );
        }
    }
    assert_eq!(files(&world), []);
    prepare(&world, |data| {
        assert_eq!(
            fs::read_to_string(data.join("outside.md")).expect("a file"),
            "alt"
        );
    });
    world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_file_is_refused() {
    use std::os::unix::fs::symlink;
    let world = ready();
    prepare(&world, |data| {
        fs::write(data.join("outside.md"), "alt").expect("a file");
        symlink(data.join("outside.md"), data.join("exports/link.md")).expect("a link");
        symlink(data.join("nowhere.md"), data.join("exports/dangling.md")).expect("a link");
        fs::create_dir(data.join("exports/folder.md")).expect("a folder");
    });
    for (file, why) in [
        ("link", "同名的是符号链接"),
        ("dangling", "同名的是符号链接"),
        ("folder", "同名的不是普通文件"),
    ] {
        for overwrite in [false, true] {
            let arguments = json!({ "book_id": "26278269", "file": file, "overwrite": overwrite });
            let message = refused(&world, &arguments);
            assert!(message.ends_with(why), "{message}");
        }
    }
    prepare(&world, |data| {
        assert_eq!(
            fs::read_to_string(data.join("outside.md")).expect("a file"),
            "alt"
        );
        assert!(!data.join("nowhere.md").exists());
        assert!(data.join("exports/link.md").is_symlink());
    });
}

#[cfg(unix)]
#[test]
fn a_link_on_the_way_to_the_folder_is_refused() {
    use std::os::unix::fs::symlink;
    for place in ["exports", "exports/below"] {
        let world = with_folder(place);
        prepare(&world, |data| {
            fs::create_dir_all(data.join("elsewhere/below")).expect("folders");
            symlink(data.join("elsewhere"), data.join("exports")).expect("a link");
        });
        let message = refused(&world, &json!({ "book_id": "26278269", "file": "a" }));
        assert!(
            message.ends_with("导出目录的路径中有符号链接，请改设为真实路径"),
            "{message}"
        );
        prepare(&world, |data| {
            let entries = fs::read_dir(data.join("elsewhere")).expect("a folder");
            assert_eq!(entries.count(), 1);
            assert_eq!(
                fs::read_dir(data.join("elsewhere/below"))
                    .expect("a folder")
                    .count(),
                0
            );
        });
    }
}

#[test]
fn there_must_be_a_folder() {
    let nowhere = with_cookie();
    let absent = with_folder("exports");
    let file = with_folder("exports");
    prepare(&file, |data| {
        fs::write(data.join("exports"), "").expect("a file")
    });
    for (world, why) in [
        (nowhere, "用户没有用 WEREAD_EXPORT_DIR 设置导出目录"),
        (absent, "导出目录不存在，请先建好"),
        (file, "导出目录不是目录"),
    ] {
        let message = refused(&world, &json!({ "book_id": "26278269", "file": "a" }));
        assert!(message.ends_with(why), "{message}");
        world.each(|fake| assert_eq!(fake.journal().all().len(), 0));
    }
}

#[test]
fn a_file_is_written_at_once() {
    let world = ready();
    let arguments = json!({ "book_id": "26278269", "file": "a", "cursor": "1-0" });
    let refused = world.call(TOOL, arguments);
    assert_eq!(
        (refused.code(), &refused.structured["data"]["field"]),
        (Some("INVALID_ARGUMENT"), &json!("cursor"))
    );
    assert_eq!(files(&world), []);
}
