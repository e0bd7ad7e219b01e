//! Where lists end.

use std::{cell::RefCell, future::ready};

use super::*;

#[derive(Debug, Clone, PartialEq)]
struct Letters {
    items: Vec<String>,
    total: u8,
    /// Of which every page counts its own.
    pages: usize,
}

impl Listed for Letters {
    type Item = String;

    fn items(&mut self) -> &mut Vec<String> {
        &mut self.items
    }

    fn id(item: &String) -> &str {
        item
    }

    fn count(&mut self, later: &Self) {
        self.pages += later.pages;
    }
}

fn page(letters: &str, total: u8, next: Option<i64>) -> Page<Letters> {
    let items = letters.chars().map(String::from).collect();
    let list = Letters {
        items,
        total,
        pages: 1,
    };
    Page { list, next }
}

/// The letters in their order, and where each page was asked to begin.
async fn read(pages: &[Page<Letters>]) -> (Result<(String, u8), String>, Vec<i64>) {
    let asked = RefCell::new(Vec::new());
    let found = all("/path", |begin| {
        asked.borrow_mut().push(begin);
        let number = asked.borrow().len() - 1;
        ready(Ok(pages[number % pages.len()].clone()))
    });
    let found = found
        .await
        .map(|letters| (letters.items.concat(), letters.total));
    (found.map_err(|error| error.to_string()), asked.into_inner())
}

#[tokio::test]
async fn pages_are_put_together_until_nothing_new_comes() {
    for (pages, expected, asked) in [
        (vec![page("", 0, None)], "", vec![0]),
        (vec![page("abc", 9, None)], "abc", vec![0]),
        (
            vec![
                page("ab", 9, Some(2)),
                page("cd", 8, Some(4)),
                page("e", 7, None),
            ],
            "abcde",
            vec![0, 2, 4],
        ),
        // An item that stands on two pages, and twice on one.
        (
            vec![page("aab", 9, Some(2)), page("bc", 9, None)],
            "abc",
            vec![0, 2],
        ),
        // The first page again and again: where to go on was ignored.
        (vec![page("ab", 9, Some(2))], "ab", vec![0, 2]),
        // More is promised, but nothing comes.
        (
            vec![page("ab", 9, Some(2)), page("", 9, Some(3))],
            "ab",
            vec![0, 2],
        ),
        // Where to go on stays where it was.
        (
            vec![page("ab", 9, Some(2)), page("cd", 9, Some(2))],
            "abcd",
            vec![0, 2],
        ),
        (vec![page("ab", 9, Some(0))], "ab", vec![0]),
    ] {
        let total = pages[0].list.total;
        let found = read(&pages).await;
        assert_eq!(found, (Ok((expected.to_owned(), total)), asked));
    }
}

#[tokio::test]
async fn what_each_page_counts_is_added_up() {
    let ask = |begin| {
        ready(Ok(match begin {
            0 => page("ab", 9, Some(2)),
            // The last repeats what was there.
            _ => page("c", 9, Some(begin + 1)),
        }))
    };
    let found = all("/path", ask).await.expect("letters");
    assert_eq!((found.items.concat(), found.pages), ("abc".to_owned(), 2));
}

#[tokio::test]
async fn pages_without_end_are_an_error() {
    let letter = |number: u32| char::from_u32(0x4e00 + number).map(String::from);
    let pages = (0..=200).map(|number| {
        page(
            &letter(number).expect("a letter"),
            0,
            Some(i64::from(number) + 1),
        )
    });
    let pages: Vec<_> = pages.collect();
    let (found, asked) = read(&pages).await;
    assert_eq!(found, Err("/path changed at hasMore".to_owned()));
    assert_eq!(asked.len(), 200);
}

#[tokio::test]
async fn a_page_that_fails_fails_the_list() {
    let found = all("/path", |begin| {
        ready(match begin {
            0 => Ok(page("ab", 9, Some(2))),
            _ => Err(Error::Nothing { path: "/path" }),
        })
    });
    let error = found.await.expect_err("an error");
    assert!(matches!(error, Error::Nothing { path: "/path" }), "{error}");
}
