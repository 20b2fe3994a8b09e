//! Tables that kubectl prints for people: they hold too little to answer anything.

/// Whether the text starts with the header of such a table: `NAMESPACE   NAME   READY`.
pub(super) fn is_table(text: &str) -> bool {
    let Some(header) = text.lines().find(|line| !line.trim().is_empty()) else { return false };
    let columns: Vec<&str> = header.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    let is_header = |column: &str| {
        column.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " -_/()%".contains(c))
    };
    columns.len() >= 2
        && columns.iter().all(|column| is_header(column))
        && columns.iter().any(|column| matches!(*column, "NAME" | "NAMESPACE" | "LAST SEEN"))
}

#[cfg(test)]
mod tests {
    use super::is_table;

    #[test]
    fn headers() {
        for (text, want) in [
            ("NAMESPACE   NAME   READY   STATUS\nshop   web   1/1   Running\n", true),
            ("\nNAME      DATA   AGE\n", true),
            ("LAST SEEN   TYPE     REASON\n", true),
            ("NAME", false),
            ("apiVersion: v1\n", false),
            ("ERROR  FAILED  TO CONNECT", false),
            ("", false),
        ] {
            assert_eq!(is_table(text), want, "{text}");
        }
    }
}
