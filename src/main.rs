use swarmgp::cli;
use swarmgp::machine::Heap;

#[global_allocator]
static HEAP: Heap = Heap::new(cli::out_of_memory);

fn main() {
    HEAP.set_up();
    std::process::exit(cli::main());
}
