//! `kubectl helm-forensics`.
fn main() {}
