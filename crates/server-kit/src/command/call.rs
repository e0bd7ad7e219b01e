//! `call`: one tool call from a shell.

use std::{io::Read, sync::Arc};

use clap::Args;
use serde_json::{Value, json};

use super::{DONE, SAID_NO, USAGE, print_json};
use crate::{Errand, dialogue, dialogue::Answer, served::Served};

#[derive(Args)]
pub(super) struct Options {
    /// 工具名
    tool: String,
    /// 参数 JSON 对象；- 表示从标准输入读
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
}

pub(super) async fn run<S: Errand>(served: Served<S>, options: Options) -> u8 {
    let arguments = match arguments(&options.arguments) {
        Ok(arguments) => arguments,
        Err(why) => {
            tracing::error!("参数不是 JSON 对象：{why}；例如 '{{\"text\":\"北京\"}}'");
            return USAGE;
        }
    };
    let served = Arc::new(served);
    let answered = dialogue::call(Arc::clone(&served), &options.tool, arguments).await;
    served.settle().await;
    match answered {
        Ok(Answer::Result(mut result)) => {
            let shown = match result.get_mut("structuredContent").map(Value::take) {
                Some(structure) => structure,
                None => result,
            };
            print_json(&shown);
            if shown.get("ok") == Some(&json!(false)) {
                SAID_NO
            } else {
                DONE
            }
        }
        Ok(Answer::Refused(error)) => {
            tracing::error!("{}；可用工具见 `{} tools`", error.message, S::ABOUT.name);
            USAGE
        }
        Err(error) => {
            tracing::error!(%error, "the call was not answered");
            SAID_NO
        }
    }
}

fn arguments(given: &str) -> Result<Value, String> {
    let mut text = given.to_owned();
    if given == "-" {
        text.clear();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| error.to_string())?;
    }
    match serde_json::from_str(&text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err("不是对象".into()),
        Err(error) => Err(error.to_string()),
    }
}
