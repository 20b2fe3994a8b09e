//! The source that the flags name.

use anyhow::Context as _;
use jiff::Timestamp;

use super::args::Globals;
use crate::source::Source;
use crate::source::live::Live;
use crate::source::saved::{Limits, Saved};

/// Saved data where `--from` names some, living clusters otherwise.
pub async fn source(globals: &Globals) -> anyhow::Result<Box<dyn Source>> {
    if globals.from.is_empty() {
        let (connection, limits) = (globals.connection.connection(), globals.connection.limits());
        let live = Live::connect(&connection, limits)?;
        return Ok(Box::new(if globals.verbose > 0 { live } else { live.without_access_log() }));
    }
    let saved = Saved::open(&globals.from, Limits::default()).context("nothing could be read with --from")?;
    Ok(Box::new(saved))
}

/// The time that ages are counted from: the clock is read here and nowhere below.
pub fn now(globals: &Globals) -> Timestamp {
    globals.now.unwrap_or_else(Timestamp::now)
}
