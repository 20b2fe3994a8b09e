//! How much foreign input is taken.

/// Bounds on what is read. A bound that is met is said, and what was read before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file or archive member, unpacked.
    pub file_bytes: u64,
    /// Bytes that one archive may unpack to.
    pub archive_bytes: u64,
    /// Files in one folder or archive.
    pub files: usize,
    /// How many times larger than its input an archive may unpack, once it is beyond
    /// [`Limits::ratio_from`]. Deflate itself ends at 1032; dumps and logs stay below 100.
    pub ratio: u64,
    /// Unpacked size from which the ratio counts: small archives of repetitive text are no bombs.
    pub ratio_from: u64,
    /// Archives inside archives.
    pub nesting: u32,
    /// Folders inside folders.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 512 << 20,
            archive_bytes: 16 << 30,
            files: 1_000_000,
            ratio: 250,
            ratio_from: 256 << 20,
            nesting: 1,
            depth: 64,
        }
    }
}
