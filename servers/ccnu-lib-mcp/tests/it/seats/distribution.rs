//! `get_availability_distribution`.

use fixtures::{ccnu::Ccnu, mcp::Both};
use serde_json::{Value, json};

use crate::{
    expected::{
        Room, TODAY, body, changed, given, locked, refused, requests_to, rooms, signed_in_after,
        span, with, yes,
    },
    world::{signed_in, signed_in_with},
};

const TOOL: &str = "get_availability_distribution";

/// The afternoon in a library without other readers.
fn alone() -> Both<Ccnu> {
    signed_in_after(|fake| fake.switch(|switches| switches.crowd = false))
}

fn afternoon(more: &Value) -> Value {
    span("12:00", "14:00", more)
}

/// Rooms as the tool shows them: most free seats first, then by name.
fn shown(mut rooms: Vec<Room>) -> Value {
    rooms.sort_by_key(|room| {
        (
            std::cmp::Reverse(room.seats - locked(room)),
            room.path.clone(),
        )
    });
    let room = |room: &Room| {
        json!({
            "location_id": room.id, "path": room.path, "total": room.seats,
            "available": room.seats - locked(room), "locked": locked(room), "max_minute": 840,
        })
    };
    rooms.iter().map(room).collect()
}

fn answer(locations: Value, removed: Value) -> Value {
    let count = locations.as_array().expect("a list").len();
    json!({
        "ok": true, "date": TODAY, "start_time": "12:00", "end_time": "14:00", "locations": locations,
        "total": count, "returned": count, "truncated": false, "removed": removed, "untrusted": true,
        "as_of": "2026-06-25T11:00:00+08:00",
    })
}

#[test]
fn all_rooms_of_all_buildings_come_most_free_seats_first() {
    let both = alone();
    let all = answer(shown(rooms()), json!({ "buildings": 0, "locations": 0 }));
    assert_eq!(given(&both, TOOL, &afternoon(&json!({}))), all);
    both.each(|fake| {
        let asked = fake.journal().of("findRoomDuration");
        let bodies: Vec<Value> = asked.iter().map(body).collect();
        let expected = json!({
            "beginMinute": 720, "endMinute": 840, "minMinute": 120, "floorId": 0, "currentPage": 1, "pageSize": 50,
            "power": false, "windows": false, "roomType": false, "sortField": "", "sortType": "",
        });
        assert_eq!(bodies, [expected.clone(), expected]);
    });
    // The same, whatever the word for the day and however many pages the service makes of it.
    both.each(|fake| fake.switch(|switches| switches.page_cap = 7));
    let today = with(afternoon(&json!({})), &json!({ "date": "today" }));
    assert_eq!(given(&both, TOOL, &today), all);
    let pages = requests_to(&both, "findRoomDuration");
    assert_eq!(pages, [2 + 3 + 1; 2], "16 rooms and 4 rooms by seven");
}

#[test]
fn free_seats_are_those_free_over_the_whole_span() {
    let both = alone();
    let free = |begin: &str, end: &str| {
        let wish = json!({ "area_filter": "中庭" });
        given(&both, TOOL, &span(begin, end, &wish))["locations"][0]["available"].clone()
    };
    both.each(|fake| {
        fake.occupy("N1160", TODAY, 780, 840, "FULL");
        fake.occupy("N1161", TODAY, 840, 900, "FULL");
        fake.occupy("N1162", TODAY, 450, 1320, "IN_USE");
    });
    assert_eq!(
        [
            free("12:00", "14:00"),
            free("13:30", "14:30"),
            free("15:00", "16:00")
        ],
        [json!(164), json!(163), json!(165)]
    );
}

#[test]
fn filters_are_parts_of_names_and_what_they_leave_out_is_counted() {
    let both = alone();
    let check = |wish: Value, keep: &dyn Fn(&Room) -> bool, removed: [usize; 2]| {
        let kept = rooms().into_iter().filter(|room| keep(room)).collect();
        let [buildings, locations] = removed;
        let removed = json!({ "buildings": buildings, "locations": locations });
        let expected = answer(shown(kept), removed);
        assert_eq!(given(&both, TOOL, &afternoon(&wish)), expected, "{wish}");
    };
    let south = |room: &Room| room.path[0] == "南湖分馆";
    check(json!({ "library": "南湖" }), &south, [1, 0]);
    check(json!({ "library": " 主馆 " }), &|room| !south(room), [1, 0]);
    let corridor = |room: &Room| room.path[2].contains("走廊");
    check(json!({ "area_filter": "走廊" }), &corridor, [0, 17]);
    let booths = |room: &Room| room.path[2].contains("卡座");
    check(
        json!({ "library": "分馆", "area_filter": "卡座" }),
        &booths,
        [1, 3],
    );
    check(
        json!({ "library": "", "area_filter": "" }),
        &|_| true,
        [0, 0],
    );
    // A building that is not meant is not asked about.
    let before = requests_to(&both, "findRoomDuration");
    given(&both, TOOL, &afternoon(&json!({ "library": "南湖" })));
    assert_eq!(
        requests_to(&both, "findRoomDuration"),
        before.map(|n| n + 1)
    );
}

#[test]
fn filters_that_leave_nothing_say_so() {
    let both = alone();
    for (wish, removed, note) in [
        (
            json!({ "library": "北馆" }),
            json!({ "buildings": 2, "locations": 0 }),
            "没有符合条件的区域：library 去掉 2 个馆，area_filter 去掉 0 个区域；现有：主馆图书馆、南湖分馆",
        ),
        (
            json!({ "library": "南湖", "area_filter": "研讨" }),
            json!({ "buildings": 1, "locations": 4 }),
            "没有符合条件的区域：library 去掉 1 个馆，area_filter 去掉 4 个区域；现有：主馆图书馆、南湖分馆",
        ),
    ] {
        let expected = with(answer(json!([]), removed), &json!({ "note": note }));
        assert_eq!(given(&both, TOOL, &afternoon(&wish)), expected);
    }
}

#[test]
fn a_long_list_is_cut_at_a_room_and_goes_on() {
    let both = signed_in_with(&[("CCNU_RESULT_KIB", "4")]);
    let arguments = afternoon(&json!({}));
    let first = given(&both, TOOL, &arguments);
    assert_eq!(
        (&first["total"], &first["truncated"]),
        (&json!(20), &json!(true))
    );
    let mut found: Vec<_> = both.follow(TOOL, arguments, "locations");
    let id = |room: &Value| room["location_id"].as_str().expect("an id").to_owned();
    found.sort_by_key(id);
    let mut expected: Vec<String> = rooms().into_iter().map(|room| room.id).collect();
    expected.sort();
    assert_eq!(found.iter().map(id).collect::<Vec<_>>(), expected);
}

#[test]
fn a_room_of_another_shape_is_named() {
    let both = signed_in();
    let path = format!("res/findRoomDuration/1993950824018821001/{TODAY}");
    let room = json!({
        "id": "1", "name": "a", "buildingName": "b", "floorName": "c", "seatTotal": 1, "seatFree": "1", "seatLock": "",
    });
    let check = |data: &Value, field: &str| {
        both.each(|fake| fake.fault("findRoomDuration", 1, yes(data)));
        changed(&both, TOOL, &afternoon(&json!({})), &path, field);
    };
    let page = |room: Value| json!({ "pageList": [room], "totalCount": 1, "next": false });
    check(&Value::Null, "data");
    check(&json!({ "totalCount": 1 }), "data.pageList");
    check(
        &page(with(room.clone(), &json!({ "seatFree": null }))),
        "data.pageList[0].seatFree",
    );
    check(
        &page(with(room.clone(), &json!({ "id": "1/2" }))),
        "data.pageList[0].id",
    );
    let buildings = json!({ "buildings": [], "dates": ["25.6."] });
    both.each(|fake| fake.fault("buildingFloorDate", 1, yes(&buildings)));
    changed(
        &both,
        TOOL,
        &afternoon(&json!({})),
        "res/buildingFloorDate",
        "data.dates[0]",
    );
    // Pages that never end are no list.
    let endless = json!({ "pageList": [room], "totalCount": 9, "next": true });
    both.each(|fake| fake.fault("findRoomDuration", 1, yes(&endless)));
    check(&endless, "data.pageList");
    both.each(|fake| assert_eq!(fake.faults_left("findRoomDuration"), 0));
}

#[test]
fn a_refusal_is_told_with_the_services_own_words() {
    let both = signed_in();
    let no = json!({ "status": false, "code": "500", "message": "系统\u{202e}繁忙", "data": null });
    both.each(|fake| {
        fake.fault(
            "findRoomDuration",
            1,
            fixtures::upstream::Fault::Body(no.to_string()),
        );
    });
    let data = json!({ "said": "系统繁忙", "untrusted": true });
    let refusal = ("UPSTREAM_REFUSED", &data);
    let answer = refused(&both, TOOL, &afternoon(&json!({})), refusal);
    assert_eq!(answer["message"], "图书馆系统拒绝了请求：系统繁忙");
}
