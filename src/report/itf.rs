//! A run in the Informal Trace Format of Apalache (ADR 015): JSON, a state after the other.
//!
//! The states are numbered as the steps of the trail are: state `n` is the one after step `n`. A handshake is two steps
//! but one change, so that the state between its halves is the one before it.
//!
//! Variables: the globals, the channels (lists of messages, each a tuple) and `processes`, a list of records with the
//! locals. A global that may name one channel or another has the name as its value; the contents of the channel that
//! was declared with it are the variable `NAME.messages` then.

use super::recording::Recording;
use super::stands::stands;
use super::values::{Reading, Value, Values};
use crate::trail::frames::Process;
use serde_json::{Map, Value as Json, json};

/// The trace of a model as one JSON object.
pub fn trace(recording: &Recording, model: &str, message: &str) -> Json {
    let values = Values::new(recording.program);
    let mut states = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (position, words) in recording.states.iter().enumerate() {
        let reading = values.read(words);
        let fields = variables(recording, &reading, words);
        names = fields.iter().map(|(name, _)| name.clone()).collect();
        let rows = position.checked_sub(1).map_or(&[][..], |beat| &recording.beats[beat].rows);
        let half = rows.len().saturating_sub(1);
        // the first half of a handshake leaves everything as it was
        let before: Option<Json> = states.last().cloned();
        for row in &rows[..half] {
            let mut same = before.clone().unwrap_or_default();
            same["#meta"] = json!({"index": states.len(), "step": row.text, "process": process(row)});
            states.push(same);
        }
        let mut meta = Map::from_iter([("index".into(), json!(states.len()))]);
        if let Some(row) = rows.last() {
            meta.insert("step".into(), json!(row.text));
            meta.insert("process".into(), json!(process(row)));
        }
        let mut state = Map::from_iter([("#meta".into(), Json::Object(meta))]);
        state.extend(fields);
        states.push(Json::Object(state));
    }
    let mut trace = json!({
        "#meta": {"format": "ITF", "source": model, "description": message},
        "vars": names,
        "states": states,
    });
    if let Some(cycle) = recording.cycle.filter(|_| !recording.states.is_empty()) {
        let before: usize = recording.beats[..cycle].iter().map(|beat| beat.rows.len()).sum();
        trace["loop"] = json!(before);
    }
    trace
}

fn process(row: &super::rows::Row) -> String {
    format!("{}({})", row.process, row.pid)
}

fn variables(recording: &Recording, reading: &Reading, words: &[u64]) -> Vec<(String, Json)> {
    let globals = reading.globals().into_iter().chain(reading.channels());
    let mut all: Vec<(String, Json)> = globals.map(|(name, value)| (name, itf(&value))).collect();
    let stands = if words.is_empty() { Vec::new() } else { stands(recording.program, recording.sources, words) };
    let record = |(&process, place): (&Process, String)| {
        let locals = reading.owned(process).into_iter();
        let locals: Map<String, Json> = locals.map(|(name, value)| (name, itf(&value))).collect();
        let name = &recording.program.automaton(process.proctype).name;
        json!({"pid": process.pid, "proctype": name, "at": place, "locals": locals})
    };
    let places = stands.into_iter().map(|stand| stand.place);
    all.push(("processes".into(), Json::Array(reading.alive.iter().zip(places).map(record).collect())));
    all
}

fn itf(value: &Value) -> Json {
    match value {
        Value::Number(number) => json!(number),
        Value::Name(name) => json!(name),
        Value::List(values) => Json::Array(values.iter().map(itf).collect()),
        Value::Record(fields) => Json::Object(fields.iter().map(|(name, value)| (name.clone(), itf(value))).collect()),
        Value::Messages(messages) => {
            let tuple = |fields: &Vec<Value>| json!({"#tup": fields.iter().map(itf).collect::<Vec<_>>()});
            Json::Array(messages.iter().map(tuple).collect())
        }
    }
}
