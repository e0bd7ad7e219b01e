//! `audit`: who asked for what and how it ended; `audit verify` checks the chain.

use ::audit::{Audit, Error, Filter, Row, Why};
use clap::{Args, Subcommand};
use jiff::Timestamp;

use super::{DONE, SAID_NO, print, print_json};
use crate::{Kit, kit::AUDIT_FILE, time::Moment};

#[derive(Args)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Option<Verb>,
    /// 只看此时刻（RFC 3339）之后
    #[arg(long)]
    since: Option<Timestamp>,
    /// 只看此时刻（RFC 3339）之前
    #[arg(long)]
    until: Option<Timestamp>,
    /// 只看这个工具
    #[arg(long)]
    tool: Option<String>,
    /// 只看这个结果代码
    #[arg(long)]
    code: Option<String>,
    /// 只看这个账号
    #[arg(long)]
    user: Option<String>,
    /// 最多显示的行数（最近的）
    #[arg(long, default_value_t = 200)]
    limit: u32,
    /// 输出 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// 校验哈希链：改动、缺行、截尾都会指出
    Verify,
}

pub(super) fn run(kit: &Kit, options: Options) -> u8 {
    let file = kit
        .state
        .as_ref()
        .map(|folder| folder.file(AUDIT_FILE))
        .filter(|file| file.exists());
    let Some(file) = file else {
        return if matches!(options.command, Some(Verb::Verify)) {
            print("没有审计记录可校验");
            SAID_NO
        } else {
            print("还没有审计记录");
            DONE
        };
    };
    let shown = Audit::open(&file).and_then(|mut log| match options.command {
        Some(Verb::Verify) => log.verify().map(|intact| {
            let (rows, pruned) = (intact.rows, intact.pruned);
            print(&format!(
                "完整：{rows} 行，另有 {pruned} 行已过保留期；末行哈希 {}",
                intact.hash
            ));
        }),
        None => log
            .rows(&filter(&options))
            .map(|rows| show(&rows, &options)),
    });
    match shown {
        Ok(()) => DONE,
        Err(Error::Broken { seq, why }) => {
            print(&format!("已损坏：第 {seq} 行{}", in_chinese(why)));
            SAID_NO
        }
        Err(error) => {
            tracing::error!("{}：{error}", file.display());
            SAID_NO
        }
    }
}

fn filter(options: &Options) -> Filter {
    Filter {
        since: options.since,
        until: options.until,
        tool: options.tool.clone(),
        code: options.code.clone(),
        account: options.user.clone(),
        // One more than is shown tells whether there are more.
        limit: Some(options.limit.saturating_add(1)),
        ..Filter::default()
    }
}

fn in_chinese(why: Why) -> &'static str {
    match why {
        Why::Changed => "被改动",
        Why::Missing => "缺失",
        Why::RemovedTail => "及其后各行被删去",
        Why::WrongLink => "与上一行接不上",
        Why::Added => "是从外部添加的",
    }
}

fn show(rows: &[Row], options: &Options) {
    let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
    let older = rows.len().saturating_sub(limit);
    let rows = rows.get(older..).unwrap_or_default();
    if older > 0 {
        tracing::warn!("只显示最近 {limit} 行，更早的没有显示；用 --limit 加大");
    }
    if options.json {
        print_json(&rows);
    } else {
        rows.iter().for_each(|row| print(&line(row)));
    }
}

fn line(row: &Row) -> String {
    let mut line = format!(
        "{} {} {} {}",
        row.seq,
        Moment::of(row.at),
        row.phase,
        row.event
    );
    let duration = row.duration_ms.map(|millis| format!("{millis}ms"));
    let parts = [
        &row.tool,
        &row.status.map(|status| status.to_string()),
        &row.code,
        &duration,
        &row.account,
        &row.host,
        &row.arguments,
    ];
    for part in parts.into_iter().flatten() {
        line.push(' ');
        line.push_str(part);
    }
    line
}
