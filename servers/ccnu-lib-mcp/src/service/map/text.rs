//! A seat map as a grid of characters.

use crate::domain::map::{MapSeat, SeatMap, Spot};

/// What the marks of a grid mean, for whoever reads one.
pub const LEGEND: &str = "o 空闲，# 该时段已被占，x 不可预约，? 状态未知，. 未查空闲，@ 我预约的座位，号码后 + 有电源、* 常用";

/// The grid: a line for each row of seats, and an empty one or a gap for an aisle. Each seat is its
/// mark, its number without the letters that all have, `+` if it has a socket and `*` if the reader
/// uses it often.
pub fn grid(map: &SeatMap) -> String {
    let cell = |seat: &MapSeat| {
        let power = if seat.power == Some(true) { "+" } else { "" };
        let favorite = if seat.favorite { "*" } else { "" };
        format!("{}{}{power}{favorite}", mark(seat), map.short(seat))
    };
    let columns = map.seats.iter().map(|seat| seat.column + 1).max();
    let mut widths = vec![1; columns.unwrap_or_default()];
    for seat in &map.seats {
        if let Some(width) = widths.get_mut(seat.column) {
            *width = cell(seat).chars().count().max(*width);
        }
    }
    let rows = map.seats.iter().map(|seat| seat.row + 1).max();
    let lines = (0..rows.unwrap_or_default()).map(|row| {
        let mut seats = map.seats.iter().filter(|seat| seat.row == row).peekable();
        let cells = widths.iter().enumerate().map(|(column, width)| {
            let seat = seats.next_if(|seat| seat.column == column);
            format!("{:width$}", seat.map(cell).unwrap_or_default())
        });
        let line: Vec<String> = cells.collect();
        line.join(" ").trim_end().to_owned()
    });
    let lines: Vec<String> = lines.collect();
    lines.join("\n")
}

fn mark(seat: &MapSeat) -> char {
    match seat.spot {
        _ if seat.own => '@',
        Spot::Free => 'o',
        Spot::Taken => '#',
        Spot::Closed => 'x',
        Spot::Unknown => '?',
        Spot::Unasked => '.',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::map::tests::{plan, room};

    #[test]
    fn rows_and_aisles_show() {
        let expected = "\
o1+ #2   x3   @4+*

?5+ o10*      o6";
        assert_eq!(grid(&room()), expected);
    }

    #[test]
    fn seats_on_top_of_each_other_are_both_shown() {
        let map = plan(&[("A1", 0.0, 0.0), ("A2", 0.0, 0.0), ("A3", 10.0, 0.0)]);
        assert_eq!(grid(&map), "x1+ x2 x3");
    }

    #[test]
    fn a_map_without_seats_is_empty() {
        assert_eq!(grid(&plan(&[])), "");
    }
}
