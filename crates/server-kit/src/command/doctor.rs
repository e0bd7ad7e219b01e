//! `doctor`: what was checked, what was found, what to do.

use clap::Args;

use super::{DONE, SAID_NO, print, print_json};
use crate::{
    Errand, Kit,
    doctor::{self, Finding, Health},
    settings::{Refusal, Settings},
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
    options: &Options,
) -> u8 {
    let mut findings = vec![version::<S>()];
    findings.extend(doctor::common::<S>(kit, settings));
    findings.extend(server.examine(options.live).await);
    tell(&findings, options)
}

/// What can be said of a server that does not start for a bad setting.
pub(super) fn refused<S: Errand>(refusal: &Refusal, options: &Options) -> u8 {
    let mut findings = vec![version::<S>()];
    findings.extend(doctor::unstarted(refusal));
    tell(&findings, options)
}

fn version<S: Errand>() -> Finding {
    let (about, commit) = (S::ABOUT, env!("ERRANDS_COMMIT"));
    Finding::ok(
        "版本",
        format!("{} {} ({commit})", about.name, about.version),
    )
}

fn tell(findings: &[Finding], options: &Options) -> u8 {
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
