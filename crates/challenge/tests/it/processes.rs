//! Two processes on one state folder, and what lies in it. Each is a value of its own here, whose
//! end releases its lock as the end of a process does.

use std::fs;

use challenge::{By, Challenges, Lost, OpenError, Pending, Picture, Refused, TakeError};
use serde_json::{Value, json};
use state::StateDir;

use crate::{after, at, captcha_question, field, folder, noon, sms_question};

async fn refused(challenges: &Challenges<u8>, id: &str) -> Refused {
    match challenges.take("one", id, By::Tool).await.unwrap_err() {
        TakeError::Refused(refused) => refused,
        other => panic!("{other:?}"),
    }
}

/// Names of the files in the folder, in order, an owner's as `OWNER`.
fn files(folder: &StateDir) -> Vec<String> {
    let name =
        |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(name).collect();
    for name in &mut names {
        if name.starts_with("challenge-") {
            assert_eq!(
                name.len(),
                "challenge-0123456789abcdef.lock".len(),
                "{name}"
            );
            *name = "challenge-OWNER.lock".to_owned();
        }
    }
    names.sort();
    names
}

#[tokio::test]
async fn another_process_sees_the_question_and_cannot_answer_it() {
    let (_root, folder) = folder();
    let (asker, other) = (at(Some(&folder), noon()), at(Some(&folder), noon()));
    let open = asker.open("one", captcha_question(), 1).await.unwrap();
    let elsewhere = Pending::Elsewhere {
        id: open.id.clone(),
        expires_at: open.expires_at,
    };
    assert_eq!(other.pending("one").await.unwrap(), Some(elsewhere.clone()));
    assert_eq!(refused(&other, &open.id).await, Refused::Elsewhere);
    match other.open("one", sms_question(), 2).await.unwrap_err() {
        OpenError::AlreadyOpen(pending) => assert_eq!(pending, elsewhere),
        error => panic!("{error:?}"),
    }
    assert!(!other.offered(&open.id));
    other.settled(&open.id).await;

    let taken = asker.take("one", &open.id, By::Tool).await.unwrap();
    assert_eq!(taken, (open.clone(), 1));
    let used = Refused::NotPending { by: By::Tool };
    assert_eq!(refused(&other, &open.id).await, used);
    other.open("one", sms_question(), 2).await.unwrap();
    assert!(matches!(
        asker.pending("one").await.unwrap(),
        Some(Pending::Elsewhere { .. })
    ));
}

#[tokio::test]
async fn the_question_of_a_process_that_is_gone_is_lost_to_all() {
    let (_root, folder) = folder();
    let asker = at(Some(&folder), noon());
    let open = asker.open("one", captcha_question(), 1).await.unwrap();
    let used = asker.open("two", captcha_question(), 1).await.unwrap();
    asker.take("two", &used.id, By::Page).await.unwrap();
    drop(asker);
    let next = at(Some(&folder), noon());
    assert_eq!(
        refused(&next, &open.id).await,
        Refused::Lost(Lost::Restarted)
    );
    assert_eq!(next.pending("one").await.unwrap(), None);
    match next.look("two", &used.id).await.unwrap_err() {
        TakeError::Refused(refused) => assert_eq!(refused, Refused::NotPending { by: By::Page }),
        error => panic!("{error:?}"),
    }
    // The lock file of the one that is gone is removed.
    assert_eq!(files(&folder), ["challenges.json", "challenges.json.lock"]);
    next.open("one", captcha_question(), 2).await.unwrap();
    let with_owner = [
        "challenge-OWNER.lock",
        "challenges.json",
        "challenges.json.lock",
    ];
    assert_eq!(files(&folder), with_owner);
    assert_eq!(
        refused(&next, &open.id).await,
        Refused::Lost(Lost::Restarted)
    );
}

#[tokio::test]
async fn a_withdrawn_question_is_lost_to_all() {
    let (_root, folder) = folder();
    let (asker, other) = (at(Some(&folder), noon()), at::<u8>(Some(&folder), noon()));
    let open = asker.open("one", captcha_question(), 1).await.unwrap();
    let kept = asker.open("two", captcha_question(), 2).await.unwrap();
    assert_eq!(
        other.withdraw(Some("one")).await.unwrap(),
        std::slice::from_ref(&open.id)
    );
    assert_eq!(other.withdraw(Some("one")).await.unwrap(), [""; 0]);
    for process in [&asker, &other] {
        assert_eq!(
            refused(process, &open.id).await,
            Refused::Lost(Lost::Withdrawn)
        );
        assert_eq!(process.pending("one").await.unwrap(), None);
    }
    // The account can be asked anew, by whichever process.
    asker.open("one", captcha_question(), 3).await.unwrap();
    assert_eq!(asker.withdraw(None).await.unwrap().len(), 2);
    asker.settled(&kept.id).await;
    assert_eq!(asker.pending("two").await.unwrap(), None);
}

#[tokio::test]
async fn time_is_told_from_restart_and_an_old_id_is_forgotten_after_a_day() {
    const DAY: i64 = 24 * 60 * 60;
    let (_root, folder) = folder();
    let asker = at(Some(&folder), noon());
    let open = asker.open("one", captcha_question(), 1).await.unwrap();
    let look = async |seconds: i64| {
        let later = at::<u8>(Some(&folder), after(seconds));
        refused(&later, &open.id).await
    };
    assert_eq!(look(239).await, Refused::Elsewhere);
    assert_eq!(look(240).await, Refused::Lost(Lost::Expired));
    drop(asker);
    assert_eq!(look(240 + DAY - 1).await, Refused::Lost(Lost::Expired));
    assert_eq!(look(240 + DAY).await, Refused::NotFound);
    let kept: Value = folder.read("challenges.json").unwrap().unwrap();
    assert_eq!(kept, json!({ "owners": [], "challenges": [] }));
}

#[tokio::test]
async fn the_file_says_that_it_was_asked_and_how_it_ended_and_no_more() {
    let (_root, folder) = folder();
    let asker = at(Some(&folder), noon());
    let mut question = captcha_question();
    question.prompt = "canary-prompt".to_owned();
    question.phone_hint = Some("canary-phone".to_owned());
    question.note = Some("canary-note".to_owned());
    question.fields = vec![field("answer", "canary-label", true)];
    question.picture = Some(Picture {
        bytes: b"canary-bytes".to_vec(),
        media_type: "canary/type".to_owned(),
    });
    let open = asker.open("one", question, 1).await.unwrap();
    let file = || -> Value { folder.read("challenges.json").unwrap().unwrap() };
    let owner = file()["owners"][0].as_str().unwrap().to_owned();
    let expected = |standing: Value| {
        let mut record = json!({
            "id": open.id, "account": "one", "kind": "captcha", "state": "pending", "owner": owner,
            "opened_at": "2026-12-01T12:11:00Z", "expires_at": "2026-12-01T12:15:00Z",
        });
        record
            .as_object_mut()
            .unwrap()
            .extend(standing.as_object().unwrap().clone());
        json!({ "owners": [owner], "challenges": [record] })
    };
    assert_eq!(file(), expected(json!({})));
    asker.take("one", &open.id, By::Page).await.unwrap();
    assert_eq!(
        file(),
        expected(json!({ "state": "answered", "by": "page" }))
    );
    for entry in fs::read_dir(folder.path()).unwrap() {
        let text = fs::read(entry.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains("canary"));
    }
}

#[tokio::test]
async fn a_damaged_file_keeps_nobody_from_asking() {
    let (_root, folder) = folder();
    let asker = at(Some(&folder), noon());
    let open = asker.open("one", captcha_question(), 1).await.unwrap();
    fs::write(folder.file("challenges.json"), "{\"owners\": 3").unwrap();
    assert_eq!(refused(&asker, &open.id).await, Refused::NotFound);
    let again = asker.open("one", captcha_question(), 2).await.unwrap();
    let taken = asker.take("one", &again.id, By::Tool).await.unwrap();
    assert_eq!(taken, (again, 2));
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_said_and_nothing_is_asked() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "").unwrap();
    let challenges = at(Some(&StateDir::at(file.join("state"))), noon());
    let error = challenges
        .open("one", captcha_question(), 1)
        .await
        .unwrap_err();
    let OpenError::Failed(challenge::Error::State(state::Error::Io { path, .. })) = error else {
        panic!("{error:?}")
    };
    assert_eq!(path, file.join("state"));
}
