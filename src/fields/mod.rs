//! Server-side apply: field paths, managedFields as sets, who a manager is, conflicts before they happen.
//!
//! Works on JSON values alone; may use nothing else of the program but `object`.
