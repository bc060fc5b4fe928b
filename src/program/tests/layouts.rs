//! Where everything lies in a state.

use super::program;
use crate::program::layout::GlobalPlace;
use crate::program::named;

/// Names and offsets of the globals, in order.
fn globals(text: &str) -> Vec<String> {
    let program = program(text);
    let mut found = Vec::new();
    for (variable, offset) in named::globals(&program) {
        named::scalars(&program, variable, &variable.name, offset, &mut |cell| {
            found.push(format!("{} {}", cell.name, cell.offset));
        });
    }
    found
}

#[test]
fn scalars_are_packed_behind_the_header() {
    let found = globals("bit b; short s; int i; unsigned u : 12; byte a[2]; mtype m; pid p; init { skip }");
    assert_eq!(found, ["b 8", "s 9", "i 11", "u 15", "a[0] 17", "a[1] 18", "m 19", "p 20"]);
}

#[test]
fn hidden_variables_have_words_of_their_own_before_the_others() {
    let text = "byte x; hidden int h; hidden byte g; init { skip }";
    assert_eq!(globals(text), ["x 16", "h 8", "g 12"]);
    assert_eq!(program(text).layout.hidden_words, 1);
}

#[test]
fn fields_of_structs_lie_behind_each_other() {
    let text = "typedef S { byte a; short b } typedef T { S s[2]; bit c } T t; byte x; init { skip }";
    let found = globals(text);
    assert_eq!(found, ["t.s[0].a 8", "t.s[0].b 9", "t.s[1].a 11", "t.s[1].b 12", "t.c 14", "x 15"]);
}

#[test]
fn channels_lie_behind_the_variables() {
    let program = program(
        "chan q = [3] of { byte, short }; byte x; chan r = [0] of { byte }; chan c; init { c = q; c!1,1; r!1 }",
    );
    let layout = &program.layout;
    // a channel whose variable never changes needs no variable, one without a buffer no room
    assert_eq!(
        layout.globals,
        [GlobalPlace::Channel(0), GlobalPlace::At(8), GlobalPlace::Channel(1), GlobalPlace::At(9)]
    );
    let (q, r) = (layout.channels[0], layout.channels[1]);
    let kind = |place: crate::program::layout::ChannelPlace| &layout.channel_layouts[place.layout as usize];
    assert_eq!((q.offset, kind(q).slot, kind(q).size), (11, 3, 1 + 3 * 3));
    assert_eq!((r.offset, kind(r).size, kind(r).rendezvous()), (21, 0, true));
    assert_eq!(layout.frames_at, 21);
}

#[test]
fn a_frame_holds_type_control_state_locals_and_own_channels() {
    let program =
        program("proctype P(byte a; int b) { short c; chan own = [2] of { byte }; skip } init { run P(1, 2) }");
    let frame = &program.layout.frames[0];
    assert_eq!((frame.locals.as_slice(), frame.size), (&[2, 3, 7, 9][..], 14));
    assert_eq!(frame.channels.iter().map(|place| place.offset).collect::<Vec<_>>(), [11]);
    assert_eq!(program.automata[0].params.iter().map(|cell| cell.offset).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn what_is_not_used_takes_no_room() {
    let plain = program("byte x; active proctype P() { x = 1 }").layout;
    assert!(plain.last.is_none() && plain.priority.is_none() && plain.event.is_none());
    let special = program("byte x; active proctype P() priority 2 { x = _last }").layout;
    assert!(special.last.is_some() && special.priority.is_some());
    assert_eq!(special.frames[0].size, plain.frames[0].size + 1);
}
