//! Living objects, by reference.

use serde_json::Value;

use super::{Found, Living};
use crate::object::ObjectRef;
use crate::source::{Miss, Reader};

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
        Some(found) => {
            let value: Value = found.parse()?;
            (Found::Object(Box::new(value)), found.origin.to_string())
        }
        None if cluster.is_complete() => (Found::Absent, String::new()),
        // A dump that holds other objects of the kind and not this one proves nothing more than that.
        None => (Found::Absent, "the saved data".to_owned()),
    })
}
