//! Where an object's text is kept, and how it is got back.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::rc::Rc;

use super::block::Block;
use super::compact::compact;
use crate::source::Miss;

/// The text of one object.
#[derive(Debug)]
pub(super) enum Body {
    /// Bytes `start..start + length` of the file that it was found in, which is JSON on disk.
    InFile { start: u64, length: u32 },
    /// The same of the file's block.
    InBlock { start: u32, length: u32 },
    /// Compact JSON: the object came out of YAML, an archive or a stream.
    Text(Box<str>),
}

impl Body {
    /// A measure of how much the object says, for choosing between two saved states of it.
    pub fn len(&self) -> usize {
        match self {
            Self::InFile { length, .. } | Self::InBlock { length, .. } => *length as usize,
            Self::Text(text) => text.len(),
        }
    }
}

/// A file that was scanned.
#[derive(Debug)]
pub(super) struct Scanned {
    pub origin: Rc<str>,
    pub path: Option<PathBuf>,
    pub block: Option<Block>,
}

/// Reads bodies back from the files.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub all: Vec<Scanned>,
    /// The file read last: objects of one list are asked for one after the other.
    open: RefCell<Option<(u32, File)>>,
    /// The block unpacked last.
    unpacked: RefCell<Option<(u32, Vec<u8>)>>,
}

impl Files {
    /// The object's text.
    pub fn text(&self, file: u32, body: &Body) -> Result<Rc<str>, Miss> {
        let (start, length) = match body {
            Body::Text(text) => return Ok(Rc::from(&**text)),
            Body::InBlock { start, length } => {
                return self.read_block(file, *start as usize, *length as usize);
            }
            Body::InFile { start, length } => (*start, *length as usize),
        };
        let bytes = self.read(file, start, length).map_err(|error| self.miss(file, &error.to_string()))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(compact(text).into()),
            Err(_) => Err(self.miss(file, "it has changed since it was opened")),
        }
    }

    /// What to call the file in a report.
    pub fn origin(&self, file: u32) -> Rc<str> {
        self.all.get(file as usize).map_or_else(|| Rc::from(""), |file| file.origin.clone())
    }

    fn read(&self, file: u32, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut open = self.open.borrow_mut();
        if !matches!(&*open, Some((at, _)) if *at == file) {
            let path = self.all.get(file as usize).and_then(|file| file.path.as_ref());
            let path = path.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
            *open = Some((file, File::open(path)?));
        }
        let Some((_, handle)) = &mut *open else { return Err(io::ErrorKind::NotFound.into()) };
        let mut bytes = vec![0; length];
        handle.seek(SeekFrom::Start(start))?;
        handle.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn read_block(&self, file: u32, start: usize, length: usize) -> Result<Rc<str>, Miss> {
        let mut unpacked = self.unpacked.borrow_mut();
        if !matches!(&*unpacked, Some((at, _)) if *at == file) {
            let block = self.all.get(file as usize).and_then(|file| file.block.as_ref());
            *unpacked = block.and_then(Block::unpack).map(|texts| (file, texts));
        }
        let text = unpacked.as_ref().and_then(|(_, texts)| texts.get(start..start + length));
        let text = text.and_then(|text| std::str::from_utf8(text).ok());
        text.map(Into::into).ok_or_else(|| self.miss(file, "its packed copy is damaged"))
    }

    fn miss(&self, file: u32, why: &str) -> Miss {
        Miss::Unreadable { what: self.origin(file).to_string(), why: why.to_owned() }
    }
}
