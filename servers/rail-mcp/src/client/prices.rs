//! The three texts of fixed-width entries in which prices come.

use super::clock::digits;
use crate::domain::seats::BerthName;

/// The letter of a standing ticket.
pub(super) const STANDING: char = 'W';
/// From this count on an entry is a standing ticket, written under its base seat's letter.
const STANDING_FROM: u32 = 3000;

/// What a seat costs today and how many are left, capped at 21 unless standing.
#[derive(Debug, PartialEq)]
pub(super) struct Price {
    pub(super) letter: char,
    pub(super) yuan: Option<f64>,
    pub(super) count: u32,
}

/// What one berth costs today.
#[derive(Debug, PartialEq)]
pub(super) struct Bed {
    pub(super) letter: char,
    pub(super) digit: char,
    pub(super) berth: BerthName,
    pub(super) yuan: Option<f64>,
}

/// The share of the published fare that is charged, for a seat (`berth` 0) or one berth.
#[derive(Debug, PartialEq)]
pub(super) struct Discount {
    pub(super) letter: char,
    pub(super) berth: char,
    pub(super) percent: u32,
}

/// `O062600021`: letter, five digits of price, four of count. Index 39 of a row.
pub(super) fn prices(text: &str) -> Vec<Price> {
    entries(text, 10, |letter, rest| {
        let (price, count) = rest.split_at_checked(5)?;
        let yuan = yuan(digits(price)?);
        let count = digits(count)?;
        Some(match count.checked_sub(STANDING_FROM) {
            Some(count) => Price {
                letter: STANDING,
                yuan,
                count,
            },
            None => Price {
                letter,
                yuan,
                count,
            },
        })
    })
}

/// `J305200`: letter, berth, five digits of price. Index 53 of a row.
pub(super) fn beds(text: &str) -> Vec<Bed> {
    entries(text, 7, |letter, rest| {
        let (digit, price) = head(rest)?;
        let berth = match digit {
            '1' => BerthName::Lower,
            '2' => BerthName::Middle,
            '3' => BerthName::Upper,
            _ => return None,
        };
        Some(Bed {
            letter,
            digit,
            berth,
            yuan: yuan(digits(price)?),
        })
    })
}

/// `J3050`: letter, berth or 0, three digits of percent. Index 54 of a row.
pub(super) fn discounts(text: &str) -> Vec<Discount> {
    entries(text, 5, |letter, rest| {
        let (berth, percent) = head(rest)?;
        let percent = digits(percent)?;
        Some(Discount {
            letter,
            berth,
            percent,
        })
    })
}

/// All entries of that width, or none at all where one of them cannot be read: then the borders of
/// the others are in doubt too.
fn entries<T>(text: &str, width: usize, read: impl Fn(char, &str) -> Option<T>) -> Vec<T> {
    let entry = |entry: &[u8]| {
        let entry = str::from_utf8(entry).ok()?;
        let (letter, rest) = head(entry).filter(|_| entry.len() == width)?;
        letter
            .is_ascii_alphanumeric()
            .then(|| read(letter, rest))
            .flatten()
    };
    let entries: Option<Vec<T>> = text.as_bytes().chunks(width).map(entry).collect();
    entries.unwrap_or_default()
}

fn head(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    Some((chars.next()?, chars.as_str()))
}

/// Tenths of a yuan as yuan; a price of nothing is an unknown one.
fn yuan(tenths: u32) -> Option<f64> {
    (tenths > 0).then(|| f64::from(tenths) / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_as_worked_by_hand() {
        let check = |text: &str, expected: &[(char, f64, u32)]| {
            let found: Vec<_> = prices(text)
                .into_iter()
                .map(|price| (price.letter, price.yuan.expect("a price"), price.count))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        // G531 2026-08-10, K599 2025-01-10, G1 2025-12-20, D3010 2024-04-22.
        check(
            "9231500009M103300021O062600021O062603030",
            &[
                ('9', 2315.0, 9),
                ('M', 1033.0, 21),
                ('O', 626.0, 21),
                ('W', 626.0, 30),
            ],
        );
        check(
            "1025100000407500000030426000001025103000",
            &[
                ('1', 251.0, 0),
                ('4', 750.0, 0),
                ('3', 426.0, 0),
                ('W', 251.0, 0),
            ],
        );
        check(
            "9233700001M107000021O066900021D147100004O066903000",
            &[
                ('9', 2337.0, 1),
                ('M', 1070.0, 21),
                ('O', 669.0, 21),
                ('D', 1471.0, 4),
                ('W', 669.0, 0),
            ],
        );
        check(
            "M009800014O006100003O006103076",
            &[('M', 98.0, 14), ('O', 61.0, 3), ('W', 61.0, 76)],
        );
        check("O033750021", &[('O', 337.5, 21)]);
        // Eleven characters, a letter among the digits, a sign, another alphabet: no price at all.
        for text in [
            "",
            "O0626000210",
            "O06260002",
            "O0626x0021",
            "O+62600021",
            "O062600021座0",
        ] {
            check(text, &[]);
        }
        assert_eq!(
            prices("O000000021").first().map(|price| price.yuan),
            Some(None)
        );
    }

    #[test]
    fn berths_are_read_as_worked_by_hand() {
        let found: Vec<_> = beds("J305200J106060J205540I308720I109870")
            .into_iter()
            .map(|bed| (bed.letter, bed.berth, bed.yuan.expect("a price")))
            .collect();
        assert_eq!(
            found,
            [
                ('J', BerthName::Upper, 520.0),
                ('J', BerthName::Lower, 606.0),
                ('J', BerthName::Middle, 554.0),
                ('I', BerthName::Upper, 872.0),
                ('I', BerthName::Lower, 987.0),
            ]
        );
        for text in ["J30520", "J405200", "J3052x0"] {
            assert_eq!(beds(text), [], "{text}");
        }
    }

    #[test]
    fn a_berth_digit_is_no_part_of_the_percent() {
        let found: Vec<_> = discounts("O0046J3050J1049J2049I3065I1065W0046")
            .into_iter()
            .map(|discount| (discount.letter, discount.berth, discount.percent))
            .collect();
        assert_eq!(
            found,
            [
                ('O', '0', 46),
                ('J', '3', 50),
                ('J', '1', 49),
                ('J', '2', 49),
                ('I', '3', 65),
                ('I', '1', 65),
                ('W', '0', 46),
            ]
        );
        assert_eq!(discounts("9008"), []);
    }
}
