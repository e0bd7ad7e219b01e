//! A seat map for a person: as a grid of characters, and as a picture.

mod canvas;
mod picture;
mod plan;
mod shapes;
mod text;

pub use picture::{LEGEND as PICTURE_LEGEND, picture};
pub(crate) use plan::plan;
pub use text::{LEGEND as GRID_LEGEND, grid};
