//! What a runner does: arguments, files, the first pass, timing, memory. The same steps as `measure.py`.

use serde_json::Value;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

pub struct Job {
    pub subscriptions: PathBuf,
    pub events: PathBuf,
    pub result: PathBuf,
    pub check: f64,
    warm: f64,
    slice: f64,
    repeats: usize,
}

pub struct Way {
    pub events: usize,
    pub seconds: Vec<f64>,
}

impl Job {
    pub fn from_arguments() -> Result<Self, Box<dyn Error>> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let [subscriptions, events, result, check, warm, slice, repeats] = arguments.as_slice() else {
            return Err("expected SUBSCRIPTIONS EVENTS RESULT CHECK WARM SLICE REPEATS".into());
        };
        Ok(Self {
            subscriptions: subscriptions.into(),
            events: events.into(),
            result: result.into(),
            check: check.parse()?,
            warm: warm.parse()?,
            slice: slice.parse()?,
            repeats: repeats.parse()?,
        })
    }
}

pub fn read_lines(file: &PathBuf) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The ids that each event matches, sorted; slow engines stop at the limit.
pub fn first_pass<E>(events: &[E], limit: f64, search: impl Fn(&E) -> Vec<u64>) -> Vec<Vec<u64>> {
    let start = Instant::now();
    let mut found = Vec::new();
    for event in events {
        let mut ids = search(event);
        ids.sort_unstable();
        ids.dedup();
        found.push(ids);
        if start.elapsed().as_secs_f64() > limit {
            break;
        }
    }
    found
}

/// Seconds for an event. The warm-up doubles the number of events until they fill a slice.
pub fn timed<E>(job: &Job, events: &[E], visit: impl Fn(&E)) -> Way {
    let run = |count: usize, passes: usize| {
        let start = Instant::now();
        for _ in 0..passes {
            events[..count].iter().for_each(&visit);
        }
        start.elapsed().as_secs_f64()
    };
    let (mut count, mut spent) = (1, 0.0);
    let seconds = loop {
        let seconds = run(count, 1);
        spent += seconds;
        if spent >= job.warm {
            break seconds;
        }
        if seconds < job.slice {
            count = events.len().min(2 * count);
        }
    };
    let passes = ((job.slice / seconds).round() as usize).max(1);
    let seconds = (0..job.repeats)
        .map(|_| run(count, passes) / (passes * count) as f64)
        .collect();
    Way { events: count, seconds }
}

/// Bytes of this process that are in memory.
pub fn resident() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).ok_or("no VmRSS")?.parse()?;
    Ok(1024 * kilobytes)
}
