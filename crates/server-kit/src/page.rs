//! A list cut at item borders to a count and a size, with a way to go on.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Write},
};

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    failure::{Failure, bad_argument},
    told::told,
};

/// Bytes of a result that are left for everything around the list.
const AROUND: usize = 2 * 1024;

/// How far one answer may go.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    start: Option<Cursor>,
    items: usize,
    bytes: usize,
}

/// Where the answer before ended, and in which list.
#[derive(Debug, Clone, PartialEq)]
struct Cursor {
    at: usize,
    print: String,
}

impl Limits {
    /// At most `items` items and `bytes` bytes of the whole result as JSON text, from where the
    /// answer that gave `cursor` ended. Fails when the text is no such cursor, so that nothing is
    /// asked of the upstream for it.
    pub fn new(cursor: Option<&str>, items: usize, bytes: usize) -> Result<Self, Failure> {
        let start = cursor.map(Cursor::parse).transpose()?;
        Ok(Self {
            start,
            items,
            bytes,
        })
    }
}

impl Cursor {
    fn parse(text: &str) -> Result<Self, Failure> {
        let parts = text.split_once('-');
        let read = parts.and_then(|(at, print)| Some((at.parse().ok()?, print.to_owned())));
        let (at, print) = read.ok_or_else(|| {
            bad_argument("cursor", "不是本工具给出的 next_cursor；去掉它从头查起")
        })?;
        Ok(Self { at, print })
    }
}

/// One part of a list. `total` counts the whole list, `returned` this part.
#[derive(Debug, PartialEq)]
pub struct Page<T> {
    /// The items of this part, in the list's order.
    pub items: Vec<T>,
    /// Items of the whole list.
    pub total: usize,
    /// Whether the list goes on after this part.
    pub truncated: bool,
    /// Given back as `cursor`, goes on after this part; absent at the end.
    pub next_cursor: Option<String>,
}

/// What a result says of a list that was cut.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = told(&[]))]
pub struct Counts {
    /// Items of the whole list.
    total: usize,
    /// Items of this part.
    returned: usize,
    /// Whether the list goes on after this part.
    truncated: bool,
    /// Given back as `cursor`, goes on after this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl<T: Serialize> Page<T> {
    /// The part of `list` that `limits` allow. `key` tells items apart: a cursor carries a
    /// fingerprint of all keys in order, so going on in a list that has changed since is refused
    /// instead of repeating or leaving out items. Holds at least one item when any is left.
    pub fn cut<K: Hash>(
        list: Vec<T>,
        limits: &Limits,
        key: impl Fn(&T) -> K,
    ) -> Result<Self, Failure> {
        let total = list.len();
        let print = fingerprint(list.iter().map(key));
        let start = match &limits.start {
            None => 0,
            Some(cursor) if cursor.print == print && cursor.at < total => cursor.at,
            Some(_) => {
                let why = "列表已变化或条件不同，无法接着翻页；去掉 cursor 重新查询";
                return Err(bad_argument("cursor", why));
            }
        };
        let part = Self::from(list, start, limits.items, limits.bytes);
        let end = start + part.returned();
        let next_cursor = part.truncated.then(|| format!("{end}-{print}"));
        Ok(Self {
            next_cursor,
            ..part
        })
    }

    /// As many items of `list` as fit into `bytes` of a result, for a tool that cannot go on.
    pub fn beginning(list: Vec<T>, bytes: usize) -> Self {
        Self::from(list, 0, usize::MAX, bytes)
    }

    /// The items of `list` from `start` on, within `items` and `bytes`; the cursor is yet to be made.
    fn from(list: Vec<T>, start: usize, items: usize, bytes: usize) -> Self {
        let total = list.len();
        let mut room = bytes.saturating_sub(AROUND);
        let mut part = Vec::new();
        for item in list.into_iter().skip(start).take(items) {
            let size = size_of_json(&item) + 1;
            if size > room && !part.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
            part.push(item);
        }
        Self {
            truncated: start + part.len() < total,
            items: part,
            total,
            next_cursor: None,
        }
    }

    /// What a result says of the list, to be flattened into it beside the items.
    pub fn counts(&self) -> Counts {
        Counts {
            total: self.total,
            returned: self.items.len(),
            truncated: self.truncated,
            next_cursor: self.next_cursor.clone(),
        }
    }

    /// Items of this part.
    pub fn returned(&self) -> usize {
        self.items.len()
    }
}

/// Bytes of an item as JSON text, which is counted and not kept.
fn size_of_json(item: &impl Serialize) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
            self.0 += piece.len();
            Ok(piece.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // An item that has no JSON fails when the result is made.
    let _ = serde_json::to_writer(&mut count, item);
    count.0
}

fn fingerprint<K: Hash>(keys: impl Iterator<Item = K>) -> String {
    let mut hasher = DefaultHasher::new();
    keys.for_each(|key| key.hash(&mut hasher));
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(cursor: Option<&str>, items: usize, bytes: usize) -> Limits {
        Limits::new(cursor, items, bytes).expect("limits")
    }

    #[test]
    fn pages_hold_every_item_once() {
        let list = Vec::from_iter(0..7_u32);
        let mut seen = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = Page::cut(list.clone(), &limits(cursor.as_deref(), 3, 9_000), |n| *n)
                .expect("a page");
            assert_eq!(
                (page.total, page.truncated),
                (7, page.next_cursor.is_some())
            );
            seen.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, list);
    }

    #[test]
    fn size_cuts_at_an_item_but_never_to_nothing() {
        let list = vec!["a".repeat(500), "b".repeat(500), "c".repeat(500)];
        let page = Page::cut(
            list.clone(),
            &limits(None, 10, AROUND + 1_010),
            Clone::clone,
        )
        .expect("a page");
        assert_eq!((page.returned(), page.truncated), (2, true));
        let beginning = Page::beginning(list.clone(), AROUND + 1_010);
        let part = (beginning.returned(), beginning.truncated);
        assert_eq!((part, beginning.next_cursor), ((2, true), None));
        let page = Page::cut(list, &limits(None, 10, 0), Clone::clone).expect("a page");
        assert_eq!((page.returned(), page.truncated), (1, true));
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let first = Page::cut(vec![1, 2, 3], &limits(None, 1, 9_000), |n| *n).expect("a page");
        let cursor = first.next_cursor.expect("more");
        let cut = |list, cursor: &str| {
            Limits::new(Some(cursor), 1, 9_000).and_then(|limits| Page::cut(list, &limits, |n| *n))
        };
        for (list, cursor) in [
            (vec![1, 2, 4], cursor.as_str()),
            (vec![1, 2, 3], "x"),
            (vec![1, 2, 3], "9-0"),
        ] {
            let refusal = cut(list, cursor).expect_err("refused");
            assert_eq!(
                (refusal.code, &refusal.data["field"]),
                ("INVALID_ARGUMENT", &"cursor".into())
            );
        }
    }
}
