//! What goes wrong at the service, and the whole failure that a tool answers then.

mod answers;
mod network;
mod paths;
mod pauses;
mod refusals;

use fixtures::{mcp::Both, rail::Rail};
use serde_json::{Value, json};

use crate::world::world_with;

/// Both worlds, where nothing is answered from memory.
fn forgetful() -> Both<Rail> {
    world_with(&[("RAIL_CACHE_MS", "0")])
}

const TICKETS: &str = "12306_query_tickets";
const TRANSFERS: &str = "12306_query_transfer";
const ROUTE: &str = "12306_train_route";

/// A call of each tool that asks the service, answered well by the fake.
fn arguments(tool: &str) -> Value {
    match tool {
        TICKETS => json!({ "date": "2026-12-02", "from": "上海", "to": "常州" }),
        TRANSFERS => json!({ "date": "2026-12-02", "from": "广州", "to": "桂林" }),
        _ => json!({ "train_code": "G77", "date": "2026-12-02" }),
    }
}

/// What both fakes have met since the last look, as route labels in order.
struct Met(Vec<usize>);

impl Met {
    fn new() -> Self {
        Self(vec![0, 0])
    }

    #[track_caller]
    fn since(&mut self, both: &Both<Rail>, expected: &[&str], why: &str) {
        for (seen, world) in self.0.iter_mut().zip(both.worlds()) {
            let all = world.fake.journal().all();
            let routes: Vec<_> = all[*seen..].iter().map(|seen| seen.route).collect();
            assert_eq!(routes, expected, "{why}, {:?}", world.client.era());
            *seen = all.len();
        }
    }
}

/// The failure of a service that cannot be used now.
fn unavailable(message: &str) -> Value {
    json!({
        "ok": false, "code": "UPSTREAM_UNAVAILABLE", "message": message, "retryable": true,
        "next": "稍后重试；若一直失败，运行 rail-mcp doctor --live 查看网络",
    })
}

/// The failure of a service that shows pages in place of data.
fn turned_away(path: &str) -> Value {
    json!({
        "ok": false, "code": "UPSTREAM_UNAVAILABLE",
        "message": "12306 没有返回数据而是转到了错误页，可能是查询过于频繁，或所在网络（境外、云主机）被限制",
        "retryable": true,
        "next": "几分钟后再试，或换用中国内地的家庭或办公网络；无需账号",
        "data": { "path": path },
    })
}

/// The failure of a service that does not answer in the known form.
fn changed(path: &str, field: &str, why: &str) -> Value {
    json!({
        "ok": false, "code": "UPSTREAM_CHANGED",
        "message": format!("12306 的接口与本程序所知不同：{path} 的 {field}（{why}）"),
        "retryable": false,
        "next": "升级 rail-mcp；若已是最新，请反馈 path 与 field",
        "data": { "path": path, "field": field },
    })
}
