//! Every probability of the generator. Weights are relative to each other; all other numbers are percentages unless
//! their comment says what they are.

/// How often each kind of statement is chosen.
#[derive(Clone, Debug)]
pub struct Weights {
    pub assign: u32,
    pub step: u32,
    pub print: u32,
    pub assert: u32,
    pub skip: u32,
    pub guard: u32,
    pub timeout: u32,
    pub send: u32,
    pub receive: u32,
    pub run: u32,
    pub selection: u32,
    pub repetition: u32,
    pub counted: u32,
    pub for_loop: u32,
    pub select: u32,
    pub atomic: u32,
    pub d_step: u32,
    pub block: u32,
    pub unless: u32,
    pub call: u32,
    pub declare: u32,
    pub jump: u32,
    pub jump_inside: u32,
    pub back: u32,
}

#[derive(Clone, Debug)]
pub struct Profile {
    pub weights: Weights,
    /// Statements of the whole model, divided among its process instances: least and most.
    pub statements: (u32, u32),
    /// Nesting of compound statements.
    pub depth: u32,
    /// A model whose blocking statements all have an alternative (`else`, `timeout` or an `end` label).
    pub patient: u32,
    /// A model whose assertions hold by construction.
    pub truthful: u32,
    /// A blocking statement gets an alternative although the model is not patient.
    pub alternative: u32,
    pub init: u32,
    pub active: u32,
    pub instances: u32,
    pub rendezvous: u32,
    pub local_channel: u32,
    pub provided: u32,
    pub priority: u32,
    pub hidden: u32,
    pub last: u32,
    pub remote: u32,
    pub bare_lines: u32,
    /// An index that may be out of range; decided once per model, then once per index.
    pub stray_index: (u32, u32),
    /// A `chan` variable that is used before it holds a channel.
    pub unset_channel: u32,
    /// An `else` beside a send or receive: SPIN calls it dubious, but gives it a meaning.
    pub else_with_io: u32,
    /// Polling or peeking at a rendezvous channel: a run-time error.
    pub poll_rendezvous: u32,
    /// A `d_step` that blocks in its middle: a run-time error that stops pan.
    pub blocking_d_step: u32,
    /// `for (m in channel)`.
    pub for_in_channel: u32,
    /// Off: pan collects the guards of such a `d_step` oddly.
    pub d_step_on_selection: u32,
    /// Off: a receive into a variable narrower than the field, which pan undoes with the truncated value (as spin:
    /// pangen4.c, `undostmnt`).
    pub narrowing_receive: u32,
    /// Off: spin's simulator and pan disagree, so that trails cannot be replayed.
    pub probe_rendezvous: u32,
    /// Off: pan executes these first statements of a `d_step` in the middle of a handshake.
    pub d_step_on_print: u32,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            weights: Weights::default(),
            statements: (18, 40),
            depth: 3,
            patient: 50,
            truthful: 75,
            alternative: 40,
            init: 45,
            active: 60,
            instances: 15,
            rendezvous: 35,
            local_channel: 25,
            provided: 5,
            priority: 5,
            hidden: 10,
            last: 6,
            remote: 10,
            bare_lines: 10,
            stray_index: (4, 30),
            unset_channel: 1,
            else_with_io: 2,
            poll_rendezvous: 1,
            blocking_d_step: 1,
            for_in_channel: 15,
            narrowing_receive: 0,
            probe_rendezvous: 0,
            d_step_on_selection: 0,
            d_step_on_print: 0,
        }
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            assign: 22,
            step: 6,
            print: 3,
            assert: 6,
            skip: 3,
            guard: 6,
            timeout: 1,
            send: 9,
            receive: 9,
            run: 4,
            selection: 9,
            repetition: 6,
            counted: 3,
            for_loop: 3,
            select: 3,
            atomic: 7,
            d_step: 5,
            block: 2,
            unless: 4,
            call: 4,
            declare: 3,
            jump: 6,
            jump_inside: 2,
            back: 2,
        }
    }
}
