//! Seats of a row: which are offered, what is left of them, what they cost.

use super::{
    clock::digits,
    prices::{Bed, Price, STANDING, beds, discounts, prices},
    wire::tickets::{Column, Row},
};
use crate::domain::seats::{
    Availability, Berth, Seat, SeatLabel,
    SeatName::{self, *},
};

/// Letter, name and column of each seat. Recordings show 动卧 in 软卧's column; other clients read it
/// from its own, which was empty in every recording (docs/upstreams/rail.md, seats).
const SEATS: [(char, SeatName, Column); 18] = [
    ('9', Business, Column::Swz),
    ('P', Special, Column::Tz),
    ('D', PreferredFirst, Column::Gg),
    ('M', First, Column::Zy),
    ('O', Second, Column::Ze),
    ('S', SecondCompartment, Column::Ze),
    ('6', DeluxeSoftSleeper, Column::Gr),
    ('A', DeluxeExpressSleeper, Column::Gr),
    ('4', SoftSleeper, Column::Rw),
    ('I', FirstSleeper, Column::Rw),
    ('F', ExpressSleeper, Column::Rw),
    ('F', ExpressSleeper, Column::Srrb),
    ('3', HardSleeper, Column::Yw),
    ('J', SecondSleeper, Column::Yw),
    ('2', SoftSeat, Column::Rz),
    ('1', HardSeat, Column::Yz),
    (STANDING, Standing, Column::Wz),
    ('H', Other, Column::Qt),
];

/// The columns in the page's order.
const COLUMNS: [Column; 13] = [
    Column::Swz,
    Column::Tz,
    Column::Gg,
    Column::Zy,
    Column::Ze,
    Column::Gr,
    Column::Rw,
    Column::Srrb,
    Column::Yw,
    Column::Rz,
    Column::Yz,
    Column::Wz,
    Column::Qt,
];

/// The offered seats, in the order of their prices; seats that a column shows and no letter names
/// come last. `waitlist` says whether the train's is open.
pub(super) fn seats(row: &Row<'_>, waitlist: bool) -> Vec<Seat> {
    let prices = prices(row.yp_info);
    let beds = beds(row.bed_level_info);
    let discounts = discounts(row.seat_discount_info);
    let limit = waitlist.then_some(row.houbu_seat_limit);
    let mut shown = Vec::new();
    let mut seats = Vec::new();
    for letter in letters(row, &prices) {
        let price = prices.iter().find(|price| price.letter == letter);
        let column = columns(letter).find(|column| offered(row.number(*column)));
        if column.is_none() && price.is_none() {
            continue;
        }
        shown.extend(column);
        let discount = |berth: char| {
            let mut matching = discounts.iter();
            let found = matching.find(|one| one.letter == letter && one.berth == berth);
            found.map(|found| found.percent)
        };
        let berth = |bed: &Bed| Berth {
            berth: bed.berth,
            price_yuan: bed.yuan,
            discount_percent: discount(bed.digit),
        };
        let text = column.map_or("", |column| row.number(column));
        let standing = price.filter(|_| letter == STANDING);
        let (availability, count) = left(text, letter, limit, standing.map(|price| price.count));
        seats.push(Seat {
            seat: SeatLabel::of([name(letter)]),
            code: Some(letter),
            availability,
            count,
            price_yuan: price.and_then(|price| price.yuan),
            discount_percent: discount('0'),
            berths: beds
                .iter()
                .filter(|bed| bed.letter == letter)
                .map(berth)
                .collect(),
        });
    }
    let unnamed = |column: &Column| offered(row.number(*column)) && !shown.contains(column);
    seats.extend(
        COLUMNS
            .into_iter()
            .filter(unnamed)
            .map(|column| unlettered(row, column, limit)),
    );
    seats
}

/// A seat known from its column alone. Several names may share the column; then there is no code.
fn unlettered(row: &Row<'_>, column: Column, limit: Option<&str>) -> Seat {
    let sharing = SEATS.iter().filter(|(.., shared)| *shared == column);
    let letters: Vec<char> = sharing.clone().map(|(letter, ..)| *letter).collect();
    let (code, first) = match letters.as_slice() {
        [only] => (Some(*only), *only),
        several => (None, several.first().copied().unwrap_or_default()),
    };
    let (availability, count) = left(row.number(column), first, limit, None);
    Seat {
        seat: SeatLabel::of(sharing.map(|(_, name, _)| *name)),
        code,
        availability,
        count,
        price_yuan: None,
        discount_percent: None,
        berths: Vec::new(),
    }
}

/// The seat letters of a row, each once: from prices, then `seat_types`, then `yp_ex`. A letter that
/// is repeated within one of the latter is the standing ticket of that seat.
fn letters(row: &Row<'_>, prices: &[Price]) -> Vec<char> {
    let mut letters = Vec::new();
    let mut add = |letter| {
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    };
    prices.iter().for_each(|price| add(price.letter));
    let types: Vec<char> = row.seat_types.chars().collect();
    let pairs: Vec<char> = row.yp_ex.chars().step_by(2).collect();
    for listed in [types, pairs] {
        for (position, letter) in listed.iter().enumerate() {
            let repeated = listed
                .iter()
                .take(position)
                .any(|earlier| earlier == letter);
            add(if repeated { STANDING } else { *letter });
        }
    }
    letters
}

fn name(letter: char) -> SeatName {
    let known = SEATS.iter().find(|(known, ..)| *known == letter);
    known.map_or(Other, |(_, name, _)| *name)
}

/// The columns that may show a letter's seat. A letter that is not known belongs to 其他.
fn columns(letter: char) -> impl Iterator<Item = Column> {
    let own = SEATS.iter().filter(move |(known, ..)| *known == letter);
    let other = (name(letter) == Other && letter != 'H').then_some(Column::Qt);
    own.map(|(.., column)| *column).chain(other)
}

fn offered(text: &str) -> bool {
    !matches!(text, "" | "--")
}

/// What a column's text says is left, and how many. `limit` holds the letters whose waitlist is full,
/// if the waitlist is open at all; `standing` is the count beside a standing ticket's price.
fn left(
    text: &str,
    letter: char,
    limit: Option<&str>,
    standing: Option<u32>,
) -> (Availability, Option<u32>) {
    match text {
        "有" | "充足" => (Availability::Plenty, standing),
        "无" => (none_left(letter, limit), Some(0)),
        "候补" => (Availability::Waitlist, Some(0)),
        "*" => (Availability::NotOnSale, None),
        _ => match digits(text) {
            Some(0) => (Availability::None, Some(0)),
            Some(count) => (Availability::Count, Some(count)),
            None => (Availability::Unknown, None),
        },
    }
}

/// The page's rule (script of 2019/20): a waitlist is for seats and berths, never for 无座 or 其他.
fn none_left(letter: char, limit: Option<&str>) -> Availability {
    match limit {
        Some(limit) if !matches!(name(letter), Standing | Other) => {
            if limit.contains(letter) {
                Availability::WaitlistFull
            } else {
                Availability::Waitlist
            }
        }
        _ => Availability::None,
    }
}

#[cfg(test)]
mod tests;
