//! The words that stand in a row: what it is about, which half of a call, and how it ended.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, Value, ValueRef};
use serde::{Serialize, Serializer};

/// An enum whose values have one name each, in the database, in JSON and on the command line.
macro_rules! named {
    ($(#[$doc:meta])* $enum:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum {
            $($(#[$about])* $variant,)+
        }

        impl $enum {
            /// All values, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in the database, in JSON and on the command line.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The value of that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name)
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl Serialize for $enum {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl From<$enum> for Value {
            fn from(value: $enum) -> Self {
                Self::Text(value.as_str().to_owned())
            }
        }

        impl FromSql for $enum {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let name = value.as_str()?;
                Self::parse(name).ok_or_else(|| FromSqlError::Other(format!("unknown name {name:?}").into()))
            }
        }
    };
}

named! {
    /// What a row is about.
    Event {
        /// A tool call that was let in.
        Call = "call",
        /// The caller's token is unknown, revoked or missing.
        AuthFail = "auth_fail",
        /// The arguments of a call were refused.
        ParamError = "param_error",
        /// There is no tool of that name.
        ToolNotFound = "tool_not_found",
        /// A call was refused for its rate, cooldown or quota.
        RateLimited = "rate_limited",
        /// A token was made.
        TokenCreated = "token_created",
        /// A token was revoked.
        TokenRevoked = "token_revoked",
        /// A message broke the protocol.
        ProtocolError = "protocol_error",
        /// Somebody signed in or out.
        Login = "login",
        /// A question was put to a person, or answered.
        Challenge = "challenge",
    }
}

named! {
    /// Which row of its matter a row is.
    Phase {
        /// The first of two: the call begins.
        Start = "start",
        /// The second of two: the call has ended.
        Finish = "finish",
        /// The only one.
        Event = "event",
    }
}

named! {
    /// How a matter ended.
    Status {
        /// Done.
        Ok = "ok",
        /// Not done, and nothing was broken: arguments, rights, limits, or the service said no.
        Refused = "refused",
        /// Not done, since something broke.
        Failed = "failed",
        /// The caller took it back.
        Cancelled = "cancelled",
        /// It may or may not have been done: the answer to a write was lost.
        Unknown = "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for event in Event::ALL {
            assert_eq!(Event::parse(event.as_str()), Some(*event));
        }
        assert_eq!(Event::parse("Call"), None);
        let unknown = Status::column_result(ValueRef::Text(b"done")).unwrap_err();
        assert_eq!(unknown.to_string(), r#"unknown name "done""#);
    }
}
