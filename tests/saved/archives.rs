//! Archives, whole and hostile.
