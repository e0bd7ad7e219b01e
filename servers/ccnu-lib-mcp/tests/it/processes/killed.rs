//! Processes that are killed in the middle of a booking, at every step of it.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use fixtures::{
    ccnu::HoldAt,
    mcp::{Client, Era, Pending},
    shell::{TWO_SECONDS, audit_rows},
    upstream::Hold,
};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Place, RESERVE, wish};
use crate::world::launch;

/// How long a test waits for a step of the server.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where a process dies.
#[derive(Clone, Copy, Debug)]
enum Death {
    /// The account was proven; the claim waits for the book.
    BeforeTheClaim,
    /// The token is claimed; the last reads are under way.
    Claimed,
    /// All is read; the start of the audit waits for its log.
    BeforeTheAudit,
    /// The audit was started; the note waits for the book.
    BeforeTheNote,
    /// Noted and sent; the service has not done it, and never will.
    Sent,
    /// The same, but the service does it after the process is gone.
    SentAndDoneLater,
    /// The service has done it; its answer is on the way.
    Done,
    /// It was answered and read back; the report waits for the book.
    BeforeTheReport,
    /// It was reported and told; the end of the audit waits for its log.
    BeforeTheEndOfTheAudit,
}

const DEATHS: [Death; 9] = [
    Death::BeforeTheClaim,
    Death::Claimed,
    Death::BeforeTheAudit,
    Death::BeforeTheNote,
    Death::Sent,
    Death::SentAndDoneLater,
    Death::Done,
    Death::BeforeTheReport,
    Death::BeforeTheEndOfTheAudit,
];

/// Rounds per era through all deaths: 54 in all.
const LAPS: usize = 3;

/// Keeps every other process from writing to a database.
struct Gate(#[expect(dead_code, reason = "closed while it lives")] Connection);

impl Gate {
    fn close(data: &Path, file: &str) -> Self {
        let database = Connection::open(data.join(file)).unwrap();
        database.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self(database)
    }
}

/// The one number that a question to a database gives.
fn count(data: &Path, file: &str, question: &str) -> i64 {
    let database = Connection::open(data.join(file)).unwrap();
    database.query_row(question, [], |row| row.get(0)).unwrap()
}

fn starts(data: &Path) -> i64 {
    let question = "SELECT count(*) FROM log WHERE tool = 'reserve_seat' AND phase = 'start'";
    count(data, "audit.db", question)
}

fn results(data: &Path) -> i64 {
    count(
        data,
        "writes.db",
        "SELECT count(*) FROM claims WHERE result IS NOT NULL",
    )
}

/// Waits for what nobody tells of.
fn until(reached: impl Fn() -> bool) {
    let begin = Instant::now();
    while !reached() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain");
        thread::yield_now();
    }
}

impl Place {
    /// Begins a booking that stops in the middle of its last read, which has been answered.
    fn begun(&self, client: &Client, wish: &Value, at: HoldAt) -> (Pending, Hold) {
        let hold = self.fake.hold("getEndTimes", at);
        let call = client.begin_call(RESERVE, wish.clone());
        hold.wait_reached(1);
        (call, hold)
    }

    /// Begins a booking that stops at the service.
    fn sent_off(&self, client: &Client, wish: &Value, at: HoldAt) -> (Pending, Hold) {
        let hold = self.fake.hold("freeBook", at);
        let call = client.begin_call(RESERVE, wish.clone());
        hold.wait_reached(1);
        (call, hold)
    }

    /// Lets a process die.
    fn die(&self, death: Death, client: &Client, wish: &Value) {
        let (fake, data) = (&self.fake, self.data.path());
        match death {
            Death::BeforeTheClaim => {
                let _gate = Gate::close(data, "writes.db");
                let asked = fake.journal().of("getUserInfo").len();
                client.begin_call(RESERVE, wish.clone());
                fake.journal().wait_for_route("getUserInfo", asked + 1);
                kill(client);
            }
            Death::Claimed => {
                let (_, hold) = self.begun(client, wish, HoldAt::Arrival);
                kill(client);
                hold.release();
            }
            Death::BeforeTheAudit => {
                let (_, hold) = self.begun(client, wish, HoldAt::Effect);
                let _gate = Gate::close(data, "audit.db");
                hold.release();
                kill(client);
            }
            Death::BeforeTheNote => {
                let (_, hold) = self.begun(client, wish, HoldAt::Effect);
                let (_gate, before) = (Gate::close(data, "writes.db"), starts(data));
                hold.release();
                until(|| starts(data) > before);
                kill(client);
            }
            Death::Sent => {
                let (_, _kept) = self.sent_off(client, wish, HoldAt::Arrival);
                kill(client);
            }
            Death::SentAndDoneLater => {
                let (_, hold) = self.sent_off(client, wish, HoldAt::Arrival);
                let done = fake.count("freeBook");
                kill(client);
                hold.release();
                until(|| fake.count("freeBook") > done);
            }
            Death::Done => {
                let (_, hold) = self.sent_off(client, wish, HoldAt::Effect);
                kill(client);
                hold.release();
            }
            Death::BeforeTheReport => {
                let (_, hold) = self.sent_off(client, wish, HoldAt::Effect);
                let read_back = fake.hold("currentUseMake", HoldAt::Effect);
                hold.release();
                read_back.wait_reached(1);
                let _gate = Gate::close(data, "writes.db");
                read_back.release();
                kill(client);
            }
            Death::BeforeTheEndOfTheAudit => {
                let (call, hold) = self.sent_off(client, wish, HoldAt::Effect);
                let (_gate, before) = (Gate::close(data, "audit.db"), results(data));
                hold.release();
                until(|| results(data) > before);
                assert_eq!(client.finish_call(&call).structured["ok"], true);
                kill(client);
            }
        }
    }
}

fn kill(client: &Client) {
    client.kill();
    assert_eq!(client.wait_exit(TWO_SECONDS).unwrap().code(), None);
}

#[test]
fn a_killed_process_has_booked_at_most_once() {
    thread::scope(|scope| {
        for era in Era::ALL {
            scope.spawn(move || rounds(era));
        }
    });
}

fn rounds(era: Era) {
    let place = Place::new();
    let Place { fake, data } = &place;
    fake.switch(|switches| switches.cancels_a_day = 1_000);
    // Both databases are there, so that a gate can be closed before a process has opened them.
    let first = place.start(era);
    assert_eq!(
        first.call(RESERVE, wish("booking-first")).structured["status"],
        "reserved"
    );
    take_back(&first);
    drop(first);
    for lap in 0..LAPS {
        for death in DEATHS {
            let wish = wish(&format!("booking-{lap}-{death:?}"));
            let (requests, effects) = place.sent();
            let dying = place.start(era);
            place.die(death, &dying, &wish);
            // Its lease is over.
            fake.advance(2);
            let next = place.start(era);
            let answer = next.call(RESERVE, wish.clone());
            let made = fake
                .effects()
                .into_iter()
                .filter(|effect| effect.what == "freeBook");
            let made: Vec<_> = made.skip(effects).collect();
            let sent = fake.journal().of("freeBook").len() - requests;
            let found = json!([
                answer.code(),
                answer.structured["replayed"],
                sent,
                made.len()
            ]);
            let expected = match death {
                // Nothing had been sent.
                Death::BeforeTheClaim
                | Death::Claimed
                | Death::BeforeTheAudit
                | Death::BeforeTheNote => json!([null, false, 1, 1]),
                Death::Sent => json!(["OUTCOME_UNKNOWN", null, 1, 0]),
                Death::SentAndDoneLater
                | Death::Done
                | Death::BeforeTheReport
                | Death::BeforeTheEndOfTheAudit => json!([null, true, 1, 1]),
            };
            assert_eq!(found, expected, "{era:?} {lap} {death:?}: {}", answer.text);
            let again = next.call(RESERVE, wish);
            if let Some(made) = made.first() {
                for answer in [&answer, &again] {
                    assert_eq!(
                        answer.structured["reservation_id"], made.booking,
                        "{death:?}"
                    );
                }
                take_back(&next);
            } else {
                assert_eq!(again.code(), Some("OUTCOME_UNKNOWN"), "{death:?}");
            }
            assert_eq!(
                fake.journal().of("freeBook").len() - requests,
                1,
                "{death:?}"
            );
        }
    }
    // Every write that may have been sent stands in the audit, whatever became of its process.
    let rows = audit_rows(&launch().binary, data.path());
    let rows = rows
        .iter()
        .filter(|row| row["tool"] == RESERVE && row["phase"] == "start");
    assert!(rows.count() >= place.sent().0);
}

fn take_back(client: &Client) {
    let answer = client.call("cancel_reservation", json!({}));
    assert_eq!(answer.structured["status"], "cancelled", "{}", answer.text);
}
