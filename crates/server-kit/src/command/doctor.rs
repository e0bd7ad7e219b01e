//! `doctor`: what was checked, what was found, what to do.

use clap::Args;

use super::{DONE, SAID_NO, print, print_json};
use crate::{
    Errand, Kit,
    doctor::{self, Finding, Health},
    settings::Settings,
};

#[derive(Args)]
pub(super) struct Options {
    /// 输出 JSON
    #[arg(long)]
    json: bool,
    /// 另查网络与上游服务
    #[arg(long)]
    live: bool,
}

pub(super) async fn run<S: Errand>(
    server: &S,
    kit: &Kit,
    settings: &Settings,
    options: Options,
) -> u8 {
    let mut findings = vec![Finding::ok(
        "版本",
        format!(
            "{} {} ({})",
            S::ABOUT.name,
            S::ABOUT.version,
            env!("ERRANDS_COMMIT")
        ),
    )];
    findings.extend(doctor::common(kit, settings));
    findings.extend(server.examine(options.live).await);
    if options.json {
        print_json(&findings);
    } else {
        findings.iter().for_each(|finding| print(&line(finding)));
    }
    let broken = findings
        .iter()
        .any(|finding| finding.health == Health::Broken);
    if broken { SAID_NO } else { DONE }
}

fn line(finding: &Finding) -> String {
    let mark = match finding.health {
        Health::Ok => "正常",
        Health::Warning => "注意",
        Health::Broken => "有误",
    };
    let next = finding
        .next
        .as_ref()
        .map(|next| format!("\n      → {next}"))
        .unwrap_or_default();
    format!("[{mark}] {}：{}{next}", finding.check, finding.found)
}
