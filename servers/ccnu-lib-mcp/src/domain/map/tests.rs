//! Maps made by hand.

use serde_json::Map;

use super::*;
use crate::domain::{ids::LocationId, layout::LayoutSeat};

/// A plan without a seat on offer.
pub(crate) fn plan(seats: &[(&str, f64, f64)]) -> SeatMap {
    SeatMap::of(&layout(seats), Some(&[]), Marked::default())
}

/// A small room: four seats in a row, the last beyond an aisle; three more beyond another aisle,
/// drawn a little crooked. Every third has a socket.
pub(crate) fn room() -> SeatMap {
    let layout = layout(&[
        ("N1", 0.0, 0.0),
        ("N2", 50.0, 1.0),
        ("N3", 100.0, 0.0),
        ("N4", 250.0, 2.0),
        ("N6", 251.0, 200.0),
        ("N10", 52.0, 201.0),
        ("N5", 1.0, 199.0),
    ]);
    let offered = [
        ("N1", SeatStatus::Free),
        ("N2", SeatStatus::Full),
        ("N4", SeatStatus::InUse),
        ("N5", SeatStatus::Unknown),
        ("N6", SeatStatus::Free),
        ("N10", SeatStatus::Free),
    ];
    let offered = offered.map(|(number, status)| seat(number, status));
    let marked = Marked {
        own: &[id("N4")],
        favorites: &[id("N4"), id("N10")],
    };
    SeatMap::of(&layout, Some(&offered), marked)
}

/// That many seats in rows of 20 with an aisle in the middle, as a large hall has, in every state.
pub(crate) fn hall(seats: u32) -> SeatMap {
    let places = (0..seats).map(|number| {
        let (row, column) = (number / 20, number % 20);
        let aisle = if column < 10 { 0.0 } else { 60.0 };
        let number = format!("N{}", 1001 + number);
        let x = 33.0 + 50.0 * f64::from(column) + aisle;
        (
            number,
            x,
            148.0 + 50.0 * f64::from(row) + 40.0 * f64::from(row / 2),
        )
    });
    let places: Vec<(String, f64, f64)> = places.collect();
    let places: Vec<(&str, f64, f64)> = places
        .iter()
        .map(|(number, x, y)| (number.as_str(), *x, *y))
        .collect();
    let layout = layout(&places);
    let states = [
        SeatStatus::Free,
        SeatStatus::Full,
        SeatStatus::InUse,
        SeatStatus::Free,
        SeatStatus::Locked,
        SeatStatus::Away,
        SeatStatus::Free,
    ];
    let offered = layout.seats.iter().zip(states.iter().cycle());
    let offered = offered.map(|(place, status)| seat(&place.seat_no, *status));
    let mut offered: Vec<Seat> = offered.collect();
    if let Some(last) = offered.last_mut() {
        last.status = SeatStatus::Unknown;
    }
    let marked = Marked {
        own: &[id("N1025")],
        favorites: &[id("N1031"), id("N1060")],
    };
    SeatMap::of(&layout, Some(&offered), marked)
}

fn id(number: &str) -> SeatId {
    SeatId::parse(&format!("id-{number}")).expect("an id")
}

fn seat(number: &str, status: SeatStatus) -> Seat {
    Seat {
        seat_id: id(number),
        seat_no: number.to_owned(),
        name: String::new(),
        location_id: LocationId::parse("1").expect("an id"),
        available: status == SeatStatus::Free,
        status,
        raw_status: String::new(),
    }
}

fn layout(seats: &[(&str, f64, f64)]) -> Layout {
    let seats = seats
        .iter()
        .enumerate()
        .map(|(place, (number, x, y))| LayoutSeat {
            seat_id: id(number),
            seat_no: (*number).to_owned(),
            name: String::new(),
            direction: None,
            power: Some(place % 3 == 0),
            x: *x,
            y: *y,
        });
    let seats: Vec<LayoutSeat> = seats.collect();
    Layout {
        layout_version: None,
        seat_count: seats.len(),
        seats,
        layout: Map::new(),
    }
}

#[test]
fn seats_have_their_state_and_their_place() {
    let map = room();
    let found = map.seats.iter().map(|seat| {
        let power = seat.power == Some(true);
        (
            seat.seat_no.as_str(),
            seat.spot,
            (seat.own, seat.favorite),
            power,
            seat.row,
            seat.column,
        )
    });
    let found: Vec<_> = found.collect();
    let expected = [
        ("N1", Spot::Free, (false, false), true, 0, 0),
        ("N2", Spot::Taken, (false, false), false, 0, 1),
        ("N3", Spot::Closed, (false, false), false, 0, 2),
        ("N4", Spot::Taken, (true, true), true, 0, 4),
        ("N5", Spot::Unknown, (false, false), true, 2, 0),
        ("N10", Spot::Free, (false, true), false, 2, 1),
        ("N6", Spot::Free, (false, false), false, 2, 4),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        (
            map.prefix.as_str(),
            map.count(|seat| seat.spot == Spot::Free)
        ),
        ("N", 3)
    );
}

#[test]
fn a_map_of_the_room_alone_says_nothing_of_seats() {
    let layout = layout(&[("1", 0.0, 0.0), ("2", 10.0, 0.0)]);
    let map = SeatMap::of(&layout, None, Marked::default());
    assert_eq!(map.count(|seat| seat.spot == Spot::Unasked), 2);
}

#[test]
fn letters_are_cut_only_when_all_seats_share_them() {
    for (numbers, expected) in [
        (vec!["N1", "N2"], "N"),
        (vec!["N1", "K2"], ""),
        (vec!["060", "61"], ""),
        (vec!["AB1", "A1"], ""),
        (vec!["A", "A"], ""),
        (vec![], ""),
    ] {
        let seats: Vec<_> = numbers.iter().map(|number| (*number, 0.0, 0.0)).collect();
        assert_eq!(plan(&seats).prefix, expected, "{numbers:?}");
    }
}

#[test]
fn a_crooked_row_is_one_row() {
    let map = plan(&[
        ("1", 0.0, 0.0),
        ("2", 10.0, 4.0),
        ("3", 20.0, 8.0),
        ("4", 30.0, 12.0),
    ]);
    let rows: Vec<usize> = map.seats.iter().map(|seat| seat.row).collect();
    // Each is within half a step of the line it began; the slope ends it.
    assert_eq!(rows, [0, 0, 1, 1]);
}
