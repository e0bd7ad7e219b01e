//! What all tools that change a reservation take and answer.

use std::borrow::Cow;

use jiff::civil::Date;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use server_kit::guard::Written;

use crate::domain::{
    ids::{ReservationId, SeatId},
    minute::Minute,
    status::Status,
};

/// How a change is named, and whether it is only tried.
#[derive(Deserialize, JsonSchema)]
pub(super) struct WriteArguments {
    /// 本次操作的名字（A-Z a-z 0-9 . _ : -），供安全重试：同名同参数只执行一次；不填自动生成
    #[schemars(length(min = 8, max = 128), example = &"booking-20260625-1")]
    pub(super) client_token: Option<String>,
    /// true 只做全部检查、不提交，默认 false
    pub(super) dry_run: Option<bool>,
}

/// What a change answers: that it was made, or what it would make.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer<T> {
    Done(Written<T>),
    Would(Would),
}

/// What would be done, after all checks and without anything sent.
#[derive(Serialize)]
pub(super) struct Would {
    dry_run: bool,
    would_be: Status,
    message: &'static str,
    #[serde(flatten)]
    what: What,
}

/// To what.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum What {
    /// A seat, by its number where a list was read.
    Seat {
        date: Date,
        start_time: Minute,
        end_time: Minute,
        seat_id: SeatId,
        #[serde(skip_serializing_if = "Option::is_none")]
        seat_no: Option<String>,
    },
    /// The current reservation.
    Reservation { reservation_id: ReservationId },
}

impl Would {
    pub(super) fn new(would_be: Status, what: What) -> Self {
        Self {
            dry_run: true,
            would_be,
            message: "检查全部通过，没有提交",
            what,
        }
    }
}

/// By hand: a derived one would be a choice between two shapes, which hosts do not take.
impl<T: JsonSchema> JsonSchema for Answer<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Written::<T>::json_schema(generator);
        let added = json_schema!({
            "dry_run": { "type": "boolean" },
            "would_be": { "type": "string", "description": "若提交，会成为的 status" }
        });
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        if let (Some(properties), Value::Object(added)) = (properties, added.to_value()) {
            properties.extend(added);
        }
        schema
    }
}
