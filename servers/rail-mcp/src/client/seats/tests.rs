//! Seat columns and letters that no recording has.

use crate::client::tickets::tests::{one, seats_of};

#[test]
fn none_left_is_a_waitlist_by_the_pages_rule() {
    let open = "商务座 9 Waitlist 0, 一等座 M Waitlist 0, 二等座 O Waitlist 0, 无座 W None 0";
    let closed = "商务座 9 None 0, 一等座 M None 0, 二等座 O None 0, 无座 W None 0";
    let check = |fields: &[(usize, &str)], expected: &str| {
        assert_eq!(seats_of(&one(fields)), expected, "{fields:?}");
    };
    check(&[], open);
    check(&[(37, "0")], closed);
    check(&[(37, "")], closed);
    check(&[(0, "")], closed);
    check(&[(0, "null")], closed);
    check(
        &[(38, "9O")],
        "商务座 9 WaitlistFull 0, 一等座 M Waitlist 0, 二等座 O WaitlistFull 0, 无座 W None 0",
    );
}

#[test]
fn every_text_of_a_seat_column_is_told_apart() {
    for (text, expected) in [
        ("有", "二等座 O Plenty -"),
        ("充足", "二等座 O Plenty -"),
        ("1", "二等座 O Count 1"),
        ("20", "二等座 O Count 20"),
        ("无", "二等座 O Waitlist 0"),
        ("0", "二等座 O None 0"),
        ("候补", "二等座 O Waitlist 0"),
        ("*", "二等座 O NotOnSale -"),
        // A price without a text, and texts that are not known.
        ("", "二等座 O Unknown -"),
        ("--", "二等座 O Unknown -"),
        ("少量", "二等座 O Unknown -"),
        ("+5", "二等座 O Unknown -"),
        ("-1", "二等座 O Unknown -"),
        ("5 ", "二等座 O Unknown -"),
    ] {
        let alone = [
            (30, text),
            (26, ""),
            (31, ""),
            (32, ""),
            (34, ""),
            (35, ""),
            (39, "O066900021"),
        ];
        assert_eq!(seats_of(&one(&alone)), expected, "{text:?}");
    }
}

#[test]
fn a_seat_without_text_and_price_is_not_offered() {
    let none = [(26, "--"), (30, ""), (31, "--"), (32, ""), (39, "")];
    assert_eq!(one(&none).seats, []);
}

#[test]
fn letters_are_looked_up_where_prices_are_missing() {
    // From seat_types, from yp_ex, and from a column that one seat has for itself.
    let check = |fields: &[(usize, &str)], expected: &str| {
        let mut row = vec![
            (26, ""),
            (30, ""),
            (31, ""),
            (32, ""),
            (34, ""),
            (35, ""),
            (37, "0"),
            (39, ""),
        ];
        row.extend(fields);
        assert_eq!(seats_of(&one(&row)), expected, "{fields:?}");
    };
    check(
        &[(30, "有"), (26, "3"), (23, "5"), (35, "OIO")],
        "二等座 O Plenty -, 一等卧 I Count 5, 无座 W Count 3",
    );
    check(
        &[(23, "有"), (30, "2"), (34, "F0O0")],
        "动卧 F Plenty -, 二等座 O Count 2",
    );
    check(
        &[
            (20, "4"),
            (21, "有"),
            (23, "无"),
            (26, "有"),
            (28, "7"),
            (30, "*"),
            (22, "1"),
        ],
        "优选一等座 D Count 4, 二等座/二等包座 - NotOnSale -, 高级软卧/高级动卧 - Plenty -, \
         软卧/一等卧/动卧 - None 0, 硬卧/二等卧 - Count 7, 无座 W Plenty -, 其他 H Count 1",
    );
    check(&[(33, "8"), (35, "F")], "动卧 F Count 8");
    check(&[(33, "8")], "动卧 F Count 8");
    check(
        &[(24, "1"), (25, "2"), (29, "3")],
        "特等座 P Count 2, 软座 2 Count 1, 硬座 1 Count 3",
    );
    // A letter that is not known is one of 其他; its code is shown as it came.
    check(&[(22, "6"), (35, "Q")], "其他 Q Count 6");
    check(&[(30, "6"), (35, "S")], "二等包座 S Count 6");
    check(&[(21, "6"), (35, "A")], "高级动卧 A Count 6");
}

#[test]
fn a_damaged_price_text_costs_the_prices_only() {
    let train = one(&[(39, "O06690000092337000000M10700000")]);
    let shown: Vec<_> = train
        .seats
        .iter()
        .map(|seat| (seat.code, seat.price_yuan))
        .collect();
    let unpriced = [Some('9'), Some('M'), Some('O'), Some('W')].map(|code| (code, None));
    assert_eq!(shown, unpriced);
}
