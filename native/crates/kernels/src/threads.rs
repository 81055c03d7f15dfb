//! Threads that wait for work: one call hands out parts to whoever is free and returns when all are done.
//!
//! Starting a thread costs as much as scanning a small index (38 µs), so they are kept. A thread that has nothing to do looks for
//! work for some tens of microseconds, in which a waiting caller's next query often comes, and then sleeps.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// How often a thread looks for work before it sleeps; a look is a pause of 15 to 50 ns.
const LOOKS: u32 = 1_000;
/// State: whether the job can be joined, how many threads have joined it, and its number.
const OPEN: u64 = 1;
const JOINED: u64 = 2;
const NUMBER: u64 = 1 << 32;

/// The calling thread and those that help it.
#[derive(Debug)]
pub(crate) struct Threads {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    /// Held while a job runs: one job at a time.
    busy: Mutex<()>,
}

type Job<'a> = dyn Fn(usize) + Sync + 'a;

struct Shared {
    state: AtomicU64,
    job: UnsafeCell<*const Job<'static>>,
    parts: AtomicUsize,
    next: AtomicUsize,
    left: AtomicUsize,
    failed: AtomicBool,
    stopped: AtomicBool,
}

// SAFETY: `job` is written only by the one caller that holds `busy`, while no thread has joined; a thread reads it only after it
// joined through `state`, which orders the two, and the caller keeps what it points at until every thread that joined has left.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Shared")
    }
}

impl Threads {
    /// `count` threads with the calling one; fewer where the system gives fewer. They end when this value is dropped.
    pub(crate) fn new(count: usize) -> Self {
        let nothing: *const Job<'static> = std::ptr::from_ref::<Job<'static>>(&|_| ());
        let shared = Arc::new(Shared {
            state: AtomicU64::new(0),
            job: UnsafeCell::new(nothing),
            parts: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            left: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
        });
        let helpers = (1..count)
            .map_while(|_| {
                let shared = Arc::clone(&shared);
                let name = "setwise-kernels".to_owned();
                thread::Builder::new().name(name).spawn(move || shared.help()).ok()
            })
            .collect();
        Self {
            shared,
            helpers,
            busy: Mutex::new(()),
        }
    }

    /// Calls `work` once with every number below `parts`, on any thread and in any order.
    pub(crate) fn run(&self, parts: usize, work: &(dyn Fn(usize) + Sync)) {
        if self.helpers.is_empty() || parts < 2 {
            (0..parts).for_each(work);
            return;
        }
        let _busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = &*self.shared;
        // SAFETY: only the lifetime changes; nobody uses the reference after this call, see below.
        let job: &'static Job<'static> = unsafe { std::mem::transmute::<&Job<'_>, &'static Job<'static>>(work) };
        // SAFETY: this thread holds `busy`, and the job before was closed and left by all, so that nobody reads.
        unsafe { *shared.job.get() = job };
        shared.parts.store(parts, Ordering::Relaxed);
        shared.next.store(0, Ordering::Relaxed);
        shared.left.store(0, Ordering::Relaxed);
        let number = (shared.state.load(Ordering::Relaxed) / NUMBER).wrapping_add(1);
        shared
            .state
            .store(number.wrapping_mul(NUMBER) | OPEN, Ordering::Release);
        for helper in &self.helpers {
            helper.thread().unpark();
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| shared.take_parts(work)));
        // From here on nobody joins; those who have are waited for, also when the work failed.
        let joined = (shared.state.fetch_and(!OPEN, Ordering::AcqRel) % NUMBER / JOINED) as usize;
        let mut looks = 0;
        while shared.left.load(Ordering::Acquire) < joined {
            wait_a_little(&mut looks);
        }
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
        assert!(!shared.failed.swap(false, Ordering::Relaxed), "a thread failed");
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Release);
        for helper in self.helpers.drain(..) {
            helper.thread().unpark();
            // A panic was handed on when it happened.
            let _ = helper.join();
        }
    }
}

impl Shared {
    fn take_parts(&self, work: &Job<'_>) {
        let parts = self.parts.load(Ordering::Relaxed);
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            work(part);
        }
    }

    fn help(&self) {
        let mut done = 0;
        let mut looks = 0;
        while !self.stopped.load(Ordering::Acquire) {
            let state = self.state.load(Ordering::Relaxed);
            if state & OPEN == 0 || state / NUMBER == done {
                looks += 1;
                if looks < LOOKS {
                    std::hint::spin_loop();
                } else {
                    // A wake-up that came since the last look lets this return at once.
                    thread::park();
                    looks = 0;
                }
                continue;
            }
            if self
                .state
                .compare_exchange(state, state + JOINED, Ordering::AcqRel, Ordering::Relaxed)
                .is_err()
            {
                continue;
            }
            done = state / NUMBER;
            looks = 0;
            // SAFETY: having joined, this thread sees the job that the caller stored before it opened the state, and the caller
            // waits for this thread to leave.
            let job = unsafe { *self.job.get() };
            // SAFETY: as above.
            let job = unsafe { &*job };
            if catch_unwind(AssertUnwindSafe(|| self.take_parts(job))).is_err() {
                self.failed.store(true, Ordering::Relaxed);
            }
            self.left.fetch_add(1, Ordering::Release);
        }
    }
}

/// Looks again soon; after a while others may have this processor meanwhile.
fn wait_a_little(looks: &mut u32) {
    *looks += 1;
    if *looks < LOOKS {
        std::hint::spin_loop();
    } else {
        thread::yield_now();
    }
}

/// A slice of which several threads fill parts of their own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedSlice<'a, T> {
    start: *mut T,
    length: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

// SAFETY: it is an exclusive borrow of numbers, whose parts go to different threads; see `part`.
unsafe impl<T: Send> Send for SharedSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for SharedSlice<'_, T> {}

impl<'a, T> SharedSlice<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self {
            start: slice.as_mut_ptr(),
            length: slice.len(),
            borrowed: PhantomData,
        }
    }

    /// One part.
    ///
    /// # Safety
    /// No two parts that are in use at a time overlap.
    #[allow(clippy::mut_from_ref, reason = "what the caller promises makes it exclusive")]
    pub(crate) unsafe fn part(&self, range: Range<usize>) -> &'a mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the range is within the slice.
        let start = unsafe { self.start.add(range.start) };
        // SAFETY: as above, and the caller promises that nobody else has this part.
        unsafe { std::slice::from_raw_parts_mut(start, range.len()) }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::Threads;

    #[test]
    fn every_part_is_done_once_by_any_number_of_threads() {
        for count in [1, 2, 3, 8] {
            let threads = Threads::new(count);
            for parts in [0, 1, 2, 3, 100] {
                let done: Vec<AtomicUsize> = (0..parts).map(|_| AtomicUsize::new(0)).collect();
                for round in 1..20 {
                    threads.run(parts, &|part| {
                        done[part].fetch_add(1, Ordering::Relaxed);
                    });
                    assert!(done.iter().all(|done| done.load(Ordering::Relaxed) == round));
                }
            }
        }
    }

    #[test]
    fn threads_that_went_to_sleep_help_again_and_end_with_their_owner() {
        let threads = Threads::new(3);
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(5));
            let done = AtomicUsize::new(0);
            threads.run(64, &|_| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), 64);
        }
        let shared = std::sync::Arc::downgrade(&threads.shared);
        drop(threads);
        assert!(shared.upgrade().is_none());
    }

    #[test]
    fn a_failure_in_a_part_reaches_the_caller_and_the_next_job_runs() {
        let threads = Threads::new(2);
        for _ in 0..50 {
            let failed = catch_unwind(AssertUnwindSafe(|| threads.run(8, &|part| assert_ne!(part, 5))));
            assert!(failed.is_err());
            let done = AtomicUsize::new(0);
            threads.run(8, &|_| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), 8);
        }
    }
}
