//! The same work on many items, shared among the cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than these gain nothing: the rest of the program runs on one.
const MOST_THREADS: usize = 8;

/// What `work` makes of each item, in the order of the items. A free core takes the next item, so items may differ
/// in size.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len()).min(MOST_THREADS);
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let take = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(item);
            if let Ok(mut done) = done.lock() {
                done.push((at, result));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be started leaves its work to the others.
            drop(thread::Builder::new().spawn_scoped(scope, take));
        }
        take();
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(map(&items[..1], |item| item + 1), [1]);
        assert!(map(&[] as &[usize], |item| *item).is_empty());
    }
}
