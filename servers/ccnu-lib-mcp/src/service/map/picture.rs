//! A seat map as a picture: shapes and digits tell everything, colours only help.

use std::convert::Infallible;

use embedded_graphics::{
    mono_font::{
        MonoFont,
        ascii::{FONT_4X6, FONT_5X7, FONT_6X10, FONT_7X13_BOLD, FONT_8X13_BOLD},
    },
    prelude::*,
    primitives::{PrimitiveStyle, Rectangle},
    text::Alignment,
};

use super::{
    canvas::Canvas,
    shapes::{FLOOR, GROUND, INK, Shape, shape, write},
};
use crate::domain::map::{MapSeat, SeatMap, Spot};

/// What the digits of the legend mean, for whoever is shown the picture.
pub const LEGEND: &str = "图例：0 细框为座位（未查空闲），1 空心框为空闲，2 实心框为该时段已被占，3 打叉为不可预约，\
                          4 问号为状态未知，5 外加一圈为我预约的座位，6 右上角闪电为有电源，7 左上角心形为常用座位";

/// No side is longer, in pixels.
const LONGEST: i32 = 1600;
/// Room for the legend in one line, in pixels.
const NARROWEST: i32 = 910;
/// White on every side, in pixels.
const MARGIN: i32 = 24;
/// Height of caption and legend, in pixels.
const HEAD: i32 = 72;
/// Distance of neighbours where there is room enough, in pixels.
const ROOMY: f64 = 46.0;
/// Side of the shapes in the legend, in pixels.
const SAMPLE: i32 = 22;

/// The picture as a PNG file, at most 1600 pixels wide and high. `caption` is shown above it as
/// far as it is ASCII, such as the day and the times.
pub fn picture(map: &SeatMap, caption: &str) -> Result<Vec<u8>, png::EncodingError> {
    let plan = Plan::of(map);
    let mut canvas = Canvas::new(plan.size, GROUND);
    let Ok(()) = draw(&mut canvas, map, &plan, caption);
    canvas.png()
}

/// Where things are on the picture.
struct Plan {
    size: Size,
    /// Pixels for a unit of the room's plan.
    scale: f64,
    /// The room's own left and top.
    corner: (f64, f64),
    /// Side of a seat.
    side: i32,
}

impl Plan {
    fn of(map: &SeatMap) -> Self {
        let (left, right) = ends(map.seats.iter().map(|seat| seat.x));
        let (top, bottom) = ends(map.seats.iter().map(|seat| seat.y));
        let (wide, high) = (right - left, bottom - top);
        // A seat at either edge needs its whole side, which is less than `ROOMY`.
        let room = |pixels: i32| f64::from(pixels - 4 * MARGIN) - ROOMY;
        let fit = |room: f64, units: f64| {
            if units > 0.0 {
                room / units
            } else {
                f64::INFINITY
            }
        };
        let scale = (ROOMY / map.pitch)
            .min(fit(room(LONGEST), wide))
            .min(fit(room(LONGEST - HEAD), high));
        let side = (map.pitch * scale * 0.78).round().max(5.0) as i32;
        let pixels = |units: f64| (units * scale).round() as i32 + side + 4 * MARGIN;
        Self {
            size: Size::new(
                pixels(wide).max(NARROWEST).unsigned_abs(),
                (pixels(high) + HEAD).unsigned_abs(),
            ),
            scale,
            corner: (left, top),
            side,
        }
    }

    /// The square of a seat.
    fn square(&self, seat: &MapSeat) -> Rectangle {
        let along = |at: f64, from: f64| ((at - from) * self.scale).round() as i32 + 2 * MARGIN;
        let corner = Point::new(
            along(seat.x, self.corner.0),
            along(seat.y, self.corner.1) + HEAD,
        );
        Rectangle::new(corner, Size::new_equal(self.side.unsigned_abs()))
    }

    fn floor(&self) -> Rectangle {
        let corner = Point::new(MARGIN, MARGIN + HEAD);
        let beyond = Point::new(MARGIN, MARGIN);
        Rectangle::with_corners(corner, Point::zero() + self.size - beyond)
    }
}

/// The least and the greatest; both 0 of nothing.
fn ends(along: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = along.clone().min_by(f64::total_cmp);
    (
        least.unwrap_or(0.0),
        along.max_by(f64::total_cmp).unwrap_or(0.0),
    )
}

fn draw(canvas: &mut Canvas, map: &SeatMap, plan: &Plan, caption: &str) -> Result<(), Infallible> {
    let caption: String = caption.chars().filter(|c| matches!(c, ' '..='~')).collect();
    let corner = Point::new(MARGIN, MARGIN);
    write(
        canvas,
        &caption,
        corner,
        &FONT_8X13_BOLD,
        INK,
        Alignment::Left,
    )?;
    legend(canvas, map)?;
    let floor = PrimitiveStyle::with_fill(FLOOR);
    plan.floor().into_styled(floor).draw(canvas)?;
    let longest = map
        .seats
        .iter()
        .map(|seat| map.short(seat).chars().count())
        .max();
    let font = font(plan.side, longest.unwrap_or_default());
    for seat in &map.seats {
        let square = plan.square(seat);
        shape(canvas, square, Shape::of(seat))?;
        let numbered = matches!(seat.spot, Spot::Free | Spot::Taken | Spot::Unasked);
        let number = font.filter(|_| numbered);
        if let Some(font) = number {
            let ink = if seat.spot == Spot::Taken {
                GROUND
            } else {
                INK
            };
            let below = i32::try_from(font.character_size.height).unwrap_or_default();
            let down = square.top_left.y + plan.side - below - plan.side / 8;
            let middle = Point::new(square.center().x + 1, down);
            write(
                canvas,
                map.short(seat),
                middle,
                font,
                ink,
                Alignment::Center,
            )?;
        }
    }
    Ok(())
}

/// The greatest font in which a number of that length fits into a seat below its bolt.
fn font(side: i32, characters: usize) -> Option<&'static MonoFont<'static>> {
    let fonts = [&FONT_7X13_BOLD, &FONT_6X10, &FONT_5X7, &FONT_4X6];
    fonts.into_iter().find(|font| {
        let size = font.character_size;
        let wide = size.width as usize * characters;
        let high = size.height as usize + size.height as usize / 2;
        usize::try_from(side - 4).is_ok_and(|room| wide <= room && high <= room)
    })
}

/// A shape, its digit, a word and how many there are, for each kind of seat.
fn legend(canvas: &mut Canvas, map: &SeatMap) -> Result<(), Infallible> {
    let plain = |spot| Shape {
        spot,
        own: false,
        favorite: false,
        power: false,
    };
    let entry = |spot, words| (plain(spot), words, map.count(|seat| seat.spot == spot));
    let unasked = entry(Spot::Unasked, "0 seat");
    // A map of the room alone knows of no other state.
    let (mut entries, taken, free) = if unasked.2 > 0 {
        (vec![unasked], Spot::Unasked, Spot::Unasked)
    } else {
        let asked = [
            entry(Spot::Free, "1 free"),
            entry(Spot::Taken, "2 taken"),
            entry(Spot::Closed, "3 closed"),
            entry(Spot::Unknown, "4 unknown"),
        ];
        (asked.into(), Spot::Taken, Spot::Free)
    };
    let own = Shape {
        own: true,
        ..plain(taken)
    };
    let power = Shape {
        power: true,
        ..plain(free)
    };
    let favorite = Shape {
        favorite: true,
        ..plain(free)
    };
    entries.extend([
        (own, "5 mine", map.count(|seat| seat.own)),
        (power, "6 power", map.count(|seat| seat.power == Some(true))),
        (favorite, "7 usual", map.count(|seat| seat.favorite)),
    ]);
    let mut left = MARGIN;
    for (sample, words, count) in entries {
        let corner = Point::new(left, MARGIN + 28);
        let square = Rectangle::new(corner, Size::new_equal(SAMPLE.unsigned_abs()));
        shape(canvas, square, sample)?;
        let words = format!("{words}: {count}");
        let beside = corner + Point::new(SAMPLE + 8, 6);
        let end = write(canvas, &words, beside, &FONT_6X10, INK, Alignment::Left)?;
        left = end.x + 17;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
