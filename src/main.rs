//! The program: the command line, with an allocator that outlives a shortage of memory.

use swarmgp::cli;
use swarmgp::machine::Heap;

#[global_allocator]
static HEAP: Heap = Heap::new(cli::out_of_memory);

/// Rust's runtime opens /dev/null in place of a standard output that is closed, and what is written gets lost without a word. So it is
/// asked before, when the C library starts the program.
#[cfg(target_os = "linux")]
#[used]
#[expect(unsafe_code, reason = "what happens before the runtime starts")]
#[unsafe(link_section = ".init_array")]
static BEFORE_THE_RUNTIME: extern "C" fn() = {
    extern "C" fn look() {
        // SAFETY: this only asks the system about a number, and needs nothing of the runtime.
        if unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1 {
            cli::output_is_closed();
        }
    }
    look
};

fn main() {
    HEAP.set_up();
    std::process::exit(cli::main());
}
