//! The order in which a person lists seat numbers.

use std::{cmp::Ordering, iter::Peekable, str::Chars};

/// Orders labels as a person does: `N9` before `N10`, `A2` before `B1`. Runs of digits compare by
/// value, the rest by character; labels that differ in leading zeros only compare as text.
pub fn natural(left: &str, right: &str) -> Ordering {
    let (mut l, mut r) = (left.chars().peekable(), right.chars().peekable());
    loop {
        let order = match (l.peek().copied(), r.peek().copied()) {
            (None, None) => return left.cmp(right),
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                let (a, b) = (number(&mut l), number(&mut r));
                a.len().cmp(&b.len()).then_with(|| a.cmp(&b))
            }
            (a, b) => {
                l.next();
                r.next();
                a.cmp(&b)
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The digits that come next, without leading zeros: any length is compared exactly.
fn number(text: &mut Peekable<Chars<'_>>) -> String {
    let digits: String = std::iter::from_fn(|| text.next_if(char::is_ascii_digit)).collect();
    digits.trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_by_value() {
        let sorted = [
            "",
            "060",
            "60",
            "136",
            "137",
            "1000",
            "A",
            "A2",
            "A10",
            "A10-2",
            "A10-11",
            "B01",
            "B1",
            "B102",
            "N1143",
            "N99999999999999999999999",
            "N100000000000000000000000",
            "座1",
            "座12",
        ];
        let mut labels = sorted;
        labels.reverse();
        labels.sort_by(|a, b| natural(a, b));
        assert_eq!(labels, sorted);
        assert_eq!(natural("N1", "N1"), Ordering::Equal);
    }
}
