//! What matches and what does not, by example.

use text_index::{BadQuery, Count, Filter, Hit, Hits, Query};

use crate::{Desk, NOTES, tag};

/// The original with its matches in brackets; none when it is not found.
fn marked(text: &str, query: &str) -> Option<String> {
    let mut desk = Desk::new();
    desk.fill(&[text]);
    let mut hits = desk.search(query, &Filter::default());
    let hit = hits.rows.pop()?;
    let mut marked = hit.text;
    for span in hit.spans.iter().rev() {
        marked.insert(span.end, ']');
        marked.insert(span.start, '[');
    }
    Some(marked)
}

#[test]
fn each_text_is_found_where_it_matches() {
    let cases = [
        // Chinese, by any number of characters.
        ("我在北京", "京", "我在北[京]"),
        ("我在北京", "北京", "我在[北京]"),
        ("我在北京大学", "在北京大", "我[在北京大]学"),
        ("哈哈哈，哈", "哈哈", "[哈哈哈]，哈"),
        ("人人〇々", "〇々", "人人[〇々]"),
        ("〇", "〇", "[〇]"),
        ("𠮷野家と𰻞𰻞麺", "𠮷野", "[𠮷野]家と𰻞𰻞麺"),
        ("𠮷野家と𰻞𰻞麺", "𰻞麺", "𠮷野家と𰻞[𰻞麺]"),
        ("ありがとうスーパー", "うスー", "ありがと[うスー]パー"),
        ("대한민국", "한민", "대[한민]국"),
        ("㐀𪜀𫝀", "𪜀", "㐀[𪜀]𫝀"),
        // Words and their beginnings.
        ("Connection TIMEOUT", "time", "Connection [TIME]OUT"),
        ("的time，runtime", "time", "的[time]，runtime"),
        ("foo_bar", "bar", "foo_[bar]"),
        ("Привет мир", "прив", "[Прив]ет мир"),
        ("xa a a", "\"a a\"", "xa [a a]"),
        ("C++20, c+", "c++", "[C++]20, c+"),
        // Across the border of both.
        ("Python入门教程", "python入门", "[Python入门]教程"),
        ("2024年的B站", "年的b", "2024[年的B]站"),
        // Several parts and quotes.
        ("北京的秋天", "秋 北京", "[北京]的[秋]天"),
        ("北京的秋天", "北京 京的", "[北京的]秋天"),
        ("北京的秋天", "北 京", "[北京]的秋天"),
        ("time  \n out", "“time out”", "[time  \n out]"),
        ("他说：你好 世界", "＂你好 世＂界", "他说：[你好 世][界]"),
        ("你好，世界", "好，世", "你[好，世]界"),
        ("你好，世界", "\"好", "你[好]，世界"),
        // Folding, and the way back.
        ("ＡＰＩ ｶﾞｷﾞ", "api", "[ＡＰＩ] ｶﾞｷﾞ"),
        ("ＡＰＩ ｶﾞｷﾞ", "ガ", "ＡＰＩ [ｶﾞ]ｷﾞ"),
        ("cafe\u{301} au", "CAFÉ", "[cafe\u{301}] au"),
        ("e\u{5b0}\u{301}", "é", "[e\u{5b0}\u{301}]"),
        ("J\u{30c}", "ǰ", "[J\u{30c}]"),
        ("北\u{200b}京\u{fe00}的", "北京", "[北\u{200b}京]\u{fe00}的"),
        ("北京", "北\u{200d}京", "[北京]"),
        ("㍿の話", "式会", "[㍿]の話"),
        (
            "\u{1100}\u{1161}\u{11a8}",
            "각",
            "[\u{1100}\u{1161}\u{11a8}]",
        ),
        ("豈", "豈", "[豈]"),
        ("👨\u{200d}👩好\u{0}吧", "👩好吧", "👨\u{200d}[👩好\u{0}吧]"),
    ];
    for (text, query, expected) in cases {
        let found = marked(text, query);
        // A match is marked where it is; two that touch are one.
        let expected = expected.replace("][", "");
        assert_eq!(found, Some(expected), "{query} in {text}");
    }
}

#[test]
fn what_does_not_match_is_not_found() {
    let long = "x".repeat(100);
    let other = format!("{}y", "x".repeat(99));
    let cases = [
        ("北，京", "北京"),
        ("北\n京", "北京"),
        ("京北", "北京"),
        ("北京京的", "北京的"),
        ("runtime", "time"),
        ("2024年", "24年"),
        ("cpython入门", "python入门"),
        ("python 入门", "python入门"),
        ("time, out", "\"time out\""),
        ("out time", "\"time out\""),
        ("北京", "北京 上海"),
        ("c+", "c++"),
        (&long, &other),
    ];
    for (text, query) in cases {
        assert_eq!(marked(text, query), None, "{query} in {text}");
    }
}

#[test]
fn words_longer_than_a_token_are_found_by_all_of_their_letters() {
    let text = format!("{}b {}c", "a".repeat(90), "a".repeat(90));
    for length in [1, 64, 65, 90] {
        assert!(marked(&text, &"a".repeat(length)).is_some(), "{length}");
    }
    let query = format!("\"{}b a\"", "a".repeat(90));
    let expected = format!("[{}b a]{}c", "a".repeat(90), "a".repeat(89));
    assert_eq!(marked(&text, &query), Some(expected));
}

#[test]
fn a_part_with_nothing_to_find_is_named() {
    let nothing = |part: &str| {
        let part = part.to_owned();
        Err(BadQuery::NothingToFind { part })
    };
    let cases = [
        ("", Err(BadQuery::Empty)),
        (" \u{3000}\n", Err(BadQuery::Empty)),
        ("北京 ！？", nothing("！？")),
        ("👍🏽 北京", nothing("👍🏽")),
        ("\u{200b}", nothing("\u{200b}")),
        ("\"\" 北京", nothing("")),
        ("\" _ \"", nothing(" _ ")),
    ];
    for (query, expected) in cases {
        assert_eq!(Query::parse(query), expected, "{query}");
    }
    let told = Query::parse("a ！").unwrap_err().to_string();
    let expected = "`！` has no letter, digit or Chinese character to search for";
    assert_eq!(told, expected);
}

#[test]
fn results_are_newest_first_and_paged_and_filtered() {
    let mut desk = Desk::new();
    desk.change(|tx| {
        for row in -3..=6_i64 {
            let tags = [tag('b', row.unsigned_abs() % 2), tag('k', 7)];
            NOTES.put(tx, row, &format!("第 {row} 条"), &tags).unwrap();
        }
    });
    let page = |filter: &Filter| {
        let hits = desk.search("条", filter);
        let rows: Vec<_> = hits.rows.iter().map(|hit| hit.row).collect();
        (rows, hits.more)
    };
    let three = Filter {
        limit: 3,
        ..Filter::default()
    };
    assert_eq!(page(&three), (vec![6, 5, 4], true));
    let next = Filter {
        before: Some(4),
        from: Some(2),
        ..three.clone()
    };
    assert_eq!(page(&next), (vec![3, 2], false));
    let odd = Filter {
        tags_all: vec![tag('b', 1)],
        tags_any: vec![vec![tag('k', 8), tag('k', 7)]],
        limit: 5,
        ..Filter::default()
    };
    assert_eq!(page(&odd), (vec![5, 3, 1, -1, -3], false));
    let none = Filter {
        tags_any: vec![vec![]],
        ..three.clone()
    };
    assert_eq!(page(&none), (vec![], false));
    let below_all = Filter {
        before: Some(i64::MIN),
        ..three.clone()
    };
    assert_eq!(page(&below_all), (vec![], false));

    let count = |query: &str, limit| {
        let filter = Filter {
            limit,
            ..Filter::default()
        };
        let query = Query::parse(query).unwrap();
        let Count { rows, more } = NOTES.count(&desk.connection, &query, &filter).unwrap();
        (rows, more)
    };
    for query in ["条", "\"第 \"", "第 条"] {
        assert_eq!(count(query, 10), (10, false), "{query}");
        assert_eq!(count(query, 9), (9, true), "{query}");
        assert_eq!(count(query, usize::MAX), (10, false), "{query}");
    }
    // Tags are no words.
    for query in ["第一条", "k", "b1", "b_1"] {
        assert_eq!(count(query, 9), (0, false), "{query}");
    }
}

#[test]
fn a_hit_has_the_text_as_it_was_put() {
    let mut desk = Desk::new();
    let text = "Ａ\u{200b}Ｂ，ab";
    desk.fill(&[text, "后来"]);
    let expected = Hits {
        rows: vec![Hit {
            row: 1,
            text: text.to_owned(),
            spans: vec![0..9, 12..14],
        }],
        more: false,
    };
    assert_eq!(desk.search("ab", &Filter::default()), expected);
}

#[test]
fn two_indexes_in_one_database_know_nothing_of_each_other() {
    use text_index::Index;
    const OTHER: Index = Index::named("other");
    let mut connection = rusqlite::Connection::open_in_memory().unwrap();
    let migrations = vec![NOTES.migration(), OTHER.migration()];
    rusqlite_migration::Migrations::new(migrations)
        .to_latest(&mut connection)
        .unwrap();
    crate::change(&mut connection, |tx| NOTES.put(tx, 1, "北京", &[]).unwrap());
    let query = Query::parse("北京").unwrap();
    let found = |index: Index| {
        let hits = index
            .search(&connection, &query, &Filter::default())
            .unwrap();
        hits.rows.len()
    };
    assert_eq!((found(NOTES), found(OTHER)), (1, 0));
}
