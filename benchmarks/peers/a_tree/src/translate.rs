//! From the neutral form to a-tree's expressions and typed attributes.
//!
//! A name must be declared with one type; a number with a fraction makes it a decimal, and its integers too.

use a_tree::AttributeDefinition;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    Integer,
    Decimal,
}

pub enum Attribute {
    Text(String),
    Integer(i64),
    Decimal(i64, u32),
}

impl Kind {
    pub fn definition(self, name: &str) -> AttributeDefinition {
        match self {
            Self::Text => AttributeDefinition::string(name),
            Self::Integer => AttributeDefinition::integer(name),
            Self::Decimal => AttributeDefinition::float(name),
        }
    }

    fn of(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(_) => Ok(Self::Text),
            Value::Number(number) if number.is_i64() => Ok(Self::Integer),
            Value::Number(_) => Ok(Self::Decimal),
            other => Err(format!("no type for {other}")),
        }
    }
}

/// The type of each name, over everything that will be said about it.
pub fn kinds(subscriptions: &[Value], events: &[Value]) -> Result<BTreeMap<String, Kind>, String> {
    let mut kinds = BTreeMap::new();
    let mut add = |name: &str, value: &Value| {
        let kind = Kind::of(value)?;
        match (kinds.insert(name.to_string(), kind), kind) {
            (Some(Kind::Decimal), Kind::Integer) => {
                kinds.insert(name.to_string(), Kind::Decimal);
            }
            (None, _) | (Some(Kind::Integer), Kind::Decimal) => {}
            (Some(before), now) if before == now => {}
            _ => return Err(format!("{name} is both text and a number")),
        }
        Ok(())
    };
    for constraint in subscriptions.iter().flat_map(|each| each.as_array().into_iter().flatten()) {
        add(constraint[0].as_str().ok_or("a name is a string")?, &constraint[2])?;
    }
    for (name, value) in events.iter().flat_map(|each| each.as_object().into_iter().flatten()) {
        add(name, value)?;
    }
    Ok(kinds)
}

/// A subscription in the language of the library.
pub fn expression(subscription: &Value, kinds: &BTreeMap<String, Kind>) -> Result<String, String> {
    let constraints = subscription.as_array().ok_or("a subscription is an array")?;
    let parts: Result<Vec<String>, String> = constraints.iter().map(|each| condition(each, kinds)).collect();
    Ok(parts?.join(" and "))
}

fn condition(constraint: &Value, kinds: &BTreeMap<String, Kind>) -> Result<String, String> {
    let (name, operator) = match (&constraint[0], &constraint[1]) {
        (Value::String(name), Value::String(operator)) => (name, operator.as_str()),
        _ => return Err(format!("not a constraint: {constraint}")),
    };
    if !matches!(operator, "=" | "<" | "<=" | ">" | ">=") {
        return Err(format!("no translation for {operator}"));
    }
    let value = match &constraint[2] {
        // Escapes are kept as they are written, so there is no way to say these.
        Value::String(text) if text.contains(['\'', '"', '\\']) => return Err(format!("cannot write {text}")),
        Value::String(text) => format!("'{text}'"),
        number if kinds[name] == Kind::Decimal && number.is_i64() => format!("{number}.0"),
        number => number.to_string(),
    };
    Ok(format!("{name} {operator} {value}"))
}

/// An event as names and values, before the tree has seen it.
pub fn attributes(event: &Value, kinds: &BTreeMap<String, Kind>) -> Result<Vec<(String, Attribute)>, String> {
    let pairs = event.as_object().ok_or("an event is an object")?;
    pairs
        .iter()
        .map(|(name, value)| {
            let attribute = match value {
                Value::String(text) => Attribute::Text(text.clone()),
                number if kinds[name] == Kind::Decimal => decimal(&number.to_string())?,
                number => Attribute::Integer(number.as_i64().ok_or(format!("{number} is too large"))?),
            };
            Ok((name.clone(), attribute))
        })
        .collect()
}

fn decimal(text: &str) -> Result<Attribute, String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    let number = digits.parse().map_err(|_| format!("cannot write {text} as a decimal"))?;
    Ok(Attribute::Decimal(number, fraction.len() as u32))
}
