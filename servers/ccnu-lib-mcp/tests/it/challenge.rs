//! Questions for a person, answered by the tool.

mod captcha;
mod lost;
mod pending;
mod second_factor;
