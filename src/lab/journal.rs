//! The journal of an experiment: a file to which every run is appended as soon as it is done.
//!
//! One JSON object in a line: a session (where and with what the runs behind it were done) or a record. Only whole lines count, so that
//! a program that was killed in the middle of a line loses no more than that run. Two programs cannot write the same journal at once.

use super::job::Job;
use super::machine::Session;
use super::record::{Outcome, Record};
use crate::file::{self, why};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

const SCHEMA: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Session {
        schema: u32,
        #[serde(flatten)]
        session: Session,
    },
    Run(Record),
}

/// What a journal says.
#[derive(Debug, Default)]
pub struct Entries {
    pub sessions: Vec<Session>,
    pub records: Vec<Record>,
    /// Bytes of whole lines.
    whole: u64,
}

/// Reads a journal; one that does not exist is empty.
pub fn read(path: &Path) -> Result<Entries, String> {
    let cannot = |error: io::Error| format!("cannot read {}: {}", path.display(), why(&error));
    let text = match file::read(path, file::MOST_RECORDED) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Entries::default()),
        Err(error) => return Err(cannot(error)),
    };
    let mut entries = Entries::default();
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    entries.whole = whole as u64;
    if !may_be_cut_off(&text[whole..]) {
        return Err(format!("{} is not a journal of swarmgp", path.display()));
    }
    for (number, line) in text[..whole].split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let at = |why: String| format!("{}:{}: {why}", path.display(), number + 1);
        let no_line = |error| at(format!("this is no line of a journal; without it the experiment can go on: {error}"));
        match serde_json::from_slice(line).map_err(no_line)? {
            Line::Session { schema: SCHEMA, session } => entries.sessions.push(session),
            Line::Session { schema, .. } => {
                return Err(at(format!("this journal has schema {schema}; this version of swarmgp knows {SCHEMA}")));
            }
            Line::Run(record) => entries.records.push(record),
        }
    }
    Ok(entries)
}

/// The beginning of a line that was being written when the program ended.
fn may_be_cut_off(rest: &[u8]) -> bool {
    ["{\"run\":", "{\"session\":"]
        .iter()
        .any(|start| rest.starts_with(start.as_bytes()) || start.as_bytes().starts_with(rest))
}

impl Entries {
    /// The records of these jobs, in their order, and the jobs that have none. A record counts if it was made with the same arguments and
    /// the same model; of several, the last one.
    pub fn sort_out(&self, jobs: &[Job]) -> (Vec<Record>, Vec<Job>) {
        let known: FxHashMap<_, _> = self.records.iter().map(|record| (record.id(), record)).collect();
        let (mut records, mut missing) = (Vec::new(), Vec::new());
        for job in jobs {
            match known.get(&job.id()) {
                Some(&record) => records.push(record.clone()),
                None => missing.push(job.clone()),
            }
        }
        (records, missing)
    }
}

impl Entries {
    /// Forgets runs that crashed, so that they are done again.
    pub fn forget_crashes(&mut self) {
        self.records.retain(|record| record.outcome != Outcome::Crashed);
    }
}

/// A process that is just being started may hold for a moment what its parent has let go.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(25)),
            done => return done,
        }
    }
    Err(TryLockError::WouldBlock)
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal to append to it, and cuts off a line that is not whole; what it says already.
    pub fn open(path: &Path) -> Result<(Journal, Entries), String> {
        let cannot = |error: io::Error| format!("cannot write {}: {}", path.display(), why(&error));
        // before anything is written: whatever else is there stays
        read(path)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(cannot)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(cannot)?;
        lock(&file).map_err(|error| match error {
            TryLockError::WouldBlock => format!("another experiment is writing {}", path.display()),
            TryLockError::Error(error) => cannot(error),
        })?;
        let entries = read(path)?;
        file.set_len(entries.whole).map_err(cannot)?;
        Ok((Journal { path: path.into(), file }, entries))
    }

    pub fn begin(&mut self, session: &Session) -> Result<(), String> {
        self.append(&Line::Session { schema: SCHEMA, session: session.clone() })
    }

    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        self.append(&Line::Run(record.clone()))
    }

    fn append(&mut self, line: &Line) -> Result<(), String> {
        let mut text = serde_json::to_vec(line).map_err(|error| error.to_string())?;
        text.push(b'\n');
        let written = self.file.write_all(&text).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("cannot write {}: {}", self.path.display(), why(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::job::Key;
    use crate::lab::record::Used;

    fn job(run: u64, args: &[&str]) -> Job {
        let key = Key { case: "c".into(), search: "s".into(), run, seed: Some(run) };
        Job { key, args: args.iter().map(|&arg| arg.into()).collect(), model: "0".into() }
    }

    #[test]
    fn whole_lines_count_and_others_are_run_again() {
        let directory = std::env::temp_dir().join(format!("swarmgp-journal-{}", std::process::id()));
        let path = directory.join("deep/journal.jsonl");
        let jobs = [job(1, &["a"]), job(2, &["a"]), job(3, &["a"])];
        let session = Session::now(1);
        let (mut journal, entries) = Journal::open(&path).expect("a new journal");
        assert!(entries.records.is_empty());
        journal.begin(&session).expect("a line");
        let record = Record::crashed(&jobs[0], "why".into(), Used::default());
        journal.add(&record).expect("a line");
        assert!(Journal::open(&path).unwrap_err().contains("another experiment"));
        drop(journal);
        // killed while it wrote
        let text = fs::read_to_string(&path).expect("a journal");
        fs::write(&path, format!("{text}{{\"run\":{{\"case\":\"c\",\"sea")).expect("a file");
        let (mut journal, entries) = Journal::open(&path).expect("an old journal");
        assert_eq!((entries.sessions.clone(), entries.records.clone()), (vec![session], vec![record.clone()]));
        assert_eq!(entries.sort_out(&jobs), (vec![record], jobs[1..].to_vec()));
        // the same run with other arguments is another one
        assert_eq!(entries.sort_out(&[job(1, &["b"])]).1.len(), 1);
        journal.add(&Record::crashed(&jobs[1], String::new(), Used::default())).expect("a line");
        drop(journal);
        assert_eq!(read(&path).expect("a journal").records.len(), 2);
        // another model with the same name
        assert_eq!(entries.sort_out(&[Job { model: "1".into(), ..jobs[0].clone() }]).1.len(), 1);
        fs::write(&path, "{\"session\":{\"schema\":9}}\n").expect("a file");
        assert!(read(&path).unwrap_err().contains("journal.jsonl:1: "));
        for other in ["precious data", "precious\ndata"] {
            fs::write(&path, other).expect("a file");
            assert!(Journal::open(&path).is_err());
            assert_eq!(fs::read_to_string(&path).expect("a file"), other, "what is no journal stays as it is");
        }
        fs::remove_dir_all(&directory).expect("ours");
        assert!(read(Path::new("/dev/zero")).unwrap_err().contains("it is a device"));
    }
}
