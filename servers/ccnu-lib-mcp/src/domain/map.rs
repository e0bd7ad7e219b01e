//! A room seen from above: where its seats are, and what somebody who wants one must know of them.

use std::collections::{HashMap, HashSet};

use super::{
    ids::SeatId,
    labels::natural,
    layout::Layout,
    seats::{Seat, SeatStatus},
};

/// What a seat is for who wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spot {
    /// Can be booked.
    Free,
    /// Somebody has it for a part of the span.
    Taken,
    /// Locked, out of order, or not offered at all.
    Closed,
    /// In a state that is not known.
    Unknown,
    /// Not asked about: the map is of the room alone.
    Unasked,
}

/// The seats of a map that mean something to the reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marked<'a> {
    /// Reserved by the reader.
    pub own: &'a [SeatId],
    /// Used often, by the system's own list.
    pub favorites: &'a [SeatId],
}

/// One seat of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapSeat {
    /// Its id.
    pub seat_id: SeatId,
    /// The number on it.
    pub seat_no: String,
    /// What it is.
    pub spot: Spot,
    /// Whether it is the reader's own.
    pub own: bool,
    /// Whether the reader uses it often.
    pub favorite: bool,
    /// Whether it has a socket, when told.
    pub power: Option<bool>,
    /// From the left, in units of the plan.
    pub x: f64,
    /// From the top, in units of the plan.
    pub y: f64,
    /// Place from the left in the grid, counted from 0; shared with no seat of its row.
    pub column: usize,
    /// Place from the top in the grid, counted from 0.
    pub row: usize,
}

/// The seats of a room, in order of rows and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatMap {
    /// All of them, of each row from the left.
    pub seats: Vec<MapSeat>,
    /// Letters that all numbers begin with; may be empty.
    pub prefix: String,
    /// How far apart neighbours are, in units of the plan.
    pub pitch: f64,
}

impl SeatMap {
    /// The map of a plan, with the `offered` seats as they are for the span that was asked, if one
    /// was. A seat that is not offered then is closed.
    pub fn of(layout: &Layout, offered: Option<&[Seat]>, marked: Marked<'_>) -> Self {
        let status = offered.into_iter().flatten();
        let status = status.map(|seat| (&seat.seat_id, seat.status));
        let status: HashMap<_, _> = status.collect();
        let own: HashSet<_> = marked.own.iter().collect();
        let favorites: HashSet<_> = marked.favorites.iter().collect();
        let seats = layout.seats.iter().map(|seat| MapSeat {
            seat_id: seat.seat_id.clone(),
            seat_no: seat.seat_no.clone(),
            spot: match status.get(&seat.seat_id) {
                _ if offered.is_none() => Spot::Unasked,
                Some(SeatStatus::Free) => Spot::Free,
                Some(SeatStatus::Full | SeatStatus::Away | SeatStatus::InUse) => Spot::Taken,
                Some(SeatStatus::Locked | SeatStatus::Broken) | None => Spot::Closed,
                Some(SeatStatus::Unknown) => Spot::Unknown,
            },
            own: own.contains(&seat.seat_id),
            favorite: favorites.contains(&seat.seat_id),
            power: seat.power,
            x: seat.x,
            y: seat.y,
            column: 0,
            row: 0,
        });
        let mut seats: Vec<MapSeat> = seats.collect();
        let pitch = pitch(&seats);
        place(&mut seats, pitch);
        Self {
            prefix: prefix(&seats),
            seats,
            pitch,
        }
    }

    /// How many seats are so.
    pub fn count(&self, is_so: impl Fn(&MapSeat) -> bool) -> usize {
        self.seats.iter().filter(|seat| is_so(seat)).count()
    }

    /// The number of a seat without the letters that all of them begin with.
    pub fn short<'a>(&self, seat: &'a MapSeat) -> &'a str {
        let number = seat.seat_no.as_str();
        number.strip_prefix(self.prefix.as_str()).unwrap_or(number)
    }
}

/// The usual distance from a seat to its nearest neighbour: the median, so that a few that stand
/// alone do not count. 1 where no two seats are apart.
fn pitch(seats: &[MapSeat]) -> f64 {
    let apart = |a: &MapSeat, b: &MapSeat| (a.x - b.x).hypot(a.y - b.y);
    let nearest = seats.iter().filter_map(|seat| {
        let others = seats.iter().map(|other| apart(seat, other));
        others
            .filter(|distance| *distance > 0.0)
            .min_by(f64::total_cmp)
    });
    let mut nearest: Vec<f64> = nearest.collect();
    nearest.sort_by(f64::total_cmp);
    nearest.get(nearest.len() / 2).copied().unwrap_or(1.0)
}

/// Gives every seat a row and a column, and sorts by them. Seats of about one height share a row.
fn place(seats: &mut [MapSeat], pitch: f64) {
    let rows = lines(seats.iter().map(|seat| seat.y), pitch);
    let columns = lines(seats.iter().map(|seat| seat.x), pitch);
    for seat in seats.iter_mut() {
        seat.row = line_of(&rows, seat.y);
        seat.column = line_of(&columns, seat.x);
    }
    seats.sort_by(|a, b| {
        let place = (a.row, a.column).cmp(&(b.row, b.column));
        place.then_with(|| natural(&a.seat_no, &b.seat_no))
    });
    // Plans drawn by hand have seats on top of each other: the next column is free for the second.
    let mut before: Option<(usize, usize)> = None;
    for seat in seats {
        if let Some((_, column)) = before.filter(|(row, _)| *row == seat.row) {
            seat.column = seat.column.max(column + 1);
        }
        before = Some((seat.row, seat.column));
    }
}

/// Where the lines of a grid are along one axis, with the grid place of each: places that are less
/// than half a pitch apart are one line, and a gap of more than one and a half leaves one free.
fn lines(along: impl Iterator<Item = f64>, pitch: f64) -> Vec<(f64, usize)> {
    let mut along: Vec<f64> = along.collect();
    along.sort_by(f64::total_cmp);
    let mut lines: Vec<(f64, usize)> = Vec::new();
    for at in along {
        match lines.last() {
            None => lines.push((at, 0)),
            Some((line, place)) => {
                let gap = (at - line) / pitch;
                if gap > 0.5 {
                    lines.push((at, place + if gap > 1.5 { 2 } else { 1 }));
                }
            }
        }
    }
    lines
}

/// The grid place of the last line that begins at or before `at`.
fn line_of(lines: &[(f64, usize)], at: f64) -> usize {
    let last = lines.iter().take_while(|(line, _)| *line <= at).last();
    last.map_or(0, |(_, place)| *place)
}

/// The letters all numbers begin with, as far as something is left of every one.
fn prefix(seats: &[MapSeat]) -> String {
    let letters =
        |text: &str| -> String { text.chars().take_while(|c| !c.is_ascii_digit()).collect() };
    let first = seats.first().map(|seat| letters(&seat.seat_no));
    let shared = |prefix: &String| {
        let same = |seat: &MapSeat| letters(&seat.seat_no) == *prefix && seat.seat_no != *prefix;
        seats.iter().all(same)
    };
    first.filter(shared).unwrap_or_default()
}

#[cfg(test)]
pub(crate) mod tests;
