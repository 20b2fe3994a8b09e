//! Which answers are asked for again, and after how long.
//!
//! kube 5.0's own policy tries a 503 sixteen times and obeys any Retry-After.

use std::time::Duration;

use http::StatusCode;

/// Tries beyond the first.
const MORE_TRIES: u32 = 2;
/// The first pause; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// No server makes us wait longer than this before the next try.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The pause before the next try of a request that got this answer, `None` where it stands.
pub(super) fn pause_after(tries: u32, status: StatusCode, retry_after: Option<Duration>) -> Option<Duration> {
    let may_pass = matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    );
    may_pass.then(|| pause(tries, retry_after)).flatten()
}

/// The pause before the next try of a request whose connection broke.
pub(super) fn pause_after_cut(tries: u32) -> Option<Duration> {
    pause(tries, None)
}

fn pause(tries: u32, retry_after: Option<Duration>) -> Option<Duration> {
    let own = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1)));
    (tries <= MORE_TRIES).then(|| retry_after.unwrap_or(own).min(LONGEST_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_few_and_pauses_short() {
        let seconds = |n| Some(Duration::from_secs(n));
        let cases = [
            (1, 503, None, Some(FIRST_PAUSE)),
            (2, 503, None, Some(FIRST_PAUSE * 2)),
            (3, 503, None, None),
            (1, 429, seconds(1), seconds(1)),
            (1, 429, seconds(86_400), Some(LONGEST_PAUSE)),
            (1, 504, None, Some(FIRST_PAUSE)),
            (1, 500, None, None),
            (1, 403, seconds(1), None),
        ];
        for (tries, status, retry_after, wanted) in cases {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(pause_after(tries, status, retry_after), wanted, "{tries} {status}");
        }
        assert_eq!(pause_after_cut(3), None);
    }
}
