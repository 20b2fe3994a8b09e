//! Resource quantities: `500m`, `1Gi`, `1e3`.

use std::cmp::Ordering;

use serde_json::Value;

/// Digits that are compared exactly. The API server keeps no more than 18 after rounding to nano.
const SCALE: i32 = 9;

/// A quantity as the API server understands it, exact to a billionth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(i128);

impl Quantity {
    /// Reads a quantity (apimachinery's `resource.ParseQuantity`); `None` where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
        let (number, suffix) = unsigned.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return None;
        }
        let digits: i128 = format!("{whole}{fraction}")
            .trim_start_matches('0')
            .parse()
            .or_else(|error| {
                if whole.bytes().chain(fraction.bytes()).all(|b| b == b'0') { Ok(0) } else { Err(error) }
            })
            .ok()?;
        let (binary, decimal) = suffix_powers(suffix)?;
        let exponent = decimal + SCALE - i32::try_from(fraction.len()).ok()?;
        let mut value = digits.checked_mul(1_i128.checked_shl(binary)?)?;
        let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
        value = match exponent.cmp(&0) {
            Ordering::Less => value / power + i128::from(value % power != 0),
            _ => value.checked_mul(power)?,
        };
        Some(Self(if text.starts_with('-') { -value } else { value }))
    }

    /// Reads a quantity from a manifest, where it may be a number.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => Self::parse(&number.to_string()),
            _ => None,
        }
    }
}

/// Powers of two and of ten of a suffix.
fn suffix_powers(suffix: &str) -> Option<(u32, i32)> {
    const SUFFIXES: &[(&str, u32, i32)] = &[
        ("", 0, 0),
        ("n", 0, -9),
        ("u", 0, -6),
        ("m", 0, -3),
        ("k", 0, 3),
        ("M", 0, 6),
        ("G", 0, 9),
        ("T", 0, 12),
        ("P", 0, 15),
        ("E", 0, 18),
        ("Ki", 10, 0),
        ("Mi", 20, 0),
        ("Gi", 30, 0),
        ("Ti", 40, 0),
        ("Pi", 50, 0),
        ("Ei", 60, 0),
    ];
    if let Some((_, binary, decimal)) = SUFFIXES.iter().find(|(name, ..)| *name == suffix) {
        return Some((*binary, *decimal));
    }
    let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    (-27..=27).contains(&exponent).then_some((0, exponent))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn forms_of_one_quantity_are_equal() {
        for forms in [
            &[json!("500m"), json!("0.5"), json!(0.5), json!(".5"), json!("+0.50")][..],
            &[json!("1Gi"), json!("1024Mi"), json!("1073741824"), json!(1_073_741_824)],
            &[json!("1k"), json!("1000"), json!(1000), json!("1e3"), json!("1E3"), json!("1000000m")],
            &[json!("0"), json!(0), json!("0Gi"), json!("00")],
            &[json!("1n"), json!("0.000000001"), json!("0.0000000001")],
        ] {
            let quantities: Vec<_> = forms.iter().map(Quantity::of).collect();
            assert!(
                quantities.iter().all(|one| one.is_some() && *one == quantities[0]),
                "{forms:?} {quantities:?}"
            );
        }
        assert_ne!(Quantity::parse("1G"), Quantity::parse("1Gi"));
        assert!(Quantity::parse("-1") < Quantity::parse("0"));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in [
            "",
            "m",
            "1.2.3",
            "1 Gi",
            "Gi",
            "1gi",
            "one",
            "1e99",
            "99999999999999999999999999999999999999999E",
            ".",
        ] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
        assert_eq!(Quantity::of(&json!(true)), None);
    }
}
