//! Reserving a seat.

mod answers;
mod checks;
pub(crate) mod doubt;
mod tokens;

use fixtures::{
    ccnu::{Ccnu, Switches},
    mcp::{Answer, Both},
    upstream::Fault,
};
use serde_json::{Value, json};

use crate::{
    reservations::{TODAY, id, record, window, with},
    world::{PASSWORD, READER, signed_in, world},
};

const RESERVE: &str = "reserve_seat";
const TOKEN: &str = "booking-0001";

/// Seat N1167 from 14:00 to 16:00 today.
fn wish() -> Value {
    with(any(), json!({ "seat_id": Ccnu::N1167 }))
}

/// The same without a seat.
fn any() -> Value {
    json!({ "date": TODAY, "start_time": "14:00", "end_time": "16:00", "client_token": TOKEN })
}

fn reserve(both: &Both<Ccnu>, arguments: Value) -> Answer {
    both.call(RESERVE, arguments)
}

/// The answer to the first booking, of [`wish`].
fn reserved() -> Value {
    let written = json!({ "client_token": TOKEN, "replayed": false });
    let record = with(
        record(1, TODAY, "14:00", "16:00"),
        window(TODAY, "13:30", "14:30"),
    );
    with(record, written)
}

/// [`READER`] is signed in to a system that was set otherwise from the start.
fn signed_in_where(change: impl Fn(&mut Switches)) -> Both<Ccnu> {
    let both = world();
    both.each(|fake| {
        fake.switch(|switches| {
            switches.captcha = false;
            change(switches);
        });
    });
    let account = json!({ "username": READER, "password": PASSWORD });
    assert_eq!(
        both.call("start_login", account).structured["logged_in"],
        true
    );
    both
}

/// How often a booking was sent, and how often it took effect.
fn sent(fake: &Ccnu) -> (usize, usize) {
    (fake.journal().of("freeBook").len(), fake.count("freeBook"))
}

/// An answer that says yes, with that data.
fn told(data: Value) -> Fault {
    Fault::Body(
        json!({ "status": true, "code": 200, "message": "操作成功", "data": data }).to_string(),
    )
}

#[test]
fn a_seat_is_reserved_once_and_read_back() {
    let both = signed_in();
    let before = both.worlds()[0].fake.journal().all().len();
    assert_eq!(reserve(&both, wish()).structured, reserved());
    both.each(|fake| {
        let seen = fake.journal().all().split_off(before);
        let routes: Vec<_> = seen.iter().map(|seen| seen.route).collect();
        assert_eq!(
            routes,
            [
                "getUserInfo",
                "buildingFloorDate",
                "getUserInfo",
                "currentUseMake",
                "lastMake",
                "getStartTimes",
                "getEndTimes",
                "freeBook",
                "currentUseMake",
            ]
        );
        let booking = fake.journal().of("freeBook").remove(0);
        let path = format!(
            "/jsq/static/frontApi/make/freeBook/{}/{TODAY}/840/960",
            Ccnu::N1167
        );
        assert_eq!(booking.path, path);
        assert_eq!(
            booking.query,
            [("capToken".to_owned(), "capToken".to_owned())]
        );
        assert_eq!(fake.status(&id(1)), "RESERVE");
    });
    assert_eq!(
        both.call("get_current_reservation", json!({})).structured["reservation_id"],
        id(1)
    );
}

#[test]
fn one_is_made_for_the_day_that_was_named() {
    let both = signed_in_where(|switches| switches.tomorrow_from = 600);
    for (date, expected) in [
        ("明天", "2026-06-26"),
        ("today", TODAY),
        ("+1", "2026-06-26"),
    ] {
        let tried = with(wish(), json!({ "date": date, "dry_run": true }));
        assert_eq!(reserve(&both, tried).structured["date"], expected);
    }
    // The answer of some schools has no id, which is read back with the rest.
    both.each(|fake| fake.switch(|switches| switches.book_id = false));
    let tomorrow = with(
        record(1, "2026-06-26", "14:00", "16:00"),
        window("2026-06-26", "13:30", "14:30"),
    );
    assert_eq!(
        reserve(&both, with(wish(), json!({ "date": "明天" }))).structured,
        with(
            tomorrow,
            json!({ "client_token": TOKEN, "replayed": false })
        )
    );
}

/// The seat that a strategy would take in the atrium, where other readers hold nothing but what is
/// said here.
fn would_take(strategy: Option<&str>, taken: &[&str], script: impl Fn(&Ccnu)) -> Value {
    let both = signed_in_where(|switches| switches.crowd = false);
    both.each(|fake| {
        for seat in taken {
            fake.occupy(seat, TODAY, 900, 930, "IN_USE");
        }
        script(fake);
    });
    let mut tried = with(
        any(),
        json!({ "location_id": Ccnu::ATRIUM, "dry_run": true }),
    );
    if let Some(strategy) = strategy {
        tried["strategy"] = json!(strategy);
    }
    let answer = reserve(&both, tried).structured;
    both.each(|fake| assert_eq!(sent(fake), (0, 0)));
    match answer["seat_no"].as_str() {
        Some(seat) => json!(seat),
        None => json!([answer["code"], answer["data"]["seats_checked"]]),
    }
}

#[test]
fn the_first_is_the_lowest_number_that_is_free_all_along() {
    let nothing = |_: &Ccnu| {};
    assert_eq!(would_take(None, &[], nothing), "N1001");
    assert_eq!(would_take(Some("first_available"), &[], nothing), "N1001");
    assert_eq!(
        would_take(None, &["N1001", "N1002", "N1004"], nothing),
        "N1003"
    );
    // What the list calls free is proven: these two are not offered from begin to end.
    let unproven = |fake: &Ccnu| {
        fake.fault(
            "getStartTimes",
            1,
            told(json!([["now", "现在"], ["870", "14:30"]])),
        );
        fake.fault("getEndTimes", 1, told(json!([["930", "15:30"]])));
    };
    assert_eq!(would_take(None, &["N1002"], unproven), "N1004");
    // And not for ever.
    let never = |fake: &Ccnu| fake.fault("getStartTimes", 8, told(json!([])));
    assert_eq!(would_take(None, &[], never), json!(["NO_SEAT", 8]));
    let none_free = |fake: &Ccnu| fake.fault("freeSeatIdsDuration", 1, told(json!({})));
    assert_eq!(would_take(None, &[], none_free), json!(["NO_SEAT", 0]));
}

#[test]
fn what_was_not_looked_at_is_not_called_taken() {
    let both = signed_in_where(|switches| switches.crowd = false);
    let first = with(any(), json!({ "location_id": Ccnu::ATRIUM }));
    both.each(|fake| fake.fault("getStartTimes", 8, told(json!([]))));
    let free = json!({ "area_filter": "N", "location_id": Ccnu::ATRIUM, "limit": 1 });
    let span = json!({ "date": TODAY, "start_time": "14:00", "end_time": "16:00" });
    let free = both
        .call("list_available_seats", with(free, span))
        .structured["total_free"]
        .clone();
    let free = free.as_u64().unwrap();
    assert_eq!(
        reserve(&both, first).structured,
        json!({
            "ok": false, "code": "NO_SEAT", "retryable": true,
            "message": format!(
                "列表中有 {free} 个空闲座位，逐个核实了 8 个，都不是整段空闲；其余 {} 个没有核实", free - 8
            ),
            "next": "用 find_seats 查其余座位，再以 exact_seat 预约；或换时段或区域",
            "data": { "seats_checked": 8, "not_checked": free - 8, "client_token": TOKEN },
        })
    );
    both.each(|fake| assert_eq!(sent(fake), (0, 0)));
}

#[test]
fn favourites_come_before_the_others() {
    let favourite = Some("favorite_first");
    let nothing = |_: &Ccnu| {};
    assert_eq!(would_take(favourite, &[], nothing), "N1167");
    assert_eq!(would_take(favourite, &["N1167"], nothing), "N1169");
    assert_eq!(would_take(favourite, &["N1167", "N1169"], nothing), "N1001");
    // Without a list of usual seats, those that were taken most often.
    let often = |fake: &Ccnu| {
        fake.fault("findCommonSeat", 1, told(json!([])));
        fake.set_favourites(READER, &[("N1161", 2), ("N1163", 9)]);
    };
    assert_eq!(would_take(favourite, &[], often), "N1163");
    // Some systems name the label only, of another room too.
    let labels = |fake: &Ccnu| {
        let usual = json!([{ "roomId": "1", "label": "N1005" }, { "roomId": Ccnu::ATRIUM, "label": "N1007" }]);
        fake.fault("findCommonSeat", 1, told(usual));
    };
    assert_eq!(would_take(favourite, &[], labels), "N1007");
}

#[test]
fn a_random_one_is_free_and_not_always_the_same() {
    let both = signed_in();
    let tried =
        json!({ "location_id": Ccnu::ATRIUM, "strategy": "random_available", "dry_run": true });
    let tried = with(any(), tried);
    for world in both.worlds() {
        let seat = || world.client.call(RESERVE, tried.clone()).structured["seat_no"].clone();
        let mut seats: Vec<_> = (0..8)
            .map(|_| seat().as_str().unwrap().to_owned())
            .collect();
        seats.sort();
        seats.dedup();
        assert!(seats.len() > 1, "{seats:?}");
        let booked = with(tried.clone(), json!({ "dry_run": false }));
        let booked = world.client.call(RESERVE, booked);
        assert_eq!(booked.structured["status"], "reserved", "{}", booked.text);
    }
}

#[test]
fn a_seat_may_be_looked_for_in_its_room() {
    let both = signed_in();
    let in_room = |room: &str| {
        let tried = json!({ "location_id": room, "strategy": "exact_seat", "dry_run": true });
        reserve(&both, with(wish(), tried)).structured
    };
    assert_eq!(
        in_room(Ccnu::ATRIUM),
        json!({
            "ok": true, "dry_run": true, "would_be": "reserved", "message": "检查全部通过，没有提交",
            "date": TODAY, "start_time": "14:00", "end_time": "16:00",
            "seat_id": Ccnu::N1167, "seat_no": "N1167",
        })
    );
    let another = in_room("1995332665354928128");
    let said = (&another["code"], &another["data"]["seats_checked"]);
    assert_eq!(said, (&json!("NO_SEAT"), &json!(0)));
    let none = in_room("1995338594917990401");
    assert_eq!(none["code"], "UPSTREAM_REFUSED");
    assert_eq!(
        none["data"],
        json!({ "said": "房间不存在", "untrusted": true })
    );
}
