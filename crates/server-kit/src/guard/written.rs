//! What a write answers: its own fields, and what every write adds.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

use super::TOKEN;

/// A write that has happened, now or when its token was used first. Its schema is that of `T` with
/// the token and whether it is a replay.
#[derive(Debug)]
pub struct Written<T> {
    result: Map<String, Value>,
    token: String,
    replayed: bool,
    fields: PhantomData<T>,
}

impl<T> Written<T> {
    pub(super) fn new(result: Value, token: String, replayed: bool) -> Self {
        let result = match result {
            Value::Object(fields) => fields,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        Self {
            result,
            token,
            replayed,
            fields: PhantomData,
        }
    }
}

impl<T> Serialize for Written<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = serializer.serialize_map(None)?;
        for (name, value) in &self.result {
            all.serialize_entry(name, value)?;
        }
        all.serialize_entry(TOKEN, &self.token)?;
        all.serialize_entry("replayed", &self.replayed)?;
        all.end()
    }
}

impl<T: JsonSchema> JsonSchema for Written<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        let added = json_schema!({
            TOKEN: { "type": "string", "description": "本次写操作的名字，重试时原样给出" },
            "replayed": { "type": "boolean", "description": "true 表示重放了同一 client_token 先前的结果" }
        });
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        if let (Some(properties), Value::Object(added)) = (properties, added.to_value()) {
            properties.extend(added);
        }
        schema
    }
}
