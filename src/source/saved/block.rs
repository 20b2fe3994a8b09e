//! The objects of one archive member, packed: a bundle of 500 MB has to fit into memory.

use libdeflater::{CompressionLvl, Compressor, Decompressor};

use super::body::Body;
use super::found::Found;

/// Texts of several objects in one deflated piece.
#[derive(Debug)]
pub(super) struct Block {
    packed: Box<[u8]>,
    length: usize,
}

impl Block {
    /// The texts, one behind the other. `None` if the block cannot be unpacked, which memory would have to
    /// be damaged for.
    pub fn unpack(&self) -> Option<Vec<u8>> {
        let mut texts = vec![0; self.length];
        let length = Decompressor::new().deflate_decompress(&self.packed, &mut texts).ok()?;
        (length == self.length).then_some(texts)
    }
}

/// The first level that packs at all: objects of one kind are alike, so more gains little.
const LEVEL: i32 = 1;

/// Moves the texts of a member into a block.
pub(super) fn pack(found: &mut Found) {
    let mut texts = String::new();
    let mut bodies = Vec::with_capacity(found.objects.len());
    for (_, body) in &found.objects {
        let Body::Text(text) = body else { return };
        let (Ok(start), Ok(length)) = (u32::try_from(texts.len()), u32::try_from(text.len())) else { return };
        bodies.push(Body::InBlock { start, length });
        texts.push_str(text);
    }
    let mut compressor = Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default());
    let mut packed = vec![0; compressor.deflate_compress_bound(texts.len())];
    let Ok(length) = compressor.deflate_compress(texts.as_bytes(), &mut packed) else { return };
    packed.truncate(length);
    found.block = Some(Block { packed: packed.into(), length: texts.len() });
    for ((_, body), packed) in found.objects.iter_mut().zip(bodies) {
        *body = packed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::saved::head::Head;

    #[test]
    fn texts_come_back() {
        let mut found = Found::default();
        let long = "abc".repeat(1000);
        for text in ["{\"a\":1}", "", "ü", &long] {
            found.objects.push((Head::default(), Body::Text(text.into())));
        }
        pack(&mut found);
        let block = found.block.unwrap();
        assert!(block.packed.len() < 500, "{}", block.packed.len());
        let texts = block.unpack().unwrap();
        let back: Vec<&[u8]> = found
            .objects
            .iter()
            .map(|(_, body)| match body {
                Body::InBlock { start, length } => &texts[*start as usize..(start + length) as usize],
                other => panic!("{other:?} is not packed"),
            })
            .collect();
        assert_eq!(back, ["{\"a\":1}".as_bytes(), b"", "ü".as_bytes(), long.as_bytes()]);
    }
}
