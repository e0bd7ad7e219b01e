//! Reading a body within its limit, and telling JSON from what stands in its place.

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::error::Error;

/// Reads a whole body of at most `limit_bytes`.
pub(crate) async fn read(
    mut response: Response,
    path: &str,
    limit_bytes: u64,
) -> Result<Bytes, Error> {
    let fits = |length: u64| match length {
        length if length <= limit_bytes => Ok(()),
        _ => Err(Error::TooLarge {
            path: path.to_owned(),
            limit_bytes,
        }),
    };
    fits(response.content_length().unwrap_or(0))?;
    let mut body = BytesMut::new();
    // Whatever stops the stream, a part of the answer is missing.
    let cut = |_stopped| Error::Cut {
        path: path.to_owned(),
    };
    while let Some(chunk) = response.chunk().await.map_err(cut)? {
        fits(body.len() as u64 + chunk.len() as u64)?;
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Reads JSON; an unexpected shape is reported with its place.
pub(crate) fn json<T: DeserializeOwned>(body: &[u8], path: &str) -> Result<T, Error> {
    let path = path.to_owned();
    let body = body
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(body)
        .trim_ascii();
    match body.first() {
        None => return Err(Error::NotJson { path }),
        Some(b'<') => return Err(Error::Html { path }),
        Some(_) => {}
    }
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader);
    match value {
        Ok(value) => reader
            .end()
            .map(|()| value)
            .map_err(|_| Error::NotJson { path }),
        Err(error) => Err(match error.inner().classify() {
            Category::Eof => Error::Cut { path },
            Category::Syntax | Category::Io => Error::NotJson { path },
            Category::Data => Error::Shape {
                path,
                field: error.path().to_string(),
                why: why(&error.inner().to_string()),
            },
        }),
    }
}

/// A reason without the value that was met, which serde quotes and which may be private.
fn why(message: &str) -> String {
    let message = message
        .rsplit_once(" at line ")
        .map_or(message, |(message, _)| message);
    if message.starts_with("missing field `") {
        return message.to_owned();
    }
    let known = [
        "invalid type:",
        "invalid value:",
        "invalid length",
        "unknown variant",
    ];
    let met = message
        .split(['`', '"', ','])
        .next()
        .unwrap_or_default()
        .trim_end();
    match message.rsplit_once(", expected ") {
        Some((_, expected)) if known.iter().any(|known| met.starts_with(known)) => {
            format!("{met}, expected {expected}")
        }
        _ => "not a known value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        number: u32,
        kind: Kind,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Fast,
        Slow,
    }

    type Table = BTreeMap<String, Vec<Row>>;

    fn check(body: &str) -> Result<Table, Error> {
        json(body.as_bytes(), "/p")
    }

    fn shape(field: &str, why: &str) -> Error {
        Error::Shape {
            path: "/p".into(),
            field: field.into(),
            why: why.into(),
        }
    }

    #[test]
    fn json_is_read_with_mark_and_spaces() {
        let table = check("\u{feff} {\"a\":[{\"number\":1,\"kind\":\"fast\"}]}\n").unwrap();
        assert_eq!(
            table,
            Table::from([(
                "a".into(),
                vec![Row {
                    number: 1,
                    kind: Kind::Fast
                }]
            )])
        );
    }

    #[test]
    fn what_is_not_json_is_told_apart() {
        let path = || "/p".to_owned();
        let cases = [
            ("", Error::NotJson { path: path() }),
            (" \n", Error::NotJson { path: path() }),
            ("not json", Error::NotJson { path: path() }),
            ("{} {}", Error::NotJson { path: path() }),
            ("{\"a\":[]}</html>", Error::NotJson { path: path() }),
            ("\r\n<!DOCTYPE html><html>", Error::Html { path: path() }),
            ("\u{feff}<html>", Error::Html { path: path() }),
            ("{\"a\":[", Error::Cut { path: path() }),
            ("{\"a\":[{\"number\":1,\"ki", Error::Cut { path: path() }),
        ];
        for (body, expected) in cases {
            assert_eq!(check(body), Err(expected), "{body:?}");
        }
    }

    #[test]
    fn a_shape_fault_names_the_place_and_no_value() {
        let row = |row: &str| {
            check(&format!(
                "{{\"a\":[{{\"number\":1,\"kind\":\"slow\"}},{row}]}}"
            ))
            .unwrap_err()
        };
        let cases = [
            (
                r#"{"number":"13800000000","kind":"fast"}"#,
                "a[1].number",
                "invalid type: string, expected u32",
            ),
            (
                r#"{"number":"x, expected y","kind":"fast"}"#,
                "a[1].number",
                "invalid type: string, expected u32",
            ),
            (
                r#"{"number":-7,"kind":"fast"}"#,
                "a[1].number",
                "invalid value: integer, expected u32",
            ),
            (
                r#"{"number":null,"kind":"fast"}"#,
                "a[1].number",
                "invalid type: null, expected u32",
            ),
            (r#"{"kind":"fast"}"#, "a[1]", "missing field `number`"),
            (
                r#"{"number":1,"kind":"secret"}"#,
                "a[1].kind",
                "unknown variant, expected `fast` or `slow`",
            ),
        ];
        for (text, field, why) in cases {
            assert_eq!(row(text), shape(field, why), "{text}");
        }
        assert_eq!(
            check("[1]"),
            Err(shape(".", "invalid type: sequence, expected a map"))
        );
    }

    #[test]
    fn own_words_of_a_type_are_not_repeated() {
        assert_eq!(
            why("the card 4711 is bad at line 1 column 3"),
            "not a known value"
        );
        assert_eq!(
            why("card 4711, expected gold at line 1 column 3"),
            "not a known value"
        );
    }
}
