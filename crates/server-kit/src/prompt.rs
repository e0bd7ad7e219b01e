//! A request that hosts offer their user ready-made.

use rmcp::model::{self, JsonObject};
use serde_json::{Map, Value, json};

use crate::{Failure, Filled, arguments, bad_argument};

/// Most characters of one argument.
const LONGEST: usize = 500;

/// A message of the user with places to be filled; hosts list it as a command. It reads nothing: what
/// is needed is named in the text, as tools to call.
#[derive(Debug)]
pub struct Prompt {
    /// Its name, as of a tool: `review_book`.
    pub name: &'static str,
    /// A few Chinese words for lists.
    pub title: &'static str,
    /// What the user gets of it.
    pub description: &'static str,
    /// What the user fills in.
    pub arguments: &'static [PromptArgument],
    /// The message. What is required is there; of the rest, what the user left blank is not.
    pub message: fn(&Filled) -> String,
}

/// One place of a [`Prompt`]; a text, as the protocol knows no other kind.
#[derive(Debug)]
pub struct PromptArgument {
    /// Its name.
    pub name: &'static str,
    /// What to fill in, in Chinese, with an example.
    pub description: &'static str,
    /// Whether the message needs it.
    pub required: bool,
}

impl Prompt {
    /// As hosts are told of it.
    pub(crate) fn listed(&self, reword: impl Fn(&str) -> String) -> model::Prompt {
        let arguments = self.arguments.iter().map(|argument| {
            model::PromptArgument::new(argument.name)
                .with_description(argument.description)
                .with_required(argument.required)
        });
        let arguments = (!self.arguments.is_empty()).then(|| arguments.collect());
        model::Prompt::new(self.name, Some(reword(self.description)), arguments)
            .with_title(self.title)
    }

    /// The argument's schema, by which they are held as those of tools are.
    pub(crate) fn schema(&self) -> JsonObject {
        let kind = json!({ "type": "string", "maxLength": LONGEST });
        let fields = self.arguments.iter().map(|argument| argument.name);
        let required = self.arguments.iter().filter(|argument| argument.required);
        Map::from_iter([
            (
                "properties".to_owned(),
                fields.map(|name| (name.to_owned(), kind.clone())).collect(),
            ),
            (
                "required".to_owned(),
                required.map(|argument| argument.name).collect(),
            ),
            ("additionalProperties".to_owned(), json!(false)),
        ])
    }

    /// What was filled in. Hosts send a field that was left blank as an empty text.
    pub(crate) fn filled(&self, mut given: JsonObject) -> Result<Filled, Failure> {
        given.retain(|_, value| value.as_str().is_none_or(|text| !text.trim().is_empty()));
        arguments::admit(&mut given, &self.schema())?;
        let text = |name| Some((name, given.get(name).and_then(Value::as_str)?.to_owned()));
        let names = self.arguments.iter().map(|argument| argument.name);
        Ok(names.filter_map(text).collect())
    }
}

/// The answer to a name that no prompt has.
pub(crate) fn unknown(name: &str, known: &[Prompt]) -> Failure {
    let near = crate::nearest(name, known.iter().map(|prompt| prompt.name));
    let hint = near.map(|near| format!("，是否想用 {near}"));
    bad_argument("name", format!("没有这个提示{}", hint.unwrap_or_default()))
}
