fn main() {
    std::process::exit(swarmgp::cli::main());
}
