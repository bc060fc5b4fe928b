//! The heap of the binary: an allocation that fails ends a search, not the process.
//!
//! Rust aborts when an allocation fails. This allocator keeps a reserve. When the system has no more memory it gives the reserve back,
//! notes that memory is exhausted ([`is_exhausted`]) and tries again; searches look at that note wherever they look at their limits, and
//! end as inconclusive. Where even the reserve is not enough, it calls a function that does not return.

#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::AcqRel, Ordering::Relaxed};

/// An allocation has failed.
pub fn is_exhausted() -> bool {
    EXHAUSTED.load(Relaxed)
}

static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// An allocator with a reserve. Made for one static, by [`Heap::new`].
pub struct Heap {
    reserve: AtomicPtr<u8>,
    give_up: fn() -> !,
}

/// Enough to end a search and to tell its result.
const RESERVE: Layout = match Layout::from_size_align(32 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

/// Blocks from this size on are mapped one by one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_FROM: libc::c_int = 1 << 20;

impl Heap {
    /// `give_up` must not allocate.
    pub const fn new(give_up: fn() -> !) -> Heap {
        Heap { reserve: AtomicPtr::new(ptr::null_mut()), give_up }
    }

    /// To be called first: takes the reserve (address space, and no memory until it is touched).
    pub fn set_up(&self) {
        // blocks that grow are moved by the kernel then and not copied, which would take twice the memory for a moment
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        // SAFETY: sets a number in the allocator.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM);
        }
        // SAFETY: the layout has a size.
        let reserve = unsafe { System.alloc(RESERVE) };
        self.give_back(self.reserve.swap(reserve, AcqRel));
    }

    fn give_back(&self, reserve: *mut u8) {
        if !reserve.is_null() {
            // SAFETY: it was allocated with this layout, and the `swap` that returned it left no other copy of it.
            unsafe { System.dealloc(reserve, RESERVE) };
        }
    }

    /// What `allocate` returns, if need be without the reserve.
    #[inline]
    fn insist(&self, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        let block = allocate();
        if block.is_null() { self.insist_without_reserve(allocate) } else { block }
    }

    #[cold]
    fn insist_without_reserve(&self, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        EXHAUSTED.store(true, Relaxed);
        self.give_back(self.reserve.swap(ptr::null_mut(), AcqRel));
        let block = allocate();
        if block.is_null() { (self.give_up)() } else { block }
    }
}

// SAFETY: every block comes from `System` and goes back to it with the layout it came with.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        self.insist(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        self.insist(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises; a block that could not be made larger is still there.
        self.insist(|| unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
