//! Buildings, rooms and seats.

use http_session::drift::Drift;
use serde_json::{Value, json};

use crate::{
    client::{
        Rejected,
        seats::{end_times, favorites, library, locations, seats, start_times, time_line},
        tests::{atrium, recorded},
    },
    domain::{
        seats::{Building, Location, Seat},
        times::StartTime,
    },
};

pub(super) const TYPE: &str = "缺失或类型不同";
pub(super) const FORM: &str = "缺失或格式不同";

pub(super) fn answer(data: Value) -> Value {
    json!({ "status": true, "data": data })
}

pub(super) fn drift(field: &str, problem: &'static str) -> Rejected {
    Rejected::Drift(Drift::new(field, problem))
}

fn building(found: &Building) -> String {
    let hours = found
        .hours
        .map(|hours| format!("{}–{}", hours.opens, hours.closes));
    let floors: Vec<String> = found
        .floors
        .iter()
        .map(|floor| format!("{} {}", floor.floor_id, floor.name))
        .collect();
    let hours = hours.as_deref().unwrap_or("-");
    format!(
        "{} {} {hours}: {}",
        found.building_id,
        found.name,
        floors.join(", ")
    )
}

fn room(found: &Location) -> String {
    let or_dash = |count: Option<u32>| count.map_or("-".to_owned(), |count| count.to_string());
    format!(
        "{} {} {}/{} {} {} {}",
        found.location_id,
        found.path.join("|"),
        found.available,
        found.total,
        or_dash(found.locked),
        or_dash(found.max_minute),
        found.building_id.as_ref().map_or("-", |id| id.as_str()),
    )
}

fn seat(found: &Seat) -> String {
    let Seat {
        seat_id,
        seat_no,
        name,
        available,
        status,
        raw_status,
        ..
    } = found;
    format!("{seat_id} {seat_no} {name} {available} {status:?} {raw_status}")
}

pub(super) fn lines<T>(items: &[T], line: impl Fn(&T) -> String) -> Vec<String> {
    items.iter().map(line).collect()
}

#[test]
fn two_libraries() {
    let ruc = library(recorded("seats_buildings_ruc_20260914")).expect("a library");
    let expected = [
        "1875080631899230208 图书馆 07:00–22:00: 1876808903766937600 B1, \
         1876448627456577536 一楼, 1876448701611872256 二楼, 1876808661059342336 三楼, \
         1876808742844076032 四楼, 1876808803686649856 五楼",
        "1875080659246092288 藏书馆 07:00–22:00: 1876809036554407936 二楼, \
         1876809088236621824 三楼, 1876809139906252800 四楼",
    ];
    assert_eq!(lines(&ruc.buildings, building), expected);
    let dates: Vec<String> = ruc.dates.iter().map(|day| day.to_string()).collect();
    assert_eq!(dates, ["2026-09-14", "2026-09-15"]);
    let ours = library(recorded("seats_buildings_20260625")).expect("a library");
    let expected = [
        "1993950824018821001 主馆图书馆 07:30–22:00: 1993950824018821101 一楼, \
         1993950824018821102 二楼",
        "1993950824018821120 南湖分馆 07:30–22:00: 1993950824018821201 一楼, \
         1993950824018821202 二楼",
    ];
    assert_eq!(lines(&ours.buildings, building), expected);
}

#[test]
fn opening_hours_are_two_times_or_unknown() {
    for (hours, expected) in [
        (json!("07:00 _ 22:00"), "07:00–22:00"),
        (json!("08:00_22:00"), "08:00–22:00"),
        (json!("闭馆"), "-"),
        (json!("22:00 _ 07:00"), "-"),
        (json!(""), "-"),
        (json!(null), "-"),
    ] {
        let sent = json!({ "id": 7, "name": "馆", "seTime": hours, "floors": [] });
        let found = library(answer(json!({ "buildings": [sent], "dates": [] })));
        let found = found.expect("a library").buildings;
        assert_eq!(
            lines(&found, building),
            [format!("7 馆 {expected}: ")],
            "{hours}"
        );
    }
}

#[test]
fn rooms_with_their_seats_counted() {
    let ruc = locations(recorded("seats_rooms_ruc")).expect("rooms");
    let expected = [
        "1878649390807224320 图书馆|B1|B1自习区 41/84 2 900 1875080631899230208",
        "1877625107981111296 图书馆|一楼|1F外文一区 20/76 0 900 1875080631899230208",
        "1877596156269268992 图书馆|一楼|1F外文二区 16/69 0 900 1875080631899230208",
        "1877247337010663424 图书馆|一楼|1F中外文报刊 72/202 0 900 1875080631899230208",
    ];
    assert_eq!(lines(&ruc.locations, room), expected);
    assert_eq!((ruc.total, ruc.next), (Some(4), None));
    let ours = locations(recorded("seats_rooms")).expect("rooms");
    let expected = [
        "1995338594917990400 南湖分馆|一楼|南湖分馆一楼中庭开敞座位区 34/172 0 840 \
         1993950824018821120",
        "1995338850321743872 南湖分馆|二楼|南湖分馆二楼开敞座位区 7/148 2 840 \
         1993950824018821120",
    ];
    assert_eq!(lines(&ours.locations, room), expected);
    assert_eq!((ours.total, ours.next), (Some(2), Some(false)));
}

#[test]
fn seats_sorted_by_number() {
    let free = seats(recorded("seats_free_ruc"), &atrium()).expect("seats");
    let expected = [
        "1878687954123198560 B102 1行1列 true Free FREE",
        "1878687954123198563 B103 2行2列 true Free FREE",
        "1878687954123198561 B104 2行1列 true Free FREE",
    ];
    assert_eq!(lines(&free, seat), expected);
    assert!(free.iter().all(|seat| seat.location_id == atrium()));
    let mixed = seats(recorded("seats_free_mixed_ruc"), &atrium()).expect("seats");
    let expected = [
        "1878744732215119875 060 2行3列 true Free FREE",
        "1878744732215119872 136 1行9列 false Away AWAY",
        "1878744732215119873 137 1行10列 true Free FREE",
        "1878744732215119874 138 1行11列 false Full FULL",
    ];
    assert_eq!(lines(&mixed, seat), expected);
    let ours = seats(recorded("seats_free"), &atrium()).expect("seats");
    let expected = [
        "2003722571020177408 N1167 1行1列 true Free FREE",
        "2003722571020177409 N1168 1行2列 false Away AWAY",
        "2003722571020177410 N1169 1行3列 true Free FREE",
        "2003722571020177411 N1170 1行4列 false Full FULL",
        "2003722571020177412 N1171 1行5列 false InUse IN_USE",
    ];
    assert_eq!(lines(&ours, seat), expected);
    assert_eq!(
        seats(recorded("seats_free_empty"), &atrium()),
        Ok(Vec::new())
    );
}

#[test]
fn seats_come_as_an_object_or_a_list() {
    let sent = json!({ "id": 5, "label": "A1", "status": "SOMETHING" });
    let bare = json!({ "label": 12, "name": null, "status": "LOCK" });
    for (data, expected) in [
        (json!([sent]), vec!["5 A1  false Unknown SOMETHING"]),
        (
            json!({ "5": sent, "7": bare }),
            vec!["7 12  false Locked LOCK", "5 A1  false Unknown SOMETHING"],
        ),
        (json!([]), vec![]),
    ] {
        let found = seats(answer(data.clone()), &atrium()).expect("seats");
        assert_eq!(lines(&found, seat), expected, "{data}");
    }
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!(""), "data", TYPE),
        (json!([bare]), "data[0].id", FORM),
        (
            json!([{ "id": 1.5, "label": "A", "status": "FREE" }]),
            "data[0].id",
            TYPE,
        ),
        (json!({ "5": { "label": "A" } }), "data.5.status", TYPE),
        (
            json!({ "5": { "label": "", "status": "FREE" } }),
            "data.5.label",
            TYPE,
        ),
        (json!({ "a/b": bare }), "data.a/b.id", FORM),
    ] {
        let found = seats(answer(data.clone()), &atrium());
        assert_eq!(found, Err(drift(field, problem)), "{data}");
    }
}

#[test]
fn the_times_of_a_seat() {
    let line = time_line(recorded("seats_timeline")).expect("a line");
    let ranges = line
        .0
        .iter()
        .map(|range| format!("{}–{}", range.start_time, range.end_time));
    assert_eq!(ranges.collect::<Vec<_>>(), ["07:30–08:00", "12:00–22:00"]);
    let starts = start_times(recorded("seats_start_times")).expect("times").0;
    let starts = lines(&starts, |start| match start {
        StartTime::Now => "now".to_owned(),
        StartTime::At(minute) => minute.to_string(),
    });
    assert_eq!(starts, ["now", "12:00", "12:30"]);
    let ends = end_times(recorded("seats_end_times")).expect("times").0;
    assert_eq!(
        lines(&ends, |minute| minute.to_string()),
        ["12:30", "13:00"]
    );
    let numbers = end_times(answer(json!([
        [990, "16:30"],
        ["1020", "17:00"],
        ["17:30"]
    ])));
    let numbers = numbers.expect("times").0;
    assert_eq!(
        lines(&numbers, |minute| minute.to_string()),
        ["16:30", "17:00", "17:30"]
    );
    assert_eq!(start_times(answer(json!([]))).expect("times").0, []);
}

#[test]
fn favorites_are_passed_on_whole() {
    let found = favorites(recorded("seats_favourites")).expect("favourites");
    let raw = recorded("seats_favourites")["data"].clone();
    assert_eq!(serde_json::to_value(&found).expect("json"), raw);
    let [found] = found.as_slice() else {
        panic!("one favourite");
    };
    assert_eq!(
        found.seat_id.as_ref().map(|id| id.as_str()),
        Some("2003722571020177408")
    );
    assert_eq!(found.location_id, Some(atrium()));
    assert_eq!(found.seat_no.as_deref(), Some("N1167"));
    let odd =
        json!([{ "seatId": 1.5, "roomId": "", "label": "A\u{200b}1", "tags": ["x\u{202e}y"] }]);
    let found = favorites(answer(odd)).expect("favourites");
    assert_eq!((&found[0].seat_id, &found[0].location_id), (&None, &None));
    assert_eq!(found[0].seat_no.as_deref(), Some("A1"));
    let cleaned = json!([{ "seatId": 1.5, "roomId": "", "label": "A1", "tags": ["xy"] }]);
    assert_eq!(serde_json::to_value(&found).expect("json"), cleaned);
    assert_eq!(favorites(answer(json!([]))), Ok(Vec::new()));
}

#[test]
fn drift_names_its_field() {
    let floor = json!({ "id": "../", "name": "一楼" });
    let building = json!({ "id": "1", "name": "馆", "floors": [floor] });
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!({ "buildings": [] }), "data.dates", TYPE),
        (
            json!({ "buildings": [{}], "dates": [] }),
            "data.buildings[0].id",
            TYPE,
        ),
        (
            json!({ "buildings": [building], "dates": [] }),
            "data.buildings[0].floors[0].id",
            FORM,
        ),
        (
            json!({ "buildings": [], "dates": ["2026-09-14", "soon"] }),
            "data.dates[1]",
            "不是日期",
        ),
        (
            json!({ "buildings": [], "dates": [5] }),
            "data.dates[0]",
            TYPE,
        ),
    ] {
        assert_eq!(
            library(answer(data.clone())),
            Err(drift(field, problem)),
            "{data}"
        );
    }
    let room = json!({
        "id": "1", "name": "室", "buildingName": "馆", "floorName": "一楼", "seatTotal": 1, "seatFree": 1,
    });
    let with = |member: &str, value: Value| {
        let mut room = room.clone();
        room[member] = value;
        json!({ "pageList": [room] })
    };
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!({}), "data.pageList", TYPE),
        (with("id", json!(1e18)), "data.pageList[0].id", TYPE),
        (with("id", json!("一")), "data.pageList[0].id", FORM),
        (
            with("buildingId", json!("一")),
            "data.pageList[0].buildingId",
            FORM,
        ),
        (
            with("seatFree", json!(null)),
            "data.pageList[0].seatFree",
            TYPE,
        ),
        (
            with("seatTotal", json!(-1)),
            "data.pageList[0].seatTotal",
            TYPE,
        ),
        (
            with("floorName", json!(null)),
            "data.pageList[0].floorName",
            TYPE,
        ),
        (
            with("maxMinute", json!("long")),
            "data.pageList[0].maxMinute",
            TYPE,
        ),
    ] {
        assert_eq!(
            locations(answer(data.clone())),
            Err(drift(field, problem)),
            "{data}"
        );
    }
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!({ "freeList": null }), "data.freeList", TYPE),
        (
            json!({ "freeList": [{ "label": "14:04" }] }),
            "data.freeList[0].label",
            FORM,
        ),
        (
            json!({ "freeList": [{ "label": "14:04-13:00" }] }),
            "data.freeList[0].label",
            FORM,
        ),
    ] {
        assert_eq!(
            time_line(answer(data.clone())),
            Err(drift(field, problem)),
            "{data}"
        );
    }
    for (data, field, problem) in [
        (json!(null), "data", TYPE),
        (json!([["now"], ["soon"]]), "data[1][0]", "不是时间"),
        (json!([["-1", "x"]]), "data[0][0]", "不是时间"),
        (json!([[840.5, "x"]]), "data[0][0]", TYPE),
        (json!(["840"]), "data[0]", TYPE),
    ] {
        assert_eq!(
            start_times(answer(data.clone())),
            Err(drift(field, problem)),
            "{data}"
        );
    }
    assert_eq!(
        end_times(answer(json!([["now", "现在"]]))),
        Err(drift("data[0][0]", "不是时间"))
    );
    assert_eq!(favorites(answer(json!({}))), Err(drift("data", TYPE)));
    assert_eq!(favorites(answer(json!([5]))), Err(drift("data[0]", TYPE)));
}
