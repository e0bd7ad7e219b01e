//! What each state of a token tells the next caller, and which reports count.

use idempotency::{Book, Claim, Error, LONGEST_LEASE, Limits, Outcome, RETENTION};
use serde_json::{Value, json};

use crate::{
    Desk, LEASE, at, call, key, millis,
    script::{doubt, play},
};

#[test]
fn a_write_that_ends_well_is_replayed() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 B claim", "in progress by A until 60"),
        ("2 A note m", "noted"),
        ("3 B claim", "in progress by A until 60"),
        ("4 A done r", "r"),
        ("5 B claim", "r by A"),
        ("6 B claim other", "conflict with A"),
        ("900000 C claim", "r by A"),
    ]);
}

#[test]
fn other_arguments_conflict_in_every_state() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 B claim other", "conflict with A"),
        ("2 A note m", "noted"),
        ("3 B claim other", "conflict with A"),
        ("60 B claim other", "conflict with A"),
        ("61 A unknown", "unknown"),
        ("62 B claim other", "conflict with A"),
        (
            "63 C claim",
            "unknown since 61, A noted m, first at 2, ended, to settle until 123",
        ),
        ("64 B claim other", "conflict with C"),
    ]);
}

#[test]
fn a_token_is_free_again_when_nothing_was_sent() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A release", "released"),
        ("2 A release", "lost"),
        ("3 A note m", "lost"),
        ("4 B claim other", "fresh until 64"),
        ("5 A release", "lost"),
        ("6 A note m", "lost"),
        ("7 A unknown", "lost"),
        ("8 A nothing", "lost"),
        ("9 A done r", "lost"),
        ("10 C claim other", "in progress by B until 64"),
    ]);
}

#[test]
fn a_token_is_free_again_when_the_service_refused() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("2 A nothing", "nothing"),
        ("3 B claim other", "fresh until 63"),
    ]);
}

#[test]
fn what_was_noted_cannot_be_released() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("2 A release", "refused: noted"),
        ("3 B claim", "in progress by A until 60"),
        (
            "60 B claim",
            "unknown since 60, A noted m, first at 1, not ended, to settle until 120",
        ),
        ("61 A release", "lost"),
        ("62 B release", "refused: noted"),
    ]);
}

#[test]
fn a_lease_ends_to_the_second_and_leaves_doubt() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("59 B claim", "in progress by A until 60"),
        ("60 A note m", "lost"),
        (
            "60 B claim",
            "unknown since 60, A sent nothing, to settle until 120",
        ),
        ("61 C claim", "in progress by B until 120"),
        ("61 A note m", "lost"),
        ("62 B note m", "lost"),
        ("62 B release", "released"),
        ("63 B claim", "fresh until 123"),
    ]);
}

#[test]
fn one_call_at_a_time_settles() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("2 A unknown", "unknown"),
        (
            "3 B claim",
            "unknown since 2, A noted m, first at 1, ended, to settle until 63",
        ),
        ("4 C claim", "in progress by B until 63"),
        ("5 B unknown", "unknown"),
        (
            "6 C claim",
            "unknown since 2, A noted m, first at 1, ended, to settle until 66",
        ),
        ("7 B unknown", "unknown"),
        ("8 B claim", "in progress by C until 66"),
        (
            "66 B claim",
            "unknown since 2, A noted m, first at 1, ended, to settle until 126",
        ),
        ("67 B done r", "r"),
        ("68 C unknown", "r"),
        ("69 C nothing", "r"),
        ("70 C done other", "r"),
        ("71 D claim", "r by B"),
    ]);
}

#[test]
fn a_late_result_is_the_truth() {
    for verdict in ["unknown", "nothing"] {
        let late = format!("63 B {verdict}");
        play(&[
            ("0 A claim", "fresh until 60"),
            ("1 A note m", "noted"),
            (
                "61 B claim",
                "unknown since 60, A noted m, first at 1, not ended, to settle until 121",
            ),
            ("62 A done r", "r"),
            (&late, "r"),
            ("64 B claim", "r by A"),
        ]);
    }
    // At rest, and with nobody in between.
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("2 A unknown", "unknown"),
        ("3 A done r", "r"),
        ("4 B claim", "r by A"),
    ]);
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("999 A done r", "r"),
    ]);
}

#[test]
fn a_late_refusal_counts_while_nobody_else_has_sent() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        (
            "61 B claim",
            "unknown since 60, A noted m, first at 1, not ended, to settle until 121",
        ),
        ("62 A nothing", "nothing"),
        ("63 B note m", "lost"),
        ("64 B unknown", "lost"),
        ("65 C claim", "fresh until 125"),
    ]);
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        (
            "61 B claim",
            "unknown since 60, A noted m, first at 1, not ended, to settle until 121",
        ),
        ("62 B note again", "noted"),
        ("63 A nothing", "unknown"),
        ("64 C claim", "in progress by B until 121"),
        ("65 B unknown", "unknown"),
        (
            "66 C claim",
            "unknown since 65, B noted again, first at 1, ended, to settle until 126",
        ),
        ("67 C nothing", "nothing"),
        ("68 D claim", "fresh until 128"),
    ]);
}

#[test]
fn a_late_doubt_only_says_that_the_attempt_is_over() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        (
            "61 B claim",
            "unknown since 60, A noted m, first at 1, not ended, to settle until 121",
        ),
        ("62 A unknown", "unknown"),
        ("63 C claim", "in progress by B until 121"),
        (
            "121 C claim",
            "unknown since 60, A noted m, first at 1, ended, to settle until 181",
        ),
    ]);
}

#[test]
fn every_sender_must_have_ended() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        (
            "60 B claim",
            "unknown since 60, A noted m, first at 1, not ended, to settle until 120",
        ),
        ("61 B note m", "noted"),
        ("62 B unknown", "unknown"),
        (
            "63 C claim",
            "unknown since 62, B noted m, first at 1, not ended, to settle until 123",
        ),
        ("64 C unknown", "unknown"),
        ("65 A unknown", "unknown"),
        (
            "66 C claim",
            "unknown since 62, B noted m, first at 1, ended, to settle until 126",
        ),
    ]);
}

#[test]
fn a_note_may_be_filled_in_and_starts_no_other_attempt() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("2 A note more", "noted"),
        (
            "60 B claim",
            "unknown since 60, A noted more, first at 1, not ended, to settle until 120",
        ),
        ("61 A nothing", "nothing"),
    ]);
}

#[test]
fn a_call_that_settles_its_own_write_starts_another_attempt() {
    play(&[
        ("0 A claim", "fresh until 60"),
        ("1 A note m", "noted"),
        ("2 A unknown", "unknown"),
        (
            "3 A claim",
            "unknown since 2, A noted m, first at 1, ended, to settle until 63",
        ),
        ("4 A note m", "noted"),
        (
            "63 B claim",
            "unknown since 63, A noted m, first at 1, not ended, to settle until 123",
        ),
    ]);
}

#[test]
fn a_clock_that_goes_back_starts_the_lease_anew_and_makes_it_no_longer() {
    play(&[
        ("1000 A claim", "fresh until 1060"),
        ("0 B claim", "in progress by A until 60"),
        ("30 B claim", "in progress by A until 60"),
        (
            "60 B claim",
            "unknown since 60, A sent nothing, to settle until 120",
        ),
        ("-500 C claim", "in progress by B until -440"),
        (
            "-440 C claim",
            "unknown since 60, B sent nothing, to settle until -380",
        ),
    ]);
}

#[test]
fn no_lease_is_longer_than_the_longest() {
    let mut desk = Desk::new();
    let forever = LEASE * 1_000_000;
    let limits = Limits::default();
    let claim = desk
        .book
        .claim(at(0), &limits, &key("t"), "h", call("A"), forever);
    let Ok(Claim::Fresh(hold)) = claim else {
        panic!("{claim:?}");
    };
    assert_eq!(hold.until(), at(LONGEST_LEASE.as_secs() as i64));
}

#[test]
fn accounts_and_key_spaces_are_apart() {
    let mut desk = Desk::new();
    for (account, space) in [("a", "x"), ("a", "y"), ("b", "x")] {
        let mut key = key("same-token");
        (key.account, key.space) = (account.to_owned(), space.to_owned());
        let limits = Limits::default();
        let claim = desk.book.claim(at(0), &limits, &key, "h", call("A"), LEASE);
        assert!(matches!(claim, Ok(Claim::Fresh(_))), "{claim:?}");
    }
}

#[test]
fn results_and_memos_come_back_as_they_were() {
    let values = [
        Value::Null,
        json!(1),
        json!(1.5),
        json!("文"),
        json!([1, null]),
        json!({"b": 18446744073709551615u64, "a": {"座": "\u{0}\n"}}),
    ];
    for value in values {
        let mut desk = Desk::new();
        let Claim::Fresh(hold) = desk.claim(at(0), &Limits::default(), "A") else {
            panic!("not fresh");
        };
        desk.book.note(at(1), &hold, &value).unwrap();
        let listed = desk.book.unsettled(at(60), None).unwrap();
        assert_eq!(listed[0].doubt.note.as_ref().unwrap().memo, value);
        let done = Outcome::Done(value.clone());
        assert_eq!(desk.book.settle(at(61), &hold, &done).unwrap(), done);
        let (result, call) = (value, call("A"));
        let claim = desk.claim(at(62), &Limits::default(), "A");
        assert_eq!(claim, Claim::Done { result, call });
    }
}

#[test]
fn what_may_have_happened_is_listed_until_it_is_settled() {
    let mut desk = Desk::new();
    let mut hold = |token: &str, second| match desk.claim(at(second), &Limits::default(), token) {
        Claim::Fresh(hold) | Claim::Unknown(hold, _) => hold,
        other => panic!("{other:?}"),
    };
    let holds: Vec<_> = ["silent", "done", "lost", "vanished", "settling"]
        .map(|token| hold(token, 0))
        .into();
    for (second, hold) in (1..).zip(&holds).skip(1) {
        desk.book.note(at(second), hold, &json!("m")).unwrap();
    }
    let settle = |book: &mut Book, second, hold, outcome| {
        book.settle(at(second), hold, &outcome).unwrap();
    };
    settle(&mut desk.book, 11, &holds[1], Outcome::Done(json!("r")));
    settle(&mut desk.book, 12, &holds[2], Outcome::Unknown);
    let listed = |desk: &Desk, second, account| -> Vec<String> {
        desk.book
            .unsettled(at(second), account)
            .unwrap()
            .iter()
            .map(|one| format!("{}: {}", one.key.token, doubt(&one.doubt)))
            .collect()
    };
    let lost = "lost: unknown since 12, lost noted m, first at 3, ended";
    let vanished = "vanished: unknown since 60, vanished noted m, first at 4, not ended";
    let settling = "settling: unknown since 60, settling noted m, first at 5, not ended";
    assert_eq!(listed(&desk, 59, None), [lost]);
    assert_eq!(listed(&desk, 60, Some("me")), [lost, vanished, settling]);
    assert_eq!(listed(&desk, 60, Some("you")), [""; 0]);
    let claim = desk.claim(at(61), &Limits::default(), "settling");
    assert!(matches!(claim, Claim::Unknown(..)), "{claim:?}");
    assert_eq!(listed(&desk, 62, None), [lost, vanished, settling]);
    settle(&mut desk.book, 63, &holds[4], Outcome::Nothing);
    assert_eq!(listed(&desk, 64, None), [lost, vanished]);
}

#[test]
fn results_are_kept_for_thirty_days_and_doubts_until_settled() {
    let mut desk = Desk::new();
    for token in ["released", "silent", "doubtful", "done"] {
        let Claim::Fresh(hold) = desk.claim(at(-60), &Limits::default(), token) else {
            panic!("not fresh");
        };
        let book = &mut desk.book;
        match token {
            "doubtful" => book.note(at(-60), &hold, &Value::Null).unwrap(),
            "done" => {
                book.note(at(-60), &hold, &Value::Null).unwrap();
                let done = Outcome::Done(json!("r"));
                book.settle(at(0), &hold, &done).unwrap();
            }
            _ => {}
        }
    }
    let month = RETENTION.as_millis() as i64;
    assert_eq!(desk.book.prune(millis(month)).unwrap(), 0);
    assert_eq!(desk.book.prune(millis(month + 1)).unwrap(), 3);
    assert_eq!(desk.book.prune(millis(20 * month)).unwrap(), 0);
    for (token, fresh) in [("done", true), ("silent", true), ("doubtful", false)] {
        let claim = desk.claim(millis(20 * month), &Limits::default(), token);
        assert_eq!(matches!(claim, Claim::Fresh(_)), fresh, "{token}");
    }
}

#[test]
fn a_file_that_is_no_book_and_a_row_that_is_damaged_are_told() {
    let mut desk = Desk::new();
    let other = desk.path.with_file_name("letter");
    std::fs::write(
        &other,
        "a letter, long enough to be taken for a header".repeat(9),
    )
    .unwrap();
    let error = Book::open(&other).unwrap_err();
    let expected = format!("cannot open {}: file is not a database", other.display());
    assert!(
        matches!(error, Error::State(_)) && error.to_string() == expected,
        "{error}"
    );

    desk.claim(at(0), &Limits::default(), "token");
    let connection = rusqlite::Connection::open(&desk.path).unwrap();
    connection
        .execute_batch("UPDATE claims SET call = 'me'")
        .unwrap();
    let claim = desk.book.claim(
        at(1),
        &Limits::default(),
        &key("token"),
        "h",
        call("A"),
        LEASE,
    );
    assert!(matches!(claim, Err(Error::Sqlite(_))), "{claim:?}");
}

#[test]
fn errors_say_what_was_refused() {
    let cases = [
        (Error::Lost, "the claim on the token is lost"),
        (Error::Noted, "the write may have been sent already"),
    ];
    for (error, expected) in cases {
        assert_eq!(error.to_string(), expected);
    }
}
