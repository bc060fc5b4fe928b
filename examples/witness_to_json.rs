//! The run of a violation as JSON.

use serde_json::{Value, json};
use swarmgp::search::Verdict;
use swarmgp::verify::{Answer, Check, Refusal};

/// The steps of the run that shows a violation: who moves, by which statement.
fn run(answer: &Answer) -> Option<Value> {
    let Verdict::Violated(finding) = answer.verdict() else { return None };
    let statement = |transition: u32| &answer.model.it.infos[transition as usize].text;
    let steps = finding.witness.steps.iter().map(|step| {
        let receiver =
            step.receiver.map(|receiver| json!({ "pid": receiver.pid, "statement": statement(receiver.transition) }));
        json!({ "pid": step.pid, "statement": statement(step.transition), "receiver": receiver })
    });
    let steps: Vec<Value> = steps.collect();
    Some(
        json!({ "property": answer.property, "message": finding.message, "steps": steps, "cycle": finding.witness.cycle }),
    )
}

pub fn main() -> Result<(), Refusal> {
    let model =
        "chan c = [0] of { byte }; active proctype P() { c!7 } active proctype Q() { byte x; c?x; assert(x != 7) }";
    let answers = Check::of(model).property("safety").answers()?;
    let run = run(&answers[0]).expect("a violation");
    println!("{run:#}");
    assert_eq!(run["steps"][0]["receiver"]["statement"], "c?x");
    Ok(())
}
