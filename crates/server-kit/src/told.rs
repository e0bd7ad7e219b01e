//! Which descriptions an output schema keeps.

use schemars::Schema;
use serde_json::Value;

/// Leaves only the `told` field descriptions in an output schema.
///
/// Doc comments are for those who read the code; a model pays for every word of a schema.
pub fn told(told: &'static [(&'static str, &'static str)]) -> impl FnMut(&mut Schema) {
    move |schema| {
        schema.remove("description");
        let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, field) in fields.into_iter().flatten() {
            let Some(field) = field.as_object_mut() else {
                continue;
            };
            field.shift_remove("description");
            if let Some((_, text)) = told.iter().find(|(told, _)| told == name) {
                field.insert("description".to_owned(), Value::from(*text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, schema_for};
    use serde_json::json;

    use super::*;

    /// Said to readers of the code.
    #[derive(JsonSchema)]
    #[schemars(transform = told(&[("shown", "给模型看")]))]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Sample {
        /// Said to readers of the code.
        hidden: bool,
        /// Said to readers of the code.
        shown: bool,
    }

    #[test]
    fn a_schema_says_only_what_is_told() {
        assert_eq!(
            schema_for!(Sample).get("properties"),
            Some(&json!({
                "hidden": { "type": "boolean" },
                "shown": { "type": "boolean", "description": "给模型看" },
            }))
        );
        assert_eq!(schema_for!(Sample).get("description"), None);
    }
}
