//! A picture such as a login page shows: four bent letters among lines and specks.

type Point = (f64, f64);

/// Each letter's strokes, in a box four wide and six high.
const LETTERS: [&[&[Point]]; 4] = [
    &[&[(0.2, 0.4), (3.9, 0.2), (1.6, 6.0)]],
    &[
        &[(0.4, 0.0), (0.4, 6.0)],
        &[(3.8, 0.2), (0.4, 3.4), (3.9, 6.0)],
    ],
    &[&[
        (0.2, 1.6),
        (0.8, 0.4),
        (2.2, 0.0),
        (3.4, 0.7),
        (3.5, 2.0),
        (0.3, 5.8),
        (3.9, 5.6),
    ]],
    &[&[(0.1, 6.0), (0.5, 0.1), (2.0, 3.6), (3.6, 0.1), (4.0, 6.0)]],
];
const INKS: [[f64; 3]; 4] = [
    [38.0, 70.0, 160.0],
    [165.0, 55.0, 60.0],
    [30.0, 110.0, 80.0],
    [105.0, 60.0, 145.0],
];
const GROUND: [f64; 3] = [236.0, 240.0, 245.0];
const GREY: [f64; 3] = [125.0, 135.0, 155.0];
const WIDTH: u32 = 120;
const HEIGHT: u32 = 40;

/// `7K2M`, as a PNG.
pub(crate) fn picture() -> Vec<u8> {
    let dots = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (f64::from(x), f64::from(y))));
    let dots: Vec<u8> = dots.flat_map(colour).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&dots).unwrap();
    writer.finish().unwrap();
    file
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255"
)]
fn colour((x, y): Point) -> [u8; 3] {
    // The paper is bent, so all that is drawn on it is.
    let bent = (x + (y / 6.0).sin() * 1.8, y + (x / 9.0).sin() * 1.6);
    let mut colour = GROUND;
    if (x * 12.9898 + y * 78.233).sin().abs() > 0.9985 {
        colour = GREY;
    }
    for (place, (strokes, ink)) in (0_u8..).zip(LETTERS.iter().zip(INKS)) {
        let place = f64::from(place);
        let lean = (bent.1 - 20.0) * (1.4 - place) * 0.11;
        let point = (
            (bent.0 - 14.0 - place * 26.0 + lean) / 4.2,
            (bent.1 - 7.0) / 4.3,
        );
        let near = strokes.iter().flat_map(|stroke| stroke.windows(2));
        let near = near.map(|line| distance(point, line[0], line[1]) * 4.2);
        colour = over(colour, ink, near.fold(f64::MAX, f64::min) - 1.9);
    }
    for (from, to) in [((0.0, 14.0), (120.0, 27.0)), ((0.0, 34.0), (120.0, 9.0))] {
        colour = over(colour, GREY, distance(bent, from, to) - 0.6);
    }
    colour.map(|part| part.round() as u8)
}

/// `ink` laid on, softly where `outside` is about zero.
fn over(colour: [f64; 3], ink: [f64; 3], outside: f64) -> [f64; 3] {
    let part = (0.5 - outside).clamp(0.0, 1.0);
    std::array::from_fn(|index| colour[index] + (ink[index] - colour[index]) * part)
}

/// How far a point is from a line between two others.
fn distance(point: Point, from: Point, to: Point) -> f64 {
    let (along, off) = (
        (to.0 - from.0, to.1 - from.1),
        (point.0 - from.0, point.1 - from.1),
    );
    let length = along.0 * along.0 + along.1 * along.1;
    let part = ((off.0 * along.0 + off.1 * along.1) / length).clamp(0.0, 1.0);
    (off.0 - part * along.0).hypot(off.1 - part * along.1)
}
