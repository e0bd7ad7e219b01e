//! `tools`: the tool list, for people or as the exact JSON of `tools/list`.

use clap::Args;

use super::{DONE, print, print_json};
use crate::{Errand, served::Served};

#[derive(Args)]
pub(super) struct Options {
    /// 输出 tools/list 的原样 JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run<S: Errand>(served: &Served<S>, options: Options) -> u8 {
    let list = served.list();
    if options.json {
        print_json(&list);
        return DONE;
    }
    for tool in &list.tools {
        let hints = tool.annotations.as_ref();
        let kind = match hints.and_then(|hints| hints.read_only_hint) {
            Some(true) => "只读",
            _ if S::is_write(tool) => "写入",
            // A login, a file: nobody else notices it.
            _ => "只改本机",
        };
        let title = tool.title.as_deref().unwrap_or_default();
        print(&format!("{}  [{kind}] {title}", tool.name));
        for line in tool.description.as_deref().unwrap_or_default().lines() {
            print(&format!("    {line}"));
        }
    }
    DONE
}
