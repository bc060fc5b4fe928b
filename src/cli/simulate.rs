//! `swarmgp simulate`: one run, by chance or by choice.

use super::args::Simulate;
use super::output::Reader;
use super::{Done, Exit, Failure, output, say_all, say_refused};
use crate::load::{self, Loaded};
use crate::program::Program;
use crate::program::code::Action;
use crate::report::excerpt::{self, Widths};
use crate::report::figures::counted;
use crate::report::rows::{Rows, place, statement};
use crate::report::stands::stands;
use crate::report::{paint, text};
use crate::source::Sources;
use crate::system::{Fault, OnTruncation};
use crate::trail::player::{Choice, Player};
use crate::trail::{Moment, frames};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{BufRead, Read};
use std::path::Path;

/// Bytes of a line that may be an answer.
const LONGEST_ANSWER: u64 = 4096;

pub fn simulate(args: &Simulate) -> Done {
    let source = load::read(&args.model.model)?;
    let loaded = load::program(source, &args.model.options())?;
    say_all(&loaded.sources, &loaded.warnings);
    say_refused(&loaded.sources, &loaded.it.model);
    let mut chooser = if args.interactive {
        Chooser::User
    } else {
        let seed = args.seed.unwrap_or_else(rand::random);
        let line = format!("seed {seed}");
        say(args, &line, Exit::Fine)?;
        Chooser::Chance(Box::new(Xoshiro256PlusPlus::seed_from_u64(seed)))
    };
    let Loaded { it: program, sources, .. } = &loaded;
    let player = match Player::new(program, OnTruncation::Note) {
        Ok(player) => player,
        Err(fault) => return say(args, &format!("violated: {fault}  (in an initial value)"), Exit::Violated),
    };
    let player = if reads_input(program) {
        if args.interactive || args.model.model == Path::new("-") {
            return Err(Failure::Usage(
                "the model reads STDIN, so that nothing else can come from the standard input".into(),
            ));
        }
        player.with_input(Box::new(std::io::stdin()))
    } else {
        player
    };
    let rows = Rows::new(program, sources);
    let widths = Widths::of_program(program, sources, output::width());
    if !args.quiet {
        output::print(&excerpt::truncated_at_start(&player.truncated_at_start(), widths))?;
    }
    let mut run = Run { args, program, sources, player, rows, widths, steps: 0, number: 1 };
    run.walk(&mut chooser)
}

/// Whether some process receives from `STDIN`.
fn reads_input(program: &Program) -> bool {
    let reads = |action: &Action| matches!(action, Action::Receive(receive) if receive.stdin);
    program.transitions.iter().any(|transition| match &transition.action {
        Action::DStep(d) => d.actions().any(reads),
        action => reads(action),
    })
}

/// Says something about the run, which ends with this exit code if it ends here.
fn say(args: &Simulate, text: &str, exit: Exit) -> Done {
    let text = paint::headline(text);
    if args.quiet {
        output::complain(&text);
    } else {
        output::print(&format!("{text}\n"))?;
    }
    Ok(exit)
}

/// Who decides which step is taken.
enum Chooser {
    Chance(Box<Xoshiro256PlusPlus>),
    User,
}

struct Run<'r> {
    args: &'r Simulate,
    program: &'r Program,
    sources: &'r Sources,
    player: Player<'r>,
    rows: Rows<'r>,
    widths: Widths,
    steps: u64,
    /// The number of the next step, as SPIN counts.
    number: usize,
}

impl Run<'_> {
    fn walk(&mut self, chooser: &mut Chooser) -> Done {
        while self.steps < self.args.steps {
            let mut choices = self.player.choices();
            if choices.is_empty() {
                return self.nothing_moves();
            }
            let chosen = match chooser {
                Chooser::Chance(rng) => Some(rng.random_range(0..choices.len())),
                Chooser::User => self.ask(&choices)?,
            };
            let Some(chosen) = chosen else { return self.say("stopped", Exit::Fine) };
            let choice = choices.swap_remove(chosen);
            let reader = self.take(&choice)?;
            if let Some(fault) = choice.faults.first() {
                return self.fails(&choice, fault);
            }
            if reader == Reader::Gone {
                return Ok(Exit::Fine);
            }
        }
        self.say(&format!("stopped after {}", counted(self.steps, "step")), Exit::Fine)
    }

    fn say(&self, text: &str, exit: Exit) -> Done {
        say(self.args, text, exit)
    }

    /// Takes a step and shows it.
    fn take(&mut self, choice: &Choice) -> Result<Reader, Failure> {
        let printed = self.player.printed(choice.step);
        let before = self.player.state().to_vec();
        let control = self.player.control();
        let taken = self.player.take(choice);
        let number = self.number;
        self.steps += 1;
        self.number += choice.step.length();
        if self.args.quiet || number <= self.args.skip {
            return output::print(&printed);
        }
        let moment = Moment {
            number,
            step: choice.step,
            before: &before,
            after: taken.then_some(self.player.state()),
            faults: &choice.faults,
            truncated: &choice.truncated,
            printed,
            starts_cycle: false,
            control,
        };
        let mut out = String::new();
        self.rows.of(&moment).iter().for_each(|row| excerpt::row(row, self.widths, &mut out));
        output::print(&out)
    }

    fn fails(&self, choice: &Choice, fault: &Fault) -> Done {
        let place = text::place_of(self.program, self.sources, choice.step, fault);
        self.say(&text::violated(&fault.to_string(), Some(&place)), Exit::Violated)
    }

    fn nothing_moves(&mut self) -> Done {
        let steps = counted(self.steps, "step");
        let alive = stands(self.program, self.sources, self.player.state());
        if alive.is_empty() {
            return self.say(&format!("ended after {steps}: all processes are gone"), Exit::Fine);
        }
        let places = text::where_all(&alive);
        if self.player.valid_end() {
            return self
                .say(format!("ended after {steps}: every process may end here\n{places}").trim_end(), Exit::Fine);
        }
        self.say(format!("violated: invalid end state after {steps}\n{places}").trim_end(), Exit::Violated)
    }

    /// Lists the steps and reads a number; `None` if the user has had enough.
    fn ask(&self, choices: &[Choice]) -> Result<Option<usize>, Failure> {
        let alive = frames::processes(self.program, self.player.state());
        let mut list = String::new();
        for (i, choice) in choices.iter().enumerate() {
            list.push_str(&format!("{:4}  {}\n", i + 1, self.describe(choice, &alive)));
        }
        loop {
            let prompt = format!("choose 1 to {}, or q to quit: ", choices.len());
            if output::print(&format!("{list}{prompt}"))? == Reader::Gone {
                return Ok(None);
            }
            let mut line = String::new();
            let read = std::io::stdin().lock().take(LONGEST_ANSWER).read_line(&mut line).unwrap_or(0);
            // nothing more to read, or nothing that a person would write
            if read == 0 || read as u64 == LONGEST_ANSWER {
                output::print("\n")?;
                return Ok(None);
            }
            match line.trim() {
                "q" | "quit" => return Ok(None),
                number => match number.parse::<usize>() {
                    Ok(number) if (1..=choices.len()).contains(&number) => return Ok(Some(number - 1)),
                    _ => list = format!("there is no step \"{number}\"\n"),
                },
            }
        }
    }

    fn describe(&self, choice: &Choice, alive: &[frames::Process]) -> String {
        let half = |pid: u32, transition: u32| {
            let process = frames::name(self.program, alive[pid as usize]);
            let place = place(self.sources, self.program.infos[transition as usize].span);
            format!("{process}  {place}  {}", statement(self.program, self.sources, transition))
        };
        let mut text = half(choice.step.pid, choice.step.transition);
        if let Some(receiver) = choice.step.receiver {
            text.push_str(&format!("  ->  {}", half(receiver.pid, receiver.transition)));
        }
        text
    }
}
