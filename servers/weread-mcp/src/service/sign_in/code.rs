//! The picture of a code to scan.

use challenge::Picture;
use png::{BitDepth, ColorType, Encoder};
use qrcode::{Color, QrCode};

/// Pixels of a side of one module.
const SCALE: usize = 6;

/// Modules of white around, as readers need.
const QUIET: usize = 4;

/// A PNG of the code that says `text`, black on white; `None` when it is too long for one.
pub(super) fn picture(text: &str) -> Option<Picture> {
    let code = QrCode::new(text).ok()?;
    let modules = code.to_colors();
    let side = (code.width() + 2 * QUIET) * SCALE;
    let is_dark = |x: usize, y: usize| {
        let at = |pixel: usize| {
            (pixel / SCALE)
                .checked_sub(QUIET)
                .filter(|at| *at < code.width())
        };
        let (Some(x), Some(y)) = (at(x), at(y)) else {
            return false;
        };
        modules.get(y * code.width() + x) == Some(&Color::Dark)
    };
    let pixels: Vec<u8> = (0..side * side)
        .map(|at| {
            if is_dark(at % side, at / side) {
                0
            } else {
                255
            }
        })
        .collect();
    let mut bytes = Vec::new();
    let length = u32::try_from(side).ok()?;
    let mut encoder = Encoder::new(&mut bytes, length, length);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&pixels).ok()?;
    writer.finish().ok()?;
    Some(Picture {
        bytes,
        media_type: "image/png".to_owned(),
    })
}
