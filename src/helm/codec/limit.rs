//! How much one payload may inflate to.

/// The largest JSON that a payload may hold. A Secret holds 1 MiB, which inflates to some 5 MB for an
/// honest release and to 1 GiB for a bomb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(pub usize);

impl Default for Limit {
    /// 64 MiB.
    fn default() -> Self {
        Self(64 << 20)
    }
}

impl Limit {
    /// The flag that raises it.
    pub const FLAG: &'static str = "--max-payload";

    /// The limit in whole MiB, rounded up.
    pub fn mebibytes(self) -> usize {
        self.0.div_ceil(1 << 20)
    }
}
