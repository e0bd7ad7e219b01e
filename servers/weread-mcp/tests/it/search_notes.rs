//! `search_notes` and `random_highlights`.

use fixtures::{mcp::Both, upstream::Fault, weread::Weread};
use serde_json::{Value, json};

use crate::world::{cloud, cookie, key, with_cookie, with_key, world_with};

const TOOL: &str = "search_notes";

/// Without a cache, so that each call asks for what has changed.
fn uncached() -> Both<Weread> {
    world_with(|_| vec![key(), ("WEREAD_CACHE_MS", "0".to_owned())])
}

fn found(both: &Both<Weread>, arguments: Value) -> Value {
    let answer = both.call(TOOL, arguments).structured;
    assert_eq!(answer["ok"], true, "{answer}");
    answer
}

fn ids(answer: &Value) -> Vec<String> {
    let notes = answer["notes"].as_array().unwrap();
    let ids = notes.iter().map(|note| note["note_id"].as_str().unwrap());
    ids.map(str::to_owned).collect()
}

/// How many requests each fake has got to a route so far.
fn asked(both: &Both<Weread>, route: &str) -> [usize; 2] {
    [0, 1].map(|era| both.worlds()[era].fake.journal().of(route).len())
}

#[test]
fn a_word_is_found_in_highlights_and_thoughts_of_all_books_the_newest_first() {
    let both = with_key();
    let answer = found(&both, json!({ "query": "大脑 波动", "max_results": 2 }));
    let passage = "由于我们的大脑会出现异常的波动，有时候会发现自己更为急躁、幽默、健谈、平静、有活力，或者思维更清晰。我们的内在环境和外在行为受到生物基础的引导，既不能直接接触，也不能直接认识。";
    let base = both.worlds()[0].fake.web_url();
    let link = format!("{base}/web/reader/eba3273071a25694eba47a5k9f6326602389f61408e3715");
    assert_eq!(
        answer["notes"],
        json!([
            {
                "kind": "thought", "note_id": "10000001_zFhsjoCVY", "book_id": "27416212",
                "book_title": "隐藏的自我", "author": "大卫·伊格曼", "chapter_id": 56,
                "chapter_title": "我们是否拥有脱离物理生物基础的灵魂",
                "content": "人的性格、情绪和状态的波动，其实也来自大脑状态的改变。",
                "highlight_text": passage, "color": null, "color_name": null,
                "create_time": "2025-04-29T10:02:12+08:00", "link": link,
            },
            {
                "kind": "highlight", "note_id": "27416212_56_4819-4907", "book_id": "27416212",
                "book_title": "隐藏的自我", "author": "大卫·伊格曼", "chapter_id": 56,
                "chapter_title": "我们是否拥有脱离物理生物基础的灵魂",
                "content": null, "highlight_text": passage, "color": 3, "color_name": "蓝色",
                "create_time": "2025-04-29T10:01:15+08:00", "link": link,
            },
        ])
    );
    assert_eq!(
        answer["index"],
        json!({ "books": 11, "current_books": 11, "highlights": 1098, "thoughts": 338 })
    );
    assert_eq!(
        [&answer["complete"], &answer["problems"], &answer["as_of"]],
        [&json!(true), &json!([]), &json!(Weread::NOW)]
    );
}

#[test]
fn both_surfaces_give_the_same_notes() {
    let query = json!({ "query": "大脑", "max_results": 100 });
    let gateway = found(&with_key(), query.clone());
    let web = found(&with_cookie(), query);
    assert_eq!(ids(&gateway), ids(&web));
    assert_eq!(gateway["total"], web["total"]);
}

#[test]
fn every_page_brings_other_notes_until_all_have_come() {
    let both = with_key();
    let query = json!({ "query": "条划线", "kind": "highlight", "max_results": 100 });
    let all = both.follow(TOOL, query, "notes");
    assert_eq!(all.len(), 1_000);
}

#[test]
fn notes_are_narrowed_down_by_book_kind_and_day() {
    let both = with_key();
    for (more, expected) in [
        (json!({ "book_id": "27416212", "kind": "thought" }), 1),
        (json!({ "book_id": "27416212", "kind": "highlight" }), 1),
        (json!({ "book_id": "29599977" }), 0),
        (json!({ "after": "2025-04-29", "before": "2025-04-29" }), 2),
        (json!({ "after": "2025-04-30" }), 0),
        (json!({ "before": "2025-04-28" }), 0),
    ] {
        let mut query = json!({ "query": "\"异常的波动\"" });
        query
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        assert_eq!(found(&both, query)["total"], expected, "{more}");
    }
}

#[test]
fn only_books_that_have_changed_are_read_again() {
    let both = uncached();
    let list = "/book/bookmarklist";
    found(&both, json!({ "query": "大脑" }));
    assert_eq!(asked(&both, list), [11, 11]);
    found(&both, json!({ "query": "大脑" }));
    assert_eq!(asked(&both, list), [11, 11]);
    both.each(|fake| drop(fake.add_highlight("27416212", 57, "1300-1310", "鲸鱼会做梦吗")));
    let answer = found(&both, json!({ "query": "鲸鱼" }));
    assert_eq!(asked(&both, list), [12, 12]);
    assert_eq!(answer["notes"][0]["highlight_text"], "鲸鱼会做梦吗");
    let id = answer["notes"][0]["note_id"].as_str().unwrap().to_owned();
    both.each(|fake| fake.edit_note(&id, &json!({ "markText": "海豚会做梦吗" })));
    assert_eq!(found(&both, json!({ "query": "鲸鱼" }))["total"], 0);
    assert_eq!(found(&both, json!({ "query": "海豚" }))["total"], 1);
    both.each(|fake| fake.remove_note(&id));
    assert_eq!(found(&both, json!({ "query": "海豚" }))["total"], 0);
    assert_eq!(asked(&both, list), [14, 14]);
}

/// What a tool has read a moment ago must not be taken for the newest.
#[test]
fn a_book_that_is_kept_for_a_while_is_read_anew_for_the_index() {
    let both = with_key();
    let notes = json!({ "book_id": "27416212" });
    both.call("get_book_notes_and_highlights", notes);
    both.each(|fake| drop(fake.add_highlight("27416212", 57, "1300-1310", "鲸鱼会做梦吗")));
    assert_eq!(found(&both, json!({ "query": "鲸鱼" }))["total"], 1);
}

#[test]
fn without_refresh_nothing_is_asked() {
    let both = uncached();
    let query = json!({ "query": "大脑", "refresh": false });
    let before = found(&both, query.clone());
    assert_eq!(
        [
            &before["total"],
            &before["complete"],
            &before["index"]["books"]
        ],
        [&json!(0), &json!(false), &Value::Null]
    );
    assert_eq!(
        [0, 1].map(|era| both.worlds()[era].fake.journal().all().len()),
        [0, 0]
    );
    let total = found(&both, json!({ "query": "大脑" }))["total"].clone();
    let asked = [0, 1].map(|era| both.worlds()[era].fake.journal().all().len());
    assert_eq!(found(&both, query)["total"], total);
    assert_eq!(
        [0, 1].map(|era| both.worlds()[era].fake.journal().all().len()),
        asked
    );
}

#[test]
fn what_cannot_be_read_is_told_and_read_by_the_next_call() {
    let both = world_with(|_| {
        vec![
            key(),
            ("WEREAD_CACHE_MS", "0".to_owned()),
            ("WEREAD_BACK_OFF_MS", "0".to_owned()),
        ]
    });
    both.each(|fake| fake.refuse("/review/list/mine", Some(-1)));
    let broken = both.call(TOOL, json!({ "query": "大脑" }));
    assert_eq!(broken.code(), Some("UPSTREAM_REFUSED"), "{}", broken.text);
    both.each(|fake| fake.refuse("/review/list/mine", None));
    both.each(|fake| fake.rate_limit_after(8));
    let partial = found(&both, json!({ "query": "大脑" }));
    let current = partial["index"]["current_books"].as_u64().unwrap();
    assert!((1..11).contains(&current), "{partial}");
    assert_eq!(partial["complete"], false);
    assert_eq!(partial["problems"][0]["code"], "RATE_LIMITED");
    assert_eq!(
        [&partial["total_is_exact"], &partial["hint"]],
        [
            &json!(false),
            &json!(format!(
                "索引只读入了 11 本有笔记的书中的 {current} 本，再调用一次会继续"
            ))
        ]
    );
    both.each(Weread::lift_rate_limit);
    let whole = found(&both, json!({ "query": "大脑" }));
    assert_eq!(
        [&whole["complete"], &whole["index"]["current_books"]],
        [&json!(true), &json!(11)]
    );
}

#[test]
fn a_service_that_is_down_leaves_what_was_read() {
    let mut both = uncached();
    let total = found(&both, json!({ "query": "大脑" }))["total"].clone();
    both.each_mut(Weread::stop);
    let answer = found(&both, json!({ "query": "大脑" }));
    assert_eq!(answer["total"], total);
    assert_eq!(answer["complete"], false);
    assert_eq!(
        answer["problems"],
        json!([{
            "what": "list_notebooks", "code": "UPSTREAM_UNAVAILABLE",
            "message": "请求微信读书失败：无法建立连接",
        }])
    );
}

#[test]
fn a_query_that_cannot_be_searched_for_is_refused_before_anything_is_asked() {
    let both = with_key();
    for (arguments, field, why) in [
        (
            json!({ "query": "大脑 ！！" }),
            "query",
            "其中的 \"！！\" 没有可搜索的字，去掉它再试，例如 大脑 决策",
        ),
        (
            json!({ "query": " " }),
            "query",
            "是空的；写要找的字词，例如 大脑 决策",
        ),
        (
            json!({ "query": "大脑", "cursor": "12-ab" }),
            "cursor",
            "不是本工具以相同参数给出的 next_cursor；去掉它从头查起",
        ),
        (
            json!({ "query": "大脑", "after": "2025-13-01" }),
            "after",
            "\"2025-13-01\" 不是有效日期，例如 2026-12-02、今天、明天、后天 或 +3",
        ),
        (
            json!({ "query": "大脑", "book_id": "../x" }),
            "book_id",
            "应为 1 到 64 个字母、数字、_ 或 -，例如 27416212；只知道书名时先用 search_books 取得 book_id",
        ),
        (
            json!({ "query": "大脑", "after": "2025-04-30", "before": "2025-04-29" }),
            "before",
            "早于 after；before 应是同一天或更晚的一天",
        ),
    ] {
        let answer = both.call(TOOL, arguments);
        assert_eq!(answer.code(), Some("INVALID_ARGUMENT"), "{}", answer.text);
        assert_eq!(answer.structured["data"]["field"], field);
        assert_eq!(
            answer.structured["message"],
            format!("参数 {field} 有误：{why}")
        );
    }
    assert_eq!(
        [0, 1].map(|era| both.worlds()[era].fake.journal().all().len()),
        [0, 0]
    );
}

#[test]
fn the_notes_of_another_account_are_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let ask = |credential: fn(&Weread) -> (&'static str, String), refresh: bool| {
        let both = world_with(|fake| vec![credential(fake)]);
        let fake = &both.worlds()[0].fake;
        let mut env = crate::world::environment(fake);
        let (name, value) = credential(fake);
        env.push((name.to_owned(), value));
        let launch = crate::world::launch().args(["--data-dir", folder]).env(env);
        let client = fixtures::mcp::Client::start(&launch, fixtures::mcp::Era::ALL[0]);
        let query = json!({ "query": "大脑", "refresh": refresh });
        client.call(TOOL, query).structured["total"].clone()
    };
    assert_eq!(ask(|_| key(), true), 26);
    assert_eq!(ask(cookie, false), 0);
    assert_eq!(ask(|_| key(), false), 26);
}

#[test]
fn the_same_seed_draws_the_same_highlights() {
    let both = with_key();
    let draw = |arguments: Value| {
        let answer = both.call("random_highlights", arguments).structured;
        assert_eq!(answer["ok"], true, "{answer}");
        answer
    };
    let first = draw(json!({ "seed": "2026-11-20", "count": 5 }));
    assert_eq!(first, draw(json!({ "seed": "2026-11-20", "count": 5 })));
    assert_eq!(first["returned"], 5);
    assert_eq!(first["drawn_from"], 1097);
    let other = draw(json!({ "seed": "2026-11-21", "count": 5 }));
    assert_ne!(first["highlights"], other["highlights"]);
    let book = draw(json!({ "seed": "a", "count": 20, "book_id": "29599977" }));
    let drawn = book["highlights"].as_array().unwrap();
    assert!(drawn.iter().all(|one| one["book_id"] == "29599977"));
    assert_eq!(book["drawn_from"], drawn.len());
    let none = draw(json!({ "seed": "a", "book_id": "3300079777" }));
    assert_eq!(
        [&none["drawn_from"], &none["highlights"]],
        [&json!(0), &json!([])]
    );
}

/// Report row 11: a credential that has failed gives way, and what was read by it stays its own.
#[test]
fn the_next_way_is_taken_and_asked_about_nothing_else() {
    let both = world_with(|fake| {
        let mut env = cloud(fake);
        env.push(("WEREAD_COOKIE", "wr_vid=1".to_owned()));
        env.push(("WEREAD_CACHE_MS", "0".to_owned()));
        env
    });
    let whole = found(&both, json!({ "query": "大脑" }));
    assert_eq!(
        [&whole["total"], &whole["complete"]],
        [&json!(26), &json!(true)]
    );
    let alone = found(&both, json!({ "query": "大脑", "refresh": false }));
    assert_eq!(alone["total"], 26);
}

#[test]
fn a_session_that_is_over_leaves_what_was_read() {
    let both = world_with(|fake| vec![cookie(fake), ("WEREAD_CACHE_MS", "0".to_owned())]);
    found(&both, json!({ "query": "大脑" }));
    both.each(Weread::replace_session);
    let answer = found(&both, json!({ "query": "大脑" }));
    assert_eq!(
        [&answer["total"], &answer["complete"]],
        [&json!(26), &json!(false)]
    );
    assert_eq!(answer["problems"][0]["code"], "LOGIN_EXPIRED");
    let alone = found(&both, json!({ "query": "大脑", "refresh": false }));
    assert_eq!(alone["total"], 26);
}

/// A list that breaks off says nothing of the books that are not in it.
#[test]
fn a_list_that_is_short_forgets_no_book() {
    let both = uncached();
    found(&both, json!({ "query": "大脑" }));
    let one = json!({
        "totalBookCount": 11, "hasMore": 0,
        "books": [{ "bookId": "27416212", "book": { "bookId": "27416212", "title": "隐藏的自我" }, "sort": 1 }],
    });
    both.each(|fake| fake.fault("/user/notebooks", 1, Fault::Body(one.to_string())));
    let short = found(&both, json!({ "query": "条划线", "kind": "highlight" }));
    assert_eq!(
        [&short["total"], &short["complete"]],
        [&json!(1000), &json!(false)]
    );
    assert_eq!(short["index"]["books"], 11);
    assert_eq!(
        short["problems"],
        json!([{
            "what": "list_notebooks", "code": "UPSTREAM_CHANGED",
            "message": "微信读书的接口与本程序所知不同：/user/notebooks 的 totalBookCount（服务称有 11 本，只给出了 1 本）",
        }])
    );
}

#[test]
fn a_book_without_a_mark_of_change_is_read_each_time() {
    let both = uncached();
    let list = json!({
        "totalBookCount": 1, "hasMore": 0,
        "books": [{ "bookId": "27416212", "book": { "bookId": "27416212", "title": "隐藏的自我" } }],
    });
    both.each(|fake| fake.fault("/user/notebooks", 2, Fault::Body(list.to_string())));
    found(&both, json!({ "query": "大脑" }));
    both.each(|fake| drop(fake.add_highlight("27416212", 57, "1300-1310", "鲸鱼会做梦吗")));
    assert_eq!(found(&both, json!({ "query": "鲸鱼" }))["total"], 1);
}

#[test]
fn a_book_that_leaves_the_list_leaves_the_index() {
    let both = uncached();
    let before = found(&both, json!({ "query": "条划线", "kind": "highlight" }));
    assert_eq!(before["total"], 1000);
    let list = json!({
        "totalBookCount": 1, "hasMore": 0,
        "books": [{ "bookId": "27416212", "book": { "bookId": "27416212", "title": "隐藏的自我" }, "sort": 1 }],
    });
    both.each(|fake| fake.fault("/user/notebooks", 1, Fault::Body(list.to_string())));
    let after = found(&both, json!({ "query": "条划线", "kind": "highlight" }));
    assert_eq!(
        [
            &after["total"],
            &after["index"]["books"],
            &after["index"]["highlights"]
        ],
        [&json!(0), &json!(1), &json!(42)]
    );
}

#[test]
fn old_notes_are_searched_when_nothing_new_can_be_read() {
    let both = world_with(|_| {
        vec![
            key(),
            ("WEREAD_CACHE_MS", "0".to_owned()),
            ("WEREAD_BACK_OFF_MS", "0".to_owned()),
        ]
    });
    found(&both, json!({ "query": "大脑" }));
    both.each(|fake| {
        for book in ["27416212", "30000101", "29599977"] {
            fake.add_highlight(book, 57, "1300-1310", "鲸鱼会做梦吗");
        }
        fake.rate_limit_after(1);
    });
    let answer = found(&both, json!({ "query": "大脑" }));
    assert_eq!(
        [&answer["total"], &answer["complete"]],
        [&json!(26), &json!(false)]
    );
}

#[test]
fn a_cursor_of_another_search_is_refused_and_a_page_asks_for_nothing() {
    let both = uncached();
    let first = found(&both, json!({ "query": "大脑", "max_results": 2 }));
    let asked = [0, 1].map(|era| both.worlds()[era].fake.journal().all().len());
    let cursor = first["next_cursor"].as_str().unwrap();
    let other = both.call(TOOL, json!({ "query": "时间", "cursor": cursor }));
    assert_eq!(other.code(), Some("INVALID_ARGUMENT"), "{}", other.text);
    found(
        &both,
        json!({ "query": "大脑", "max_results": 2, "cursor": cursor }),
    );
    let after = [0, 1].map(|era| both.worlds()[era].fake.journal().all().len());
    assert_eq!(after, asked);
}

#[test]
fn highlights_that_are_drawn_keep_to_the_budget() {
    let both = world_with(|_| vec![key(), ("WEREAD_RESULT_KIB", "4".to_owned())]);
    let arguments = json!({ "seed": "a", "count": 20 });
    let drawn = both.call("random_highlights", arguments).structured;
    let returned = drawn["returned"].as_u64().unwrap();
    assert!((1..20).contains(&returned), "{drawn}");
    assert_eq!(
        [&drawn["total"], &drawn["truncated"]],
        [&json!(20), &json!(true)]
    );
}
