//! How old a dump is: the newest time that its objects carry.

use jiff::Timestamp;

/// Keys whose values are times at which somebody wrote or looked. Others may lie in the future.
const KEYS: [&str; 9] = [
    "\"lastSeen\"",
    "\"lastUpdateTime\"",
    "\"lastTransitionTime\"",
    "\"lastTimestamp\"",
    "\"lastPollingTriggered\"",
    "\"creationTimestamp\"",
    "\"reconciledAt\"",
    "\"eventTime\"",
    "\"time\"",
];

/// The newest time under one of the known keys in an object's JSON text.
pub fn newest_time(json: &str) -> Option<Timestamp> {
    KEYS.iter()
        .flat_map(|key| memchr::memmem::find_iter(json.as_bytes(), key).map(move |at| at + key.len()))
        .filter_map(|after| {
            let rest = json.get(after..after + 40).or_else(|| json.get(after..))?;
            let value = rest.trim_start_matches([':', ' ']).strip_prefix('"')?;
            value.split_once('"').map(|(time, _)| time)
        })
        .filter_map(|text| text.parse().ok())
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_of_writing_count() {
        let json = r#"{"metadata":{"creationTimestamp":"2026-12-01T00:44:55Z","managedFields":[
            {"time": "2026-12-01T00:45:29Z"}]},"spec":{"notAfter":"2036-01-01T00:00:00Z"},"lastSeen":null}"#;
        assert_eq!(newest_time(json).unwrap().to_string(), "2026-12-01T00:45:29Z");
        assert_eq!(newest_time("{}"), None);
    }
}
