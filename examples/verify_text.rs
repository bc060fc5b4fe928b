//! From a text to a verdict.

use swarmgp::verify::{Check, Refusal};

pub fn main() -> Result<(), Refusal> {
    let model = "byte x; active [2] proctype P() { x++; assert(x == 1) }";
    for answer in Check::of(model).answers()? {
        println!("{}: {:?}", answer.property, answer.verdict());
        print!("{}", answer.trail.unwrap_or_default());
    }
    Ok(())
}
