//! Addresses at which a person opens a book.

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use md5::{Digest as _, Md5};

use super::{
    ids::{BookId, BookKind, ChapterUid},
    notes::Range,
};

/// The page of the web reader for a book or one of its chapters, or for an official account. `web` is
/// the service's address. `None` for the collection of kept articles, which has no page.
///
/// A chapter is left out where it has no page: in an official account, or with a negative id.
/// Rule and check values: docs/upstreams/weread.md, 6.
pub fn reader(web: &str, book: &BookId, chapter: Option<ChapterUid>) -> Option<String> {
    let web = web.trim_end_matches('/');
    let hash = hash(book.as_str());
    match book.kind() {
        BookKind::Articles => None,
        BookKind::OfficialAccount => Some(format!("{web}/web/mp/reader/{hash}")),
        BookKind::Store | BookKind::Imported | BookKind::Other => {
            let chapter = chapter.filter(|uid| uid.0 >= 0);
            let chapter = chapter.map(|uid| format!("k{}", self::hash(&uid.0.to_string())));
            let chapter = chapter.unwrap_or_default();
            Some(format!("{web}/web/reader/{hash}{chapter}"))
        }
    }
}

/// A link that opens the book in the app, at a chapter where one is given.
pub fn app(book: &BookId, chapter: Option<ChapterUid>) -> String {
    let chapter = chapter.map(|uid| format!("&chapterUid={}", uid.0));
    format!("weread://reading?bId={book}{}", chapter.unwrap_or_default())
}

/// A link that opens a passage in the app; `None` unless the range has both ends.
pub fn app_passage(book: &BookId, chapter: ChapterUid, range: &Range) -> Option<String> {
    let (start, end) = (range.start?, range.end?);
    let ChapterUid(uid) = chapter;
    Some(format!(
        "weread://bestbookmark?bookId={book}&chapterUid={uid}&rangeStart={start}&rangeEnd={end}"
    ))
}

/// How the web reader writes an id.
fn hash(id: &str) -> String {
    let sum = md5(id);
    let (kind, pieces) = pieces(id);
    let head: String = sum.chars().take(3).collect();
    let tail: String = sum.chars().skip(30).collect();
    let pieces: Vec<_> = pieces
        .iter()
        .map(|piece| format!("{:02x}{piece}", piece.len()))
        .collect();
    let mut hash = format!("{head}{kind}2{tail}{}", pieces.join("g"));
    hash.extend(sum.chars().take(20_usize.saturating_sub(hash.len())));
    let check: String = md5(&hash).chars().take(3).collect();
    hash + &check
}

/// An id in hexadecimal: of digits in pieces of nine, else character by character.
fn pieces(id: &str) -> (char, Vec<String>) {
    if id.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = |piece: &[u8]| {
            piece
                .iter()
                .fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'))
        };
        let pieces = id
            .as_bytes()
            .chunks(9)
            .map(|piece| format!("{:x}", number(piece)));
        return ('3', pieces.collect());
    }
    let mut piece = String::new();
    for character in id.chars() {
        // Writing to a text cannot fail.
        let _ = write!(piece, "{:x}", u32::from(character));
    }
    ('4', vec![piece])
}

fn md5(text: &str) -> String {
    HEXLOWER.encode(&Md5::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEB: &str = "https://weread.qq.com";

    fn book(id: &str) -> BookId {
        id.parse().expect("a book id")
    }

    #[test]
    fn the_hash_is_the_one_of_the_web_reader() {
        for (id, expected) in [
            ("43208843", "c9c321c07293508bc9c79df"),
            ("24276056", "551323f071726c58551fe37"),
            ("27416212", "eba3273071a25694eba47a5"),
            ("2", "c81322c012c81e728d9d180"),
            // More than nine digits, and letters: computed by an independent program that gives the four above.
            ("3300144307", "52e320c0813ab9edeg01750f"),
            (
                "MP_WXS_3000000001",
                "2464241224d505f5758535f33303030303030303031a54",
            ),
        ] {
            assert_eq!(hash(id), expected, "{id}");
        }
    }

    #[test]
    fn a_link_leads_to_the_book_its_chapter_or_the_account() {
        let chapter = Some(ChapterUid(2));
        for (id, chapter, expected) in [
            (
                "27416212",
                None,
                Some("/web/reader/eba3273071a25694eba47a5"),
            ),
            (
                "27416212",
                chapter,
                Some("/web/reader/eba3273071a25694eba47a5kc81322c012c81e728d9d180"),
            ),
            (
                "27416212",
                Some(ChapterUid(-2_147_473_635)),
                Some("/web/reader/eba3273071a25694eba47a5"),
            ),
            (
                "MP_WXS_3000000001",
                chapter,
                Some("/web/mp/reader/2464241224d505f5758535f33303030303030303031a54"),
            ),
            ("mpbook", None, None),
        ] {
            let expected = expected.map(|path| format!("{WEB}{path}"));
            assert_eq!(reader(WEB, &book(id), chapter), expected, "{id}");
            assert_eq!(
                reader(&format!("{WEB}/"), &book(id), chapter),
                expected,
                "{id}"
            );
        }
    }

    #[test]
    fn app_links_name_book_chapter_and_passage() {
        let (id, chapter) = (book("CB_1kVFtS"), ChapterUid(57));
        let whole = Range {
            text: "1227-1255".to_owned(),
            start: Some(1227),
            end: Some(1255),
        };
        let single = Range {
            end: None,
            ..whole.clone()
        };
        assert_eq!(app(&id, None), "weread://reading?bId=CB_1kVFtS");
        assert_eq!(
            app(&id, Some(chapter)),
            "weread://reading?bId=CB_1kVFtS&chapterUid=57"
        );
        assert_eq!(
            app_passage(&id, chapter, &whole).as_deref(),
            Some(
                "weread://bestbookmark?bookId=CB_1kVFtS&chapterUid=57&rangeStart=1227&rangeEnd=1255"
            )
        );
        assert_eq!(app_passage(&id, chapter, &single), None);
    }
}
