//! Where a list goes on that the service itself gives in pages.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use data_encoding::BASE64URL_NOPAD;
use serde::{Serialize, de::DeserializeOwned};
use server_kit::{Failure, Page, bad_argument};

/// Where the next items are: behind so many of the service's page that begins at `after`. A page that
/// does not fit into one result is asked for again for its rest, so that no item is lost or repeated.
#[derive(Debug)]
pub(super) struct Onward<P> {
    /// Where the page begins, in the service's terms; `None` for the first.
    pub(super) after: Option<P>,
    given: usize,
    /// The list as its arguments tell it: a cursor of another one is refused.
    list: String,
}

/// What one result gives of the list.
pub(super) struct Part<T> {
    pub(super) items: Vec<T>,
    /// Given back as `cursor`, goes on; absent at the end.
    pub(super) next_cursor: Option<String>,
}

impl<P: Serialize + DeserializeOwned> Onward<P> {
    /// From where the result that gave `cursor` ended, or from the beginning. `list` is the tool and its
    /// other arguments. Fails when the cursor is none of that list, before anything is asked.
    pub(super) fn read(cursor: Option<&str>, list: &impl Serialize) -> Result<Self, Failure> {
        let list = json(list);
        let (after, given) = match cursor {
            None => (None, 0),
            Some(text) => read(text, &list).ok_or_else(|| {
                let why = "不是本工具以相同参数给出的 next_cursor；去掉它从头查起";
                bad_argument("cursor", why)
            })?,
        };
        Ok(Self { after, given, list })
    }

    /// How many items to ask for so that `most` are new.
    pub(super) fn count(&self, most: usize) -> u32 {
        u32::try_from(self.given.saturating_add(most)).unwrap_or(u32::MAX)
    }

    /// What of the service's page fits into a result of `bytes`; behind the page the list goes on at
    /// `next`.
    pub(super) fn cut<T: Serialize>(self, page: Vec<T>, next: Option<P>, bytes: usize) -> Part<T> {
        let fresh = page.into_iter().skip(self.given).collect();
        let cut = Page::beginning(fresh, bytes);
        let next = match cut.truncated {
            true => Some((self.after, self.given + cut.items.len())),
            false => next.map(|next| (Some(next), 0)),
        };
        Part {
            next_cursor: next.map(|place| written(&json(&place), &self.list)),
            items: cut.items,
        }
    }
}

fn read<P: DeserializeOwned>(cursor: &str, list: &str) -> Option<P> {
    let (place, _) = cursor.split_once('.')?;
    let place = BASE64URL_NOPAD.decode(place.as_bytes()).ok()?;
    let place = String::from_utf8(place).ok()?;
    let is_ours = written(&place, list) == cursor;
    is_ours.then(|| serde_json::from_str(&place).ok()).flatten()
}

fn written(place: &str, list: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (place, list).hash(&mut hasher);
    let place = BASE64URL_NOPAD.encode(place.as_bytes());
    format!("{place}.{:016x}", hasher.finish())
}

/// Texts and numbers, which always have a JSON form.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Place = (i64, Option<String>);

    fn onward(cursor: Option<&str>, list: &str) -> Result<Onward<Place>, Failure> {
        Onward::read(cursor, &list)
    }

    /// Everything of a list of `pages`, cut to results of `bytes`.
    fn all(pages: &[Vec<String>], bytes: usize) -> Vec<String> {
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let place = onward(cursor.as_deref(), "a").expect("a place");
            let at = place.after.as_ref().map_or(0, |(at, _)| *at);
            let next = at + 1;
            let at = usize::try_from(at).expect("an index");
            let page = pages[at].clone();
            let next = (at + 1 < pages.len()).then(|| (next, Some("会话 a.b".to_owned())));
            let part = place.cut(page, next, bytes);
            seen.extend(part.items);
            cursor = part.next_cursor;
            if cursor.is_none() {
                return seen;
            }
        }
    }

    #[test]
    fn every_item_comes_once_whatever_fits() {
        let text = |nth: usize| format!("{nth}{}", "长".repeat(300));
        let pages = [
            Vec::from_iter((0..5).map(text)),
            Vec::new(),
            Vec::from_iter((5..8).map(text)),
        ];
        for bytes in [0, 4_000, 5_000, 100_000] {
            assert_eq!(
                all(&pages, bytes),
                Vec::from_iter((0..8).map(text)),
                "{bytes}"
            );
        }
    }

    #[test]
    fn more_is_asked_for_what_was_given() {
        let first = onward(None, "a").expect("the beginning");
        assert_eq!((first.after.clone(), first.count(10)), (None, 10));
        let part = first.cut(vec!["一".repeat(900); 3], None, 0);
        let cursor = part.next_cursor.expect("more");
        let rest = onward(Some(&cursor), "a").expect("a place");
        assert_eq!((rest.after.clone(), rest.count(10)), (None, 11));
    }

    #[test]
    fn a_cursor_of_another_list_or_hand_is_refused() {
        let part = onward(None, "a").expect("the beginning");
        let part = part.cut(vec![1, 2], Some((7, None)), 9_000);
        let cursor = part.next_cursor.expect("more");
        assert_eq!(
            onward(Some(&cursor), "a").expect("a place").after,
            Some((7, None))
        );
        let (place, print) = cursor.split_once('.').expect("two parts");
        for (cursor, list) in [
            (cursor.as_str(), "b"),
            (place, "a"),
            (print, "a"),
            ("", "a"),
            ("12-00", "a"),
            (&format!("{place}x.{print}"), "a"),
            (&format!("{place}.{print}0"), "a"),
        ] {
            let refusal = onward(Some(cursor), list).expect_err("refused");
            assert_eq!(
                (refusal.code, &refusal.data["field"]),
                ("INVALID_ARGUMENT", &"cursor".into()),
                "{cursor}"
            );
        }
    }
}
