//! The table of what was measured, and the lines that the benchmarks of the crates add to it.

use crate::servers::Server;

/// A line of the table: server, what was measured, and its values.
pub(super) struct Row {
    pub(super) server: &'static str,
    pub(super) what: String,
    /// In the unit that `what` names, ascending; empty where this system does not tell.
    pub(super) values: Vec<f64>,
    pub(super) budget: Option<f64>,
}

/// The medians that divan prints: `├─ name  fastest │ slowest │ median │ mean │ samples │ iters`, those of a group
/// deeper and below a line with the group's name only.
pub(super) fn micro_rows(server: &'static Server, said: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut group = "";
    for line in said.lines() {
        let cells: Vec<_> = line.split('│').map(str::trim).collect();
        let [.., median, _mean, _samples, _iterations] = cells.as_slice() else {
            continue;
        };
        let begun = line.trim_start_matches(['│', '├', '╰', '─', ' ']);
        let Some((name, _fastest)) = begun.split_once("  ") else {
            continue;
        };
        // A limit holds for each argument of its benchmark.
        let (limited, name) = if line.starts_with(['│', ' ']) {
            (group, format!("{group} {name}"))
        } else {
            (name, name.to_owned())
        };
        let Some(median) = in_milliseconds(median) else {
            group = begun.split("  ").next().unwrap_or_default();
            continue;
        };
        let budget = server
            .micro_ms
            .iter()
            .find(|(bench, _)| *bench == limited)
            .map(|(_, limit)| *limit);
        rows.push(Row {
            server: server.name,
            what: format!("{name}, ms"),
            values: vec![median],
            budget,
        });
    }
    rows
}

/// A time such as `1.234 µs`.
fn in_milliseconds(time: &str) -> Option<f64> {
    let (number, unit) = time.split_once(' ')?;
    let scale = match unit {
        "ns" => 1e-6,
        "µs" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * scale)
}

/// The table as Markdown.
pub(super) fn table(rows: Vec<Row>, runs: usize) -> String {
    let mut text =
        format!("\n{runs} processes each\n\n| server | measured | median | p95 | budget | met |\n");
    text += "| --- | --- | ---: | ---: | ---: | --- |\n";
    for Row {
        server,
        what,
        mut values,
        budget,
    } in rows
    {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            values
                .get((values.len().saturating_sub(1) as f64 * share).round() as usize)
                .copied()
        };
        let number = |value: Option<f64>| {
            value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"))
        };
        let p95 = if values.len() == 1 {
            String::new()
        } else {
            number(at(0.95))
        };
        let met = match (at(0.5), budget) {
            (Some(median), Some(budget)) => {
                if median <= budget {
                    "yes"
                } else {
                    "NO"
                }
            }
            _ => "",
        };
        let budget = budget.map_or_else(String::new, |budget| budget.to_string());
        text += &format!(
            "| {server} | {what} | {} | {p95} | {budget} | {met} |\n",
            number(at(0.5))
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Row, micro_rows, table};
    use crate::servers::Server;

    static SERVER: Server = Server {
        name: "rail-mcp",
        prefix: "RAIL",
        binary_mb: 6.0,
        fake: &[],
        alone: &[],
        opening: None,
        still: &[],
        measured: ("", "", ""),
        micro_ms: &[("parse_stations", 5.0), ("group", 9.0)],
    };

    #[test]
    fn medians_are_read_from_what_divan_prints() {
        let said = "\
Timer precision: 10 ns
mapping            fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ parse_stations  1.061 ms      │ 2.5 ms        │ 1.25 ms       │ 1.3 ms        │ 100     │ 100
╰─ group                         │               │               │               │         │
   ╰─ one_row      7.1 µs        │ 9 µs          │ 8 µs          │ 8.1 µs        │ 100     │ 100
";
        let text = table(micro_rows(&SERVER, said), 1);
        let lines: Vec<_> = text.lines().skip(5).collect();
        assert_eq!(
            lines,
            [
                "| rail-mcp | parse_stations, ms | 1.250 |  | 5 | yes |",
                "| rail-mcp | group one_row, ms | 0.008 |  | 9 | yes |"
            ]
        );
    }

    #[test]
    fn a_missed_budget_is_told_by_the_median() {
        let row = |budget, values| Row {
            server: "rail-mcp",
            what: "call, ms".to_owned(),
            values,
            budget,
        };
        let rows = vec![
            row(Some(2.0), vec![3.0, 1.0, 2.5]),
            row(Some(2.5), vec![3.0, 1.0, 2.5]),
            row(Some(1.0), vec![]),
        ];
        let text = table(rows, 3);
        let lines: Vec<_> = text.lines().skip(5).collect();
        assert_eq!(
            lines,
            [
                "| rail-mcp | call, ms | 2.500 | 3.000 | 2 | NO |",
                "| rail-mcp | call, ms | 2.500 | 3.000 | 2.5 | yes |",
                "| rail-mcp | call, ms | n/a | n/a | 1 |  |",
            ]
        );
    }
}
