//! What must not be printed, saved or sent: secrets in texts, secrets in objects, terminal control.
//!
//! Pure functions over text and JSON values; used by `failure`, `report` and `capture` alike.
