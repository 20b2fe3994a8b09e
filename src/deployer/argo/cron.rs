//! Cron schedules of sync windows, as robfig/cron's standard parser reads them (five fields, names,
//! `@daily` and its like).

use jiff::{SignedDuration, Timestamp, Zoned, tz::TimeZone};

/// Windows longer than this are searched no further back.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 32);

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const DESCRIPTORS: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// A schedule: for each field the values that match, as bits.
struct Schedule {
    minute: u64,
    hour: u64,
    day: u64,
    month: u64,
    weekday: u64,
    is_any_day: bool,
    is_any_weekday: bool,
}

/// Whether a window that opens by this schedule for this long is open now; `None` for a schedule that
/// cannot be read.
pub fn is_open(schedule: &str, duration: SignedDuration, zone: &TimeZone, now: Timestamp) -> Option<bool> {
    let schedule = parse(schedule)?;
    let minutes = duration.min(LONGEST).as_mins();
    let start = now.to_zoned(zone.clone());
    for back in 0..=minutes {
        let at = start.checked_sub(SignedDuration::from_mins(back)).ok()?;
        // The window opens at the full minute and closes `duration` later.
        let opened = at.timestamp().as_second() - i64::from(at.second());
        if schedule.matches(&at) && now.as_second() < opened + duration.as_secs() {
            return Some(true);
        }
    }
    Some(false)
}

fn parse(text: &str) -> Option<Schedule> {
    let text = DESCRIPTORS.iter().find(|(name, _)| *name == text.trim()).map_or(text, |(_, fields)| fields);
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [minute, hour, day, month, weekday] = fields.as_slice() else { return None };
    let is_any = |field: &str| field == "*" || field == "?" || field.starts_with("*/");
    Some(Schedule {
        minute: field(minute, 0, 59, &[])?,
        hour: field(hour, 0, 23, &[])?,
        day: field(day, 1, 31, &[])?,
        month: field(month, 1, 12, &MONTHS)?,
        weekday: field(weekday, 0, 6, &DAYS)?,
        is_any_day: is_any(day),
        is_any_weekday: is_any(weekday),
    })
}

/// `*`, `5`, `1-5`, `*/10`, `MON-FRI`, and lists of these.
fn field(text: &str, low: u32, high: u32, names: &[&str]) -> Option<u64> {
    let number = |word: &str| -> Option<u32> {
        let word = word.to_lowercase();
        let named = names.iter().position(|name| *name == word).and_then(|index| u32::try_from(index).ok());
        named.map(|index| index + low).or_else(|| word.parse().ok()).filter(|n| (low..=high).contains(n))
    };
    text.split(',').try_fold(0, |bits, part| {
        let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
        let (from, to) = match range.split_once('-') {
            _ if range == "*" || range == "?" => (low, high),
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(range)?, if step.is_some() { high } else { number(range)? }),
        };
        let step = step.map_or(Some(1), |step| step.parse().ok()).filter(|step: &usize| *step > 0)?;
        Some((from..=to).step_by(step).fold(bits, |bits, value| bits | 1 << value))
    })
}

impl Schedule {
    fn matches(&self, at: &Zoned) -> bool {
        let has = |bits: u64, value: i8| bits >> value & 1 == 1;
        let is_day = has(self.day, at.day());
        let is_weekday = has(self.weekday, at.weekday().to_sunday_zero_offset());
        // Both restricted: either is enough.
        let is_date =
            if self.is_any_day || self.is_any_weekday { is_day && is_weekday } else { is_day || is_weekday };
        has(self.minute, at.minute()) && has(self.hour, at.hour()) && has(self.month, at.month()) && is_date
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_open_and_close() {
        // 2026-12-01 is a Tuesday.
        let cases = [
            ("* * * * *", "24h", "2026-12-01T01:11:39Z", Some(true)),
            ("0 22 * * *", "4h", "2026-12-01T01:59:59Z", Some(true)),
            ("0 22 * * *", "4h", "2026-12-01T02:00:00Z", Some(false)),
            ("0 8 * * MON-FRI", "10h", "2026-12-01T09:00:00Z", Some(true)),
            ("0 8 * * SAT,SUN", "10h", "2026-12-01T09:00:00Z", Some(false)),
            ("0 0 1 * 6", "1h", "2026-12-01T00:30:00Z", Some(true)),
            ("*/30 1 * * *", "10m", "2026-12-01T01:35:00Z", Some(true)),
            ("*/30 1 * * *", "10m", "2026-12-01T01:45:00Z", Some(false)),
            ("@daily", "1h", "2026-12-01T00:59:00Z", Some(true)),
            ("0 0 1 nov *", "744h", "2026-12-01T23:00:00Z", Some(true)),
            ("61 * * * *", "1h", "2026-12-01T00:59:00Z", None),
            ("never", "1h", "2026-12-01T00:59:00Z", None),
        ];
        for (schedule, duration, now, expected) in cases {
            let duration = duration.parse().expect("a duration");
            let found = is_open(schedule, duration, &TimeZone::UTC, now.parse().expect("a time"));
            assert_eq!(found, expected, "{schedule} for {duration} at {now}");
        }
    }
}
