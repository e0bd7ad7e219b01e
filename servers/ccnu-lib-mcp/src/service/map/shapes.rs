//! The shapes and letters of a seat map's picture.

use std::convert::Infallible;

use embedded_graphics::{
    mono_font::{
        MonoFont, MonoTextStyle,
        ascii::{FONT_4X6, FONT_7X13_BOLD},
    },
    pixelcolor::Rgb888,
    prelude::*,
    primitives::{Line, PrimitiveStyle, PrimitiveStyleBuilder, Rectangle, StrokeAlignment},
    text::{Alignment, Baseline, Text, TextStyleBuilder},
};

use super::canvas::Canvas;
use crate::domain::map::{MapSeat, Spot};

pub(super) const GROUND: Rgb888 = Rgb888::new(0xff, 0xff, 0xff);
pub(super) const FLOOR: Rgb888 = Rgb888::new(0xf1, 0xf3, 0xf4);
pub(super) const INK: Rgb888 = Rgb888::new(0x20, 0x24, 0x28);
pub(super) const FREE: Rgb888 = Rgb888::new(0x0b, 0x8a, 0x3c);
pub(super) const TAKEN: Rgb888 = Rgb888::new(0x5b, 0x61, 0x6a);
pub(super) const CLOSED: Rgb888 = Rgb888::new(0x8c, 0x93, 0x9c);
pub(super) const OWN: Rgb888 = Rgb888::new(0x0b, 0x57, 0xd0);

/// A lightning bolt, a row of pixels a line.
const BOLT: [&str; 7] = [
    "...#.", "..##.", ".##..", "#####", "..##.", ".##..", ".#...",
];

/// A heart, a row of pixels a line.
const HEART: [&str; 5] = [".#.#.", "#####", "#####", ".###.", "..#.."];

/// How a seat looks.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) spot: Spot,
    pub(super) own: bool,
    pub(super) favorite: bool,
    pub(super) power: bool,
}

impl Shape {
    pub(super) fn of(seat: &MapSeat) -> Self {
        Self {
            spot: seat.spot,
            own: seat.own,
            favorite: seat.favorite,
            power: seat.power == Some(true),
        }
    }
}

pub(super) fn shape(
    canvas: &mut Canvas,
    square: Rectangle,
    shape: Shape,
) -> Result<(), Infallible> {
    let wide = square.size.width;
    let edge = |colour, width, fill| {
        PrimitiveStyleBuilder::new()
            .stroke_color(colour)
            .stroke_width(width)
            .stroke_alignment(StrokeAlignment::Inside)
            .fill_color(fill)
            .build()
    };
    let style = match shape.spot {
        Spot::Free => edge(FREE, (wide / 13).max(1), GROUND),
        Spot::Taken => PrimitiveStyle::with_fill(TAKEN),
        Spot::Unasked => edge(CLOSED, 1, GROUND),
        Spot::Closed | Spot::Unknown => edge(CLOSED, 1, FLOOR),
    };
    square.into_styled(style).draw(canvas)?;
    match shape.spot {
        Spot::Closed => cross(canvas, square)?,
        Spot::Unknown => {
            let font = if wide >= 16 {
                &FONT_7X13_BOLD
            } else {
                &FONT_4X6
            };
            let half = i32::try_from(font.character_size.height / 2).unwrap_or_default();
            let middle = square.center() - Point::new(0, half);
            write(canvas, "?", middle, font, INK, Alignment::Center)?;
        }
        Spot::Free | Spot::Taken | Spot::Unasked => {}
    }
    if shape.own {
        let ring = PrimitiveStyleBuilder::new()
            .stroke_color(OWN)
            .stroke_width((wide / 12).max(1))
            .stroke_alignment(StrokeAlignment::Outside)
            .build();
        square
            .offset(1 + square.size.width as i32 / 18)
            .into_styled(ring)
            .draw(canvas)?;
    }
    let ink = if shape.spot == Spot::Taken {
        GROUND
    } else {
        INK
    };
    if shape.power {
        sign(canvas, square, &BOLT, Corner::Right, ink)?;
    }
    if shape.favorite {
        sign(canvas, square, &HEART, Corner::Left, ink)?;
    }
    Ok(())
}

fn cross(canvas: &mut Canvas, square: Rectangle) -> Result<(), Infallible> {
    let inset = square.offset(-(square.size.width as i32 / 5));
    let last = inset.bottom_right().unwrap_or(inset.top_left);
    let stroke = PrimitiveStyle::with_stroke(CLOSED, (square.size.width / 16).max(1));
    let (left, top) = (inset.top_left.x, inset.top_left.y);
    Line::new(inset.top_left, last)
        .into_styled(stroke)
        .draw(canvas)?;
    let rising = Line::new(Point::new(left, last.y), Point::new(last.x, top));
    rising.into_styled(stroke).draw(canvas)
}

/// An upper corner of a seat.
enum Corner {
    Left,
    Right,
}

/// A sign of five columns in an upper corner, twice as large where there is room.
fn sign(
    canvas: &mut Canvas,
    square: Rectangle,
    sign: &[&str],
    corner: Corner,
    ink: Rgb888,
) -> Result<(), Infallible> {
    let wide = square.size.width as i32;
    let times = if wide >= 34 { 2 } else { 1 };
    let inset = wide / 10;
    let left = match corner {
        Corner::Left => inset + 1,
        Corner::Right => wide - 5 * times - inset - 1,
    };
    let corner = square.top_left + Point::new(left, inset);
    let dots = sign.iter().zip(0_i32..).flat_map(|(line, y)| {
        let on = line.bytes().zip(0_i32..).filter(|(mark, _)| *mark == b'#');
        on.map(move |(_, x)| Point::new(x, y))
    });
    for dot in dots {
        let place = corner + dot * times;
        let dot = Rectangle::new(place, Size::new_equal(times.unsigned_abs()));
        dot.into_styled(PrimitiveStyle::with_fill(ink))
            .draw(canvas)?;
    }
    Ok(())
}

pub(super) fn write(
    canvas: &mut Canvas,
    text: &str,
    at: Point,
    font: &MonoFont<'_>,
    ink: Rgb888,
    alignment: Alignment,
) -> Result<Point, Infallible> {
    let style = TextStyleBuilder::new()
        .baseline(Baseline::Top)
        .alignment(alignment)
        .build();
    Text::with_text_style(text, at, MonoTextStyle::new(font, ink), style).draw(canvas)
}
