//! `schema`: the JSON Schema of `-o json`.

use super::args::Globals;
use super::exit::Exit;
use super::print;
use crate::report::schema;

/// Prints it.
pub fn run(globals: &Globals) -> anyhow::Result<Exit> {
    print::door(globals).unmasked(schema::TEXT)?;
    Ok(Exit::Ran)
}
