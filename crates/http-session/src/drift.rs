//! Parts of an answer read by their known shape, and what is said of one that has another.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A part of an answer has a shape that is not known. Nothing was guessed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}")]
pub struct Drift {
    /// Where in the answer, such as `data.list[3].end`. Counted from 0; `.` for the whole.
    pub field: String,
    /// What is wrong there, in Chinese; never a text from the answer.
    pub problem: &'static str,
}

impl Drift {
    /// `problem` at `field`.
    pub fn new(field: impl Into<String>, problem: &'static str) -> Self {
        Self {
            field: field.into(),
            problem,
        }
    }

    /// A field, by the place of the object it is in, that is missing or not of the known form; `at` is
    /// empty for the whole.
    pub fn form(at: &str, field: &str) -> Self {
        let dot = if at.is_empty() { "" } else { "." };
        Self::new(format!("{at}{dot}{field}"), "缺失或格式不同")
    }
}

/// That shape read from a part of an answer; `field` is where the part was, empty for the whole.
pub fn read<T: DeserializeOwned>(field: &str, part: Value) -> Result<T, Drift> {
    serde_path_to_error::deserialize(part).map_err(|error| {
        let inside = error.path().to_string();
        let inside = if inside == "." { "" } else { &inside };
        let said = error.inner().to_string();
        // The path ends at the object; the name of what it lacks is only in the sentence.
        let missing = said
            .strip_prefix("missing field `")
            .and_then(|rest| rest.split('`').next());
        let whole = [field, inside, missing.unwrap_or_default()]
            .into_iter()
            .fold(String::new(), |whole, part| match part {
                "" => whole,
                part if whole.is_empty() || part.starts_with('[') => whole + part,
                part => whole + "." + part,
            });
        let whole = if whole.is_empty() {
            ".".to_owned()
        } else {
            whole
        };
        Drift::new(whole, "缺失或类型不同")
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        number: u32,
    }

    #[test]
    fn a_drift_is_told_by_its_place() {
        for (at, part, field) in [
            (
                "data",
                json!([{ "number": 1 }, { "number": "x" }]),
                "data[1].number",
            ),
            ("data", json!([{ "number": 1 }, {}]), "data[1].number"),
            ("data.list", json!({}), "data.list"),
            ("", json!([{}]), "[0].number"),
            ("", json!("x"), "."),
        ] {
            let expected = Drift::new(field, "缺失或类型不同");
            assert_eq!(read::<Vec<Row>>(at, part.clone()), Err(expected), "{part}");
        }
        for (at, field) in [("data", "data.number"), ("", "number")] {
            let expected = Drift::new(field, "缺失或格式不同");
            assert_eq!(Drift::form(at, "number"), expected);
        }
        assert_eq!(
            read("data", json!([{ "number": 1 }])),
            Ok(vec![Row { number: 1 }])
        );
    }
}
