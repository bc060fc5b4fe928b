//! A heuristic that is not in the table: a directed search of one's own that uses it.

use swarmgp::search::catalogue::{Search, Shape};
use swarmgp::search::directed::{self, Order};
use swarmgp::store::Store;
use swarmgp::system::{Interpreter, Scratch, System};
use swarmgp::verify::{Check, Refusal};

/// A* that takes states for promising in which few processes are left. An estimate may look at whatever an observer tells of a state.
static FEW_PROCESSES: Search = Search {
    name: "few-processes",
    summary: "A*; the fewer processes are left, the better",
    shape: Shape::Directed,
    on_system: Some(|problem, job| {
        let left = |system: &Interpreter, state: &mut [u64], scratch: &mut Scratch| {
            system.observer(scratch).control(state).count() as u32
        };
        let order = Order::AStar { weight: 1.0 };
        directed::search::<_, Store>(problem, order, &left, job.plan.config, job.monitor)
    }),
    ..Search::EXHAUSTIVE
};

pub fn main() -> Result<(), Refusal> {
    let model = "byte left = 3; active proctype Q() { left == 0; assert(_nr_pr > 1) }
        active [3] proctype P() { left-- }";
    let answers = Check::of(model).property("safety").search(&FEW_PROCESSES).answers()?;
    println!("{}: {:?}", answers[0].report.search.name, answers[0].verdict());
    assert!(answers[0].is_violated(), "all processes of P may end before Q goes on");
    Ok(())
}
