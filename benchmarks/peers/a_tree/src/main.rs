//! a-tree: boolean expressions share their parts in one tree, and an event is evaluated from its leaves up.
//!
//! Called as every runner is; `built` times the making of an event from names and values together with the
//! search, `search` the search alone.

mod measure;
mod translate;

use a_tree::{ATree, Event};
use measure::{Job, Way};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use translate::{Attribute, Kind};

fn main() -> Result<(), Box<dyn Error>> {
    let job = Job::from_arguments()?;
    let subscriptions = measure::read_lines(&job.subscriptions)?;
    let rows = measure::read_lines(&job.events)?;
    let kinds = translate::kinds(&subscriptions, &rows)?;
    let texts = subscriptions
        .iter()
        .map(|each| translate::expression(each, &kinds))
        .collect::<Result<Vec<_>, _>>()?;
    let events = rows
        .iter()
        .map(|row| translate::attributes(row, &kinds))
        .collect::<Result<Vec<_>, _>>()?;

    load(&texts[..1], &kinds)?;
    let before = measure::resident()?;
    let start = Instant::now();
    let tree = load(&texts, &kinds)?;
    let build = start.elapsed().as_secs_f64();
    let bytes = measure::resident()?.saturating_sub(before);

    let found = measure::first_pass(&events, job.check, |event| search(&tree, &make(&tree, event)));
    let built = measure::timed(&job, &events, |event| {
        black_box(tree.search(&make(&tree, event)).expect("a search cannot fail"));
    });
    let ready: Vec<Event> = events.iter().map(|event| make(&tree, event)).collect();
    let search = measure::timed(&job, &ready, |event| {
        black_box(tree.search(event).expect("a search cannot fail"));
    });
    write(&job, build, bytes, [("built", built), ("search", search)], found)
}

fn load(texts: &[String], kinds: &BTreeMap<String, Kind>) -> Result<ATree<u64>, Box<dyn Error>> {
    let definitions: Vec<_> = kinds.iter().map(|(name, kind)| kind.definition(name)).collect();
    let mut tree = ATree::new(&definitions).map_err(|error| error.to_string())?;
    for (number, text) in texts.iter().enumerate() {
        tree.insert(&(number as u64), text).map_err(|error| format!("{text}: {error}"))?;
    }
    Ok(tree)
}

fn make(tree: &ATree<u64>, event: &[(String, Attribute)]) -> Event {
    let mut builder = tree.make_event();
    for (name, attribute) in event {
        match attribute {
            Attribute::Text(text) => builder.with_string(name, text),
            Attribute::Integer(number) => builder.with_integer(name, *number),
            Attribute::Decimal(number, scale) => builder.with_float(name, *number, *scale),
        }
        .expect("every name was declared with its type");
    }
    builder.build().expect("absent attributes are allowed")
}

fn search(tree: &ATree<u64>, event: &Event) -> Vec<u64> {
    let report = tree.search(event).expect("a search cannot fail");
    report.matches().iter().map(|number| **number).collect()
}

fn write(
    job: &Job,
    build: f64,
    bytes: u64,
    ways: [(&str, Way); 2],
    found: Vec<Vec<u64>>,
) -> Result<(), Box<dyn Error>> {
    let ways: BTreeMap<&str, Value> = ways
        .into_iter()
        .map(|(name, way)| (name, json!({"events": way.events, "seconds": way.seconds})))
        .collect();
    let result = json!({
        "version": "0.6.1",
        "build": build,
        "bytes": bytes,
        "ways": ways,
        "matches": found,
    });
    std::fs::write(&job.result, serde_json::to_vec(&result)?)?;
    Ok(())
}
