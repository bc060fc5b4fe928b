//! A chart as a sequence diagram of Mermaid.
//!
//! Arrows are horizontal there: a message that waited in a channel stands where it is received, with the step in which
//! it was sent. Messages that do not arrive and steps that go wrong are notes; other local steps are left out.

use super::{Chart, Fate, Message};
use crate::report::recording::Recording;
use crate::trail::Ending;
use std::fmt::Write;

/// The text of the diagram; `verdict` is a note at its end.
pub fn diagram(chart: &Chart, recording: &Recording, verdict: &str) -> String {
    let mut out = String::from("sequenceDiagram\n");
    for (number, lane) in chart.lanes.iter().enumerate() {
        let _ = writeln!(out, "    participant p{number} as {}", escaped(&lane.name));
    }
    if chart.lanes.is_empty() {
        out.push_str("    participant nobody\n");
    }
    let mut arriving: Vec<&Message> = chart.arrows().collect();
    arriving.sort_by_key(|message| message.arrival().map(|point| point.beat));
    let mut arriving = arriving.into_iter().peekable();
    let mut leaving = chart.messages.iter().peekable();
    for (number, beat) in recording.beats.iter().enumerate() {
        if recording.cycle == Some(number) {
            let _ = writeln!(out, "    loop the cycle, from step {}", beat.rows[0].number);
        }
        while let Some(message) = leaving.next_if(|message| message.sent.beat == number) {
            stays_away(message, recording, &mut out);
        }
        while let Some(message) = arriving.next_if(|m| m.arrival().is_some_and(|point| point.beat == number)) {
            arrives(message, recording, &mut out);
        }
        for fault in beat.faults() {
            let lane = chart.movers[number].last().copied().unwrap_or(0);
            let _ = writeln!(out, "    Note over p{lane}: step {}: {}", beat.number(), escaped(&fault));
        }
    }
    if recording.cycle.is_some_and(|cycle| cycle < recording.beats.len()) {
        out.push_str("    end\n");
    }
    let everybody = match chart.lanes.len() {
        0 => "nobody".to_string(),
        1 => "p0".to_string(),
        count => format!("p0,p{}", count - 1),
    };
    if recording.ending == Ending::Repeats {
        let _ = writeln!(out, "    Note over {everybody}: the run has ended, its last state repeats forever");
    }
    let _ = writeln!(out, "    Note over {everybody}: {}", escaped(verdict));
    out
}

fn arrives(message: &Message, recording: &Recording, out: &mut String) {
    let Some(arrival) = message.arrival() else { return };
    let (from, to) = (message.sent.lane, arrival.lane);
    let number = |beat: usize| recording.beats[beat].number();
    let label = escaped(&message.label());
    let _ = match message.fate {
        Fate::Handshake(_) => writeln!(out, "    p{from}->>p{to}: {} {label}", number(arrival.beat)),
        _ => {
            let (sent, taken) = (number(message.sent.beat), number(arrival.beat));
            writeln!(out, "    p{from}-)p{to}: {taken} {label} (sent in {sent})")
        }
    };
}

fn stays_away(message: &Message, recording: &Recording, out: &mut String) {
    let what = match message.fate {
        Fate::Waiting => "not received",
        Fate::NextRound(_) => "received in the next round",
        Fate::Lost => "lost with its channel",
        Fate::Handshake(_) | Fate::Received(_) => return,
    };
    let number = recording.beats[message.sent.beat].number();
    let _ = writeln!(out, "    Note over p{}: {number} {} ({what})", message.sent.lane, escaped(&message.label()));
}

/// Text in which nothing means anything to Mermaid: letters, digits and some signs are themselves, all else is a
/// character code. Its keyword `end` would end a block wherever it stands.
fn escaped(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " .,:_()[]!?=+*/-–".contains(c);
    let mut out = String::new();
    for c in text.chars() {
        match plain(c) {
            true => out.push(c),
            false => _ = write!(out, "#{};", c as u32),
        }
    }
    let is_end = |word: &str| word.eq_ignore_ascii_case("end");
    let words: Vec<String> = out
        .split_inclusive(|c: char| !c.is_alphanumeric() && c != '_')
        .map(|piece| {
            let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            if is_end(word) { format!("#{};{}", piece.as_bytes()[0], &piece[1..]) } else { piece.to_string() }
        })
        .collect();
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_is_left_that_mermaid_would_read() {
        assert_eq!(escaped("c!1,red"), "c!1,red");
        assert_eq!(escaped("a;b#c\n%%"), "a#59;b#35;c#10;#37;#37;");
        assert_eq!(escaped("P(0) <b> \"x\""), "P(0) #60;b#62; #34;x#34;");
        assert_eq!(escaped("the end. END ending -end-"), "the #101;nd. #69;ND ending -#101;nd-");
    }
}
