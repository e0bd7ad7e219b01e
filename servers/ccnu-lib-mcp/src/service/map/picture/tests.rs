//! Pictures looked at pixel by pixel.

use embedded_graphics::pixelcolor::Rgb888;

use super::*;
use crate::{
    domain::map::tests::{hall, plan, room},
    service::map::shapes::{CLOSED, OWN, TAKEN},
};

/// The pixels of a PNG file and its width.
fn pixels(file: &[u8]) -> (Vec<[u8; 3]>, u32, u32) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file))
        .read_info()
        .expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a frame");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let pixels = bytes
        .chunks_exact(3)
        .map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    (pixels.collect(), info.width, info.height)
}

fn colour(colour: Rgb888) -> [u8; 3] {
    [colour.r(), colour.g(), colour.b()]
}

#[test]
fn sizes_stay_within_bounds() {
    for map in [
        plan(&[]),
        plan(&[("1", 5.0, 5.0)]),
        room(),
        hall(172),
        hall(600),
        hall(2000),
    ] {
        let file = picture(&map, "2026-06-25 08:00-12:00").expect("a picture");
        let (_, width, height) = pixels(&file);
        assert!(width <= 1600 && height <= 1600, "{width} x {height}");
        assert!(file.len() < 200_000, "{} bytes", file.len());
    }
}

#[test]
fn a_picture_is_the_same_each_time() {
    let again = || picture(&hall(172), "N").expect("a picture");
    assert_eq!(again(), again());
}

#[test]
fn shapes_tell_the_seats_apart_without_colour() {
    let map = room();
    let plan = Plan::of(&map);
    let (pixels, width, _) = pixels(&picture(&map, "").expect("a picture"));
    let at = |x: i32, y: i32| pixels[(y * width as i32 + x) as usize];
    for seat in &map.seats {
        let square = plan.square(seat);
        let (left, top) = (square.top_left.x, square.top_left.y);
        // Left of the number and below the bolt, the fill alone.
        let fill = at(left + 4, top + plan.side / 2 - 2);
        let expected = match seat.spot {
            Spot::Free | Spot::Unasked => GROUND,
            Spot::Taken => TAKEN,
            Spot::Closed | Spot::Unknown => FLOOR,
        };
        assert_eq!(fill, colour(expected), "{}", seat.seat_no);
        let outside = at(left - 4, top + plan.side / 2);
        let ring = if seat.own { OWN } else { FLOOR };
        assert_eq!(outside, colour(ring), "{}", seat.seat_no);
        let middle = at(square.center().x, square.center().y) == colour(CLOSED);
        assert_eq!(middle, seat.spot == Spot::Closed, "{}", seat.seat_no);
        let inked = |from: i32, to: i32| {
            let rows = (top + 3)..(top + plan.side / 2 - 2);
            let ink = if seat.spot == Spot::Taken {
                GROUND
            } else {
                INK
            };
            rows.flat_map(|y| (from..to).map(move |x| (x, y)))
                .any(|(x, y)| at(x, y) == colour(ink))
        };
        let corner = inked(left + plan.side * 3 / 4, left + plan.side - 3);
        assert_eq!(corner, seat.power == Some(true), "{}", seat.seat_no);
        let heart = inked(left + 3, left + plan.side / 3);
        assert_eq!(heart, seat.favorite, "{}", seat.seat_no);
    }
}

#[test]
fn numbers_are_left_out_where_they_do_not_fit() {
    for (side, characters, expected) in [
        (36, 4, Some(13)),
        (30, 4, Some(10)),
        (24, 4, Some(7)),
        (20, 4, Some(6)),
        (19, 4, None),
        (36, 9, None),
    ] {
        let height = font(side, characters).map(|font| font.character_size.height);
        assert_eq!(height, expected, "{side} {characters}");
    }
}

#[test]
fn the_legend_is_not_cut() {
    let (pixels, width, _) = pixels(&picture(&hall(2000), "").expect("a picture"));
    let width = width as usize;
    let head = pixels.chunks_exact(width).take((MARGIN + HEAD) as usize);
    let edge = head.flat_map(|row| &row[width - MARGIN as usize..]);
    assert!(edge.copied().all(|pixel| pixel == colour(GROUND)));
}
