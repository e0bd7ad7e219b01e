//! Lists that come in pages, put together.

use std::collections::HashSet;

use http_session::drift::Drift;

use crate::error::Error;

/// One page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// Its list, with what else the answer tells.
    pub list: T,
    /// Where the next page begins; `None` at the end.
    pub next: Option<i64>,
}

/// A list whose items have ids.
pub(super) trait Listed {
    type Item;

    fn items(&mut self) -> &mut Vec<Self::Item>;

    fn id(item: &Self::Item) -> &str;

    /// Adds what a later page counts for itself alone.
    fn count(&mut self, _later: &Self) {}
}

/// Pages of one list before something must be wrong: 20,000 items at 100 each.
const MOST: usize = 200;

/// The whole list, each id once, with what the first page tells beside it.
///
/// A page that brings nothing new ends it, whatever it says of more: the service repeats the first page
/// when it ignores where to go on. The count beside the list then tells that some are missing.
/// `Error::Changed` when the pages do not end.
pub(super) async fn all<T: Listed, F>(
    path: &'static str,
    ask: impl Fn(i64) -> F,
) -> Result<T, Error>
where
    F: Future<Output = Result<Page<T>, Error>>,
{
    let mut seen = HashSet::new();
    let mut fresh = |list: &mut T| -> Vec<T::Item> {
        let items = list.items().drain(..);
        items
            .filter(|item| seen.insert(T::id(item).to_owned()))
            .collect()
    };
    let mut begin = 0;
    let mut page = ask(begin).await?;
    let mut whole = page.list;
    *whole.items() = fresh(&mut whole);
    for _ in 1..MOST {
        match page.next {
            Some(next) if next != begin => begin = next,
            _ => return Ok(whole),
        }
        page = ask(begin).await?;
        let items = fresh(&mut page.list);
        if items.is_empty() {
            return Ok(whole);
        }
        whole.count(&page.list);
        whole.items().extend(items);
    }
    Err(Error::changed(path, Drift::new("hasMore", "翻页没有尽头")))
}

#[cfg(test)]
mod tests;
