//! Helm's records: the payload codec, revisions and the history of a release.
//!
//! Works on bytes and metadata alone; may use nothing else of the program but `failure`'s types.
