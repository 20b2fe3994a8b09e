//! gzip, bounded.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::Limits;

/// Unpacks gzip and stops where it becomes a bomb.
pub(super) struct Unpacked<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    read: Rc<Cell<u64>>,
    written: u64,
    limits: Limits,
}

impl<R: Read> Unpacked<R> {
    pub fn new(reader: R, limits: Limits) -> Self {
        let read = Rc::new(Cell::new(0));
        let decoder = MultiGzDecoder::new(Counted { reader, read: read.clone() });
        Self { decoder, read, written: 0, limits }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.decoder.read(buffer)?;
        self.written += length as u64;
        let Limits { archive_bytes, ratio, ratio_from, .. } = self.limits;
        if self.written > archive_bytes {
            return Err(bomb(format!("it unpacks to more than {archive_bytes} bytes")));
        }
        if self.written > ratio_from && self.written / ratio > self.read.get() {
            return Err(bomb(format!("it unpacks to more than {ratio} times its size")));
        }
        Ok(length)
    }
}

/// An error that is told from a damaged archive by its kind.
fn bomb(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::QuotaExceeded, what)
}

struct Counted<R> {
    reader: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.read.set(self.read.get() + length as u64);
        Ok(length)
    }
}
