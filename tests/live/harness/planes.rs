//! Control planes for tests: one that they share, and as many of their own as they ask for.

use std::sync::OnceLock;
use std::thread;

use super::assets::Assets;
use super::control_plane::ControlPlane;
use super::failure::StartFailure;

/// Tests that keep to their own namespace share it, since a start costs seconds. None if the test is to be
/// skipped. A static is never dropped: its servers end by their guards, when this process does.
#[track_caller]
pub fn shared() -> Option<&'static ControlPlane> {
    // A failure is kept as well: a server that needs its whole time limit to fail would do so again for every
    // test.
    static SHARED: OnceLock<Result<ControlPlane, StartFailure>> = OnceLock::new();
    let assets = Assets::find()?;
    match SHARED.get_or_init(|| ControlPlane::start(&assets, "shared")) {
        Ok(plane) => Some(plane),
        Err(failure) => panic!("the shared control plane did not start: {failure}"),
    }
}

/// Started side by side, in the order of the names. None if the test is to be skipped.
#[track_caller]
pub fn own<const N: usize>(names: [&str; N]) -> Option<[ControlPlane; N]> {
    let assets = Assets::find()?;
    let started = thread::scope(|scope| {
        names
            .map(|name| {
                let assets = &assets;
                (name, scope.spawn(move || ControlPlane::start(assets, name)))
            })
            .map(|(name, start)| {
                (name, start.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
    });
    Some(started.map(|(name, start)| {
        start.unwrap_or_else(|failure| panic!("control plane {name} did not start: {failure}"))
    }))
}
