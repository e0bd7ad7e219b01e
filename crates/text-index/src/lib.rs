//! Full-text search that is right for Chinese, in the caller's own database.
//!
//! An [`Index`] keeps the text and the [`Tag`]s of each row, and beside them an index that only narrows
//! a search down: what it finds is checked against the text. So a search gives exactly the rows below,
//! neither more nor fewer, whatever the length of the query.
//!
//! **Folding.** Texts and queries are folded alike: characters that nobody sees (controls, zero-width
//! and other ignorable ones, variation selectors) go, the rest becomes NFKC and lower case (letter by
//! letter), a run of white space becomes one space.
//!
//! **Characters.** A *Chinese character* is a Han character of any plane, `々`, `〇`, kana, bopomofo or
//! hangul. A *word character* is every other letter or digit; a *word* is a run of them, as long as it
//! gets. All else, `_` and emoji too, is neither.
//!
//! **Matching.** A [`Query`] has parts: a quoted part goes to the closing quote, any other to the next
//! white space or quote; white space at the ends of a part counts for nothing. A row is found when its
//! tags and number pass the [`Filter`] and each part matches. A part matches where the folded text
//! contains the folded part, unless it would begin inside a word: a part that begins with a word
//! character begins where a word begins. It may end anywhere. So:
//!
//! | part | finds | does not find |
//! | --- | --- | --- |
//! | `京` | `北京` | |
//! | `time` | `timeout`, `Time`, `的time` | `runtime` |
//! | `Python入门` | `python入门教程` | `python 入门`, `cpython入门` |
//! | `"time out"` | `time  outs` | `time, out` |
//! | `c++` | `C++20` | `c+` |
//!
//! A part without a Chinese or word character is refused, since nothing narrows its search down.
//!
//! **Order.** Results come by falling row number: give rows numbers that rise with time. Numbers that
//! are close together make a small index, rising ones a quick [`Index::put`].
//!
//! **Removal.** What is removed or replaced is overwritten in the file at once. Older pages stay in the
//! write-ahead log until a checkpoint truncates it, and two characters or the beginning of a word may stay
//! as the border between two pages of the index.
//!
//! Several processes may use one index. All calls block; from asynchronous code they belong in
//! `spawn_blocking`.

mod error;
mod filter;
mod fold;
mod index;
mod query;
mod rebuild;
mod search;
mod tokens;

pub use error::Error;
pub use filter::{Filter, Tag, TagKind};
pub use index::Index;
pub use query::{BadQuery, Query};
pub use search::{Count, Hit, Hits};
