//! Pixels to draw on, and the file they become.

use std::convert::Infallible;

use embedded_graphics::{
    Pixel,
    draw_target::DrawTarget,
    geometry::{OriginDimensions, Size},
    pixelcolor::{Rgb888, RgbColor},
};

/// An opaque picture in memory, three bytes a pixel.
pub(super) struct Canvas {
    size: Size,
    bytes: Vec<u8>,
}

impl Canvas {
    /// A canvas of one colour.
    pub(super) fn new(size: Size, ground: Rgb888) -> Self {
        let pixels = size.width as usize * size.height as usize;
        let bytes = [ground.r(), ground.g(), ground.b()].repeat(pixels);
        Self { size, bytes }
    }

    /// The picture as a PNG file.
    pub(super) fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.width, self.size.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&self.bytes)?;
        Ok(file)
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        self.size
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb888>>,
    {
        let (width, height) = (self.size.width as usize, self.size.height as usize);
        for Pixel(point, colour) in pixels {
            let place = usize::try_from(point.x)
                .ok()
                .zip(usize::try_from(point.y).ok());
            let Some((x, y)) = place.filter(|(x, y)| *x < width && *y < height) else {
                continue;
            };
            let pixel = self
                .bytes
                .get_mut(3 * (y * width + x)..)
                .unwrap_or_default();
            for (byte, value) in pixel.iter_mut().zip([colour.r(), colour.g(), colour.b()]) {
                *byte = value;
            }
        }
        Ok(())
    }
}
