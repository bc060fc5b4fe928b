//! What every state has to be, found out from the layout alone.

use crate::program::Program;
use crate::program::layout::ChannelPlace;
use crate::system::state::{bytes, load, process_count, word_count};

/// Panics if a state is not canonical: lengths fit, control states exist, whatever is not in use is zero.
pub fn check_state(program: &Program, state: &[u64]) {
    let (layout, b) = (&program.layout, bytes(state));
    assert_eq!(word_count(state), state.len());
    let mut channels = layout.channels.clone();
    let mut at = layout.frames_at as usize;
    for _ in 0..process_count(b) {
        let kind = load(b, at, layout.type_width) as usize;
        let pc = load(b, at + layout.pc.offset as usize, layout.pc.width) as usize;
        assert!(pc > 0 && pc < program.automata[kind].states.len(), "control state {pc}");
        if let Some(priority) = layout.priority {
            assert!(load(b, at + priority.offset as usize, priority.width) > 0, "a process has a priority");
        }
        let own = layout.frames[kind].channels.iter();
        channels.extend(own.map(|c| ChannelPlace { offset: c.offset + at as u32, ..*c }));
        at += layout.frames[kind].size as usize;
    }
    assert_eq!(at.div_ceil(8), state.len(), "frames, and nothing else");
    assert!(b[at..].iter().all(|&byte| byte == 0), "padding");
    channels.iter().for_each(|place| check_channel(program, place, b));
}

fn check_channel(program: &Program, place: &ChannelPlace, b: &[u8]) {
    let layout = &program.layout.channel_layouts[place.layout as usize];
    if layout.rendezvous() {
        return;
    }
    let length = load(b, place.offset as usize, layout.len) as u32;
    assert!(length <= layout.capacity, "messages in a channel");
    let used = place.offset + layout.len.bytes() + length * layout.slot;
    let unused = &b[used as usize..(place.offset + layout.size) as usize];
    assert!(unused.iter().all(|&byte| byte == 0), "places not in use");
}
