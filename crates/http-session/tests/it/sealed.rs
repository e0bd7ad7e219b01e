//! A session on disk: nobody else reads it, two processes renew it once, and a spoilt one is none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use http_session::sealed::{Error, Generation, Renewal, Saved, SessionFile};
use http_session::{Jar, Session, Settings};
use secrecy::{ExposeSecret as _, SecretString};
use state::StateDir;
use state::secrets::{self, Secrets, Store};
use tokio::sync::Notify;

use crate::logs::{lines_with, listen};
use crate::upstream::{Upstream, answer, json};

const NAME: &str = "session-me.json";

fn secrets_in(folder: &Path) -> Secrets {
    Secrets::new("toy", StateDir::at(folder.to_owned()), Some(Store::File))
}

/// The file as one process opens it.
fn file(folder: &Path) -> SessionFile {
    named(folder, NAME, secrets_in(folder))
}

fn named(folder: &Path, name: &str, secrets: Secrets) -> SessionFile {
    let key = Arc::new(move || secrets.key("session"));
    SessionFile::new(StateDir::at(folder.to_owned()), name, key)
}

fn saved(token: &str) -> Saved {
    Saved {
        tokens: BTreeMap::from([("app".to_owned(), SecretString::from(token))]),
        ..Saved::default()
    }
}

fn token(saved: &Saved) -> &str {
    saved.tokens["app"].expose_secret()
}

fn content(folder: &Path) -> String {
    fs::read_to_string(folder.join(NAME)).unwrap()
}

/// A renewal that must not run.
async fn never(_before: Option<Saved>) -> Result<Saved, &'static str> {
    panic!("a second renewal")
}

#[tokio::test]
async fn cookies_and_tokens_come_back_whole_and_stand_nowhere_in_clear() {
    let cookies = [
        "set-cookie: CASTGC=TGT-canary==; Path=/cas; Secure; HttpOnly",
        "set-cookie: kept=2-canary; Path=/; Max-Age=600",
        "set-cookie: gone=3-canary; Path=/; Max-Age=0",
    ];
    let upstream = Upstream::start([answer("200 OK", &cookies, ""), json("{}")]).await;
    let session = |jar: &Jar| {
        Session::new(Settings {
            jar: jar.clone(),
            ..upstream.settings()
        })
    };
    let folder = tempfile::tempdir().unwrap();
    let jar = Jar::default();
    session(&jar).get("cas/login").send().await.unwrap();
    let mut kept = saved("token-canary");
    kept.cookies = jar.cookies();
    assert_eq!(
        format!("{kept:?}"),
        r#"Saved { cookies: [2 cookies], tokens: ["app"] }"#
    );
    let generation = file(folder.path()).save(&kept).await.unwrap();

    let loaded = file(folder.path()).load().await.unwrap();
    let (loaded, read) = loaded.unwrap();
    assert_eq!((token(&loaded), &read), ("token-canary", &generation));
    let jar = Jar::default();
    jar.replace(loaded.cookies);
    session(&jar).get("cas/login").send().await.unwrap();
    assert_eq!(
        upstream.seen()[1].header("cookie").as_deref(),
        Some("CASTGC=TGT-canary==; kept=2-canary")
    );

    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8(fs::read(&path).unwrap()).unwrap();
        for secret in ["canary", "CASTGC", "kept", "app"] {
            assert!(!text.contains(secret), "{secret} in {}", path.display());
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_the_users_own() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    file(folder.path()).save(&saved("1")).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder.path().join(NAME)), 0o600);
}

#[tokio::test]
async fn each_writing_has_a_generation_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (file(folder.path()), file(folder.path()));
    assert_eq!(one.generation().await.unwrap(), None);
    assert!(one.load().await.unwrap().is_none());
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "looking makes nothing"
    );
    let first = one.save(&saved("1")).await.unwrap();
    assert_eq!(other.generation().await.unwrap(), Some(first.clone()));
    let before = content(folder.path());
    let second = one.save(&saved("1")).await.unwrap();
    assert_ne!(first, second);
    assert_ne!(content(folder.path()), before);
    assert_eq!(other.generation().await.unwrap(), Some(second));
    assert!(other.remove().await.unwrap());
    assert!(!other.remove().await.unwrap());
    assert_eq!(one.generation().await.unwrap(), None);
}

#[tokio::test]
async fn what_cannot_be_read_is_no_session_and_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let one = file(folder.path());
    one.save(&saved("1")).await.unwrap();
    let good = content(folder.path());
    let text: serde_json::Value = serde_json::from_str(&good).unwrap();
    let with = |field: &str, value: serde_json::Value| {
        let mut text = text.clone();
        text[field] = value;
        text.to_string()
    };
    let generation = text["generation"].as_str().unwrap();
    let sealed = text["sealed"].as_str().unwrap();
    let flipped = match sealed.strip_prefix('A') {
        Some(rest) => format!("B{rest}"),
        None => format!("A{}", sealed.split_at(1).1),
    };
    let cases = [
        good.split_at(good.len() / 2).0.to_owned(),
        String::new(),
        "[]".to_owned(),
        with("version", 2.into()),
        with("generation", "00".repeat(24).into()),
        with("generation", generation.split_at(2).1.into()),
        with("generation", "x".into()),
        with("sealed", flipped.into()),
        with("sealed", sealed.split_at(4).1.into()),
        with("sealed", "".into()),
        with("sealed", "?".into()),
    ];
    for spoilt in cases {
        fs::write(folder.path().join(NAME), &spoilt).unwrap();
        assert!(one.load().await.unwrap().is_none(), "{spoilt}");
    }
    fs::write(folder.path().join(NAME), &good).unwrap();
    assert_eq!(token(&one.load().await.unwrap().unwrap().0), "1");

    let moved = named(folder.path(), "session-you.json", secrets_in(folder.path()));
    fs::write(folder.path().join("session-you.json"), &good).unwrap();
    assert!(
        moved.load().await.unwrap().is_none(),
        "the file of another name"
    );

    let elsewhere = tempfile::tempdir().unwrap();
    let changed = named(folder.path(), NAME, secrets_in(elsewhere.path()));
    assert!(changed.load().await.unwrap().is_none(), "another key");
    let renewed = changed
        .renew(None, async |before| {
            assert!(before.is_none());
            Ok::<_, ()>(saved("2"))
        })
        .await;
    assert_eq!(token(&renewed.unwrap().0), "2");
    assert_eq!(token(&changed.load().await.unwrap().unwrap().0), "2");
}

#[tokio::test]
async fn a_spoilt_file_is_logged_once_until_there_is_a_good_one() {
    listen();
    let folder = tempfile::tempdir().unwrap();
    let name = "session-spoilt.json";
    let one = named(folder.path(), name, secrets_in(folder.path()));
    for lines in [1, 2] {
        one.save(&saved("1")).await.unwrap();
        assert!(one.load().await.unwrap().is_some());
        fs::write(folder.path().join(name), "{").unwrap();
        for _ in 0..3 {
            assert!(one.load().await.unwrap().is_none());
            assert_eq!(lines_with(name).len(), lines);
        }
    }
}

#[tokio::test]
async fn without_a_key_nothing_is_read_or_written() {
    let folder = tempfile::tempdir().unwrap();
    file(folder.path()).save(&saved("1")).await.unwrap();
    let before = content(folder.path());
    let key = || {
        Err(secrets::Error::Damaged {
            name: "session".into(),
        })
    };
    let keyless = SessionFile::new(StateDir::at(folder.path().to_owned()), NAME, Arc::new(key));
    let is_damaged = |error: &Error| matches!(error, Error::Key(secrets::Error::Damaged { .. }));
    assert!(is_damaged(&keyless.load().await.unwrap_err()));
    assert!(is_damaged(&keyless.save(&saved("2")).await.unwrap_err()));
    assert_eq!(content(folder.path()), before);
}

#[tokio::test]
async fn a_folder_that_is_none_is_an_error() {
    let place = tempfile::NamedTempFile::new().unwrap();
    let keys = tempfile::tempdir().unwrap();
    let nowhere = named(place.path(), NAME, secrets_in(keys.path()));
    for error in [
        nowhere.save(&saved("1")).await.map(drop).unwrap_err(),
        nowhere.load().await.map(drop).unwrap_err(),
    ] {
        assert!(
            matches!(error, Error::State(state::Error::Io { .. })),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn two_processes_that_renew_at_once_run_one_renewal() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (file(folder.path()), file(folder.path()));
    let used = one.save(&saved("1")).await.unwrap();
    let runs = AtomicUsize::new(0);
    let renew = async |before: Option<Saved>| {
        assert_eq!(token(&before.unwrap()), "1");
        runs.fetch_add(1, Ordering::SeqCst);
        // Long enough for the other to find the lock held.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        Ok::<_, ()>(saved("2"))
    };
    let (first, second) = tokio::join!(
        one.renew(Some(&used), renew),
        other.renew(Some(&used), renew)
    );
    let ((first, generation), (second, same)) = (first.unwrap(), second.unwrap());
    assert_eq!((token(&first), token(&second)), ("2", "2"));
    assert_eq!(generation, same);
    assert_eq!(runs.load(Ordering::SeqCst), 1);

    let late = one.renew(Some(&used), never).await.unwrap();
    assert_eq!((token(&late.0), late.1), ("2", generation.clone()));
    let without_any = other.renew(None, never).await.unwrap();
    assert_eq!(without_any.1, generation);
}

#[tokio::test]
async fn a_failed_renewal_changes_nothing_and_the_next_may_try() {
    let folder = tempfile::tempdir().unwrap();
    let one = file(folder.path());
    let used = one.save(&saved("1")).await.unwrap();
    let failed = one.renew(Some(&used), async |_| Err("no")).await;
    assert!(matches!(failed, Err(Renewal::Failed("no"))), "{failed:?}");
    assert_eq!(one.generation().await.unwrap(), Some(used.clone()));
    let next = one.renew(Some(&used), async |_| Ok::<_, ()>(saved("2")));
    assert_eq!(token(&next.await.unwrap().0), "2");
}

#[tokio::test]
async fn dropping_a_renewal_frees_it_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (file(folder.path()), file(folder.path()));
    let used = one.save(&saved("1")).await.unwrap();
    let begun = Arc::new(Notify::new());
    let hanging = tokio::spawn({
        let (used, begun) = (used.clone(), Arc::clone(&begun));
        async move {
            let hang = async |_: Option<Saved>| {
                begun.notify_one();
                std::future::pending::<Result<Saved, ()>>().await
            };
            one.renew(Some(&used), hang).await.map(drop)
        }
    });
    begun.notified().await;
    let short = other.clone().waiting(Duration::from_millis(60));
    let start = Instant::now();
    let refused = short.renew(Some(&used), never).await;
    assert!(
        matches!(refused, Err(Renewal::File(Error::Busy))),
        "{refused:?}"
    );
    assert!(start.elapsed() >= Duration::from_millis(60));
    assert!(matches!(short.save(&saved("3")).await, Err(Error::Busy)));
    assert!(matches!(short.remove().await, Err(Error::Busy)));
    assert_eq!(token(&short.load().await.unwrap().unwrap().0), "1");

    hanging.abort();
    assert!(hanging.await.unwrap_err().is_cancelled());
    let next = other.renew(Some(&used), async |_| Ok::<_, ()>(saved("2")));
    assert_eq!(token(&next.await.unwrap().0), "2");
}

#[tokio::test]
async fn the_lock_is_held_until_the_writing_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let (state, secrets) = (
        StateDir::at(folder.path().to_owned()),
        secrets_in(folder.path()),
    );
    let asked = Arc::new(AtomicUsize::new(0));
    let key = {
        let (state, asked) = (state.clone(), Arc::clone(&asked));
        move || {
            assert!(state.try_lock(NAME).unwrap().is_none(), "the lock is free");
            asked.fetch_add(1, Ordering::SeqCst);
            secrets.key("session")
        }
    };
    let one = SessionFile::new(state.clone(), NAME, Arc::new(key));
    one.save(&saved("1")).await.unwrap();
    let renewed = one.renew(None, never).await.unwrap();
    let renew = async |_| Ok::<_, ()>(saved("2"));
    one.renew(Some(&renewed.1), renew).await.unwrap();
    assert_eq!(
        asked.load(Ordering::SeqCst),
        4,
        "two readings and two writings"
    );
    assert!(state.try_lock(NAME).unwrap().is_some());
}

#[tokio::test]
async fn a_waiter_that_leaves_keeps_no_lock() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (file(folder.path()), file(folder.path()));
    let waiter = one.clone();
    let renewed: Result<(Saved, Generation), Renewal<()>> = one
        .renew(None, async |_| {
            let late = saved("9");
            let short = tokio::time::timeout(Duration::from_millis(50), waiter.save(&late));
            assert!(short.await.is_err(), "the lock was not held");
            Ok(saved("1"))
        })
        .await;
    let (_, generation) = renewed.unwrap();
    let next = other.renew(Some(&generation), async |before| {
        Ok::<_, ()>(before.unwrap())
    });
    assert_eq!(token(&next.await.unwrap().0), "1");
}
