//! Living objects, by reference. Each stays text until something about it is asked: the sets of its managers take
//! several times the room.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::fields::{Live, ManagedFields};
use crate::object::ObjectRef;
use crate::source::{Miss, Reader};

/// The objects of a case, in the order in which they were asked for.
#[derive(Default)]
pub struct LivingObjects {
    all: Vec<Living>,
    /// Places in `all`, sorted by what the objects are.
    sorted: Vec<usize>,
}

/// One object, asked for by reference.
pub struct Living {
    /// Which.
    pub object: ObjectRef,
    /// What was found.
    pub found: Found,
    /// Where, for evidence.
    pub origin: String,
    /// Read at the first question about it.
    live: OnceCell<Result<Live, String>>,
}

/// The answer to "does it live, and how?".
pub enum Found {
    /// As JSON, with managedFields unless they were hidden.
    Object(Rc<str>),
    /// The cluster was asked and has none.
    Absent,
    /// It could not be asked, or the dump does not hold it.
    Unknown(String),
}

impl LivingObjects {
    /// Adds one.
    pub fn push(&mut self, living: Living) {
        let place = self.place(&living.object).unwrap_or_else(|place| place);
        self.sorted.insert(place, self.all.len());
        self.all.push(living);
    }

    /// What was found for a reference, whatever version it was asked in.
    pub fn find(&self, object: &ObjectRef) -> Option<&Living> {
        self.place(object).ok().map(|place| &self.all[self.sorted[place]])
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Living> {
        self.all.iter()
    }

    fn place(&self, object: &ObjectRef) -> Result<usize, usize> {
        self.sorted.binary_search_by(|at| self.all[*at].object.identity().cmp(&object.identity()))
    }
}

impl<'a> IntoIterator for &'a LivingObjects {
    type Item = &'a Living;
    type IntoIter = std::slice::Iter<'a, Living>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Living {
    /// What was found in the place of an object.
    pub fn new(object: ObjectRef, found: Found, origin: String) -> Self {
        Self { object, found, origin, live: OnceCell::new() }
    }

    /// The object as the source gave it, if it was found.
    pub fn json(&self) -> Option<&str> {
        match &self.found {
            Found::Object(json) => Some(json),
            Found::Absent | Found::Unknown(_) => None,
        }
    }

    /// The object, if it was found and can be read.
    pub fn live(&self) -> Option<&Live> {
        let json = self.json()?;
        self.live.get_or_init(|| Live::parse(json).map_err(|error| error.to_string())).as_ref().ok()
    }

    /// Why it was found and cannot be read, as far as somebody has tried.
    pub fn damage(&self) -> Option<&str> {
        self.live.get()?.as_ref().err().map(String::as_str)
    }

    /// Somebody has tried to read its text, in vain.
    pub fn is_damaged(&self, why: String) {
        // Whoever tried before has said the same.
        let _ = self.live.set(Err(why));
    }

    /// Its managedFields; `None` where it has none, or was not found.
    pub fn managed(&self) -> Option<&ManagedFields> {
        self.live().and_then(Live::managed)
    }
}

/// Asks the cluster for one object.
pub async fn read(reader: &Reader, object: &ObjectRef) -> Living {
    let (found, origin) = match look(reader, object).await {
        Ok(answer) => answer,
        Err(miss) => {
            let why = miss.to_string();
            reader.missed(miss);
            (Found::Unknown(why), String::new())
        }
    };
    Living::new(object.clone(), found, origin)
}

async fn look(reader: &Reader, object: &ObjectRef) -> Result<(Found, String), Miss> {
    let cluster = reader.cluster();
    let resource = cluster.resource_of(&object.api_version, &object.kind).await?;
    let answer = cluster.get(&resource, &object.namespace, &object.name).await?;
    Ok(match answer {
        Some(found) => (Found::Object(found.json.clone()), found.origin.to_string()),
        None if cluster.is_complete() => (Found::Absent, String::new()),
        // A dump that holds other objects of the kind and not this one proves nothing more than that.
        None => (Found::Absent, "the saved data".to_owned()),
    })
}
