//! A transaction of either database, and the values that go in and out of it.

use std::str::FromStr;

use async_trait::async_trait;

use crate::{ProfileKind, SessionKind, StoreError};

pub(super) type Result<T> = std::result::Result<T, StoreError>;

/// A transaction. SQL is in the common subset of SQLite and Postgres, with parameters
/// written `$1`. `FOR UPDATE …`, always at the end, locks rows where writers are concurrent.
#[async_trait]
pub(crate) trait Tx: Send {
    /// The rows of a statement that returns some.
    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>>;

    /// Runs a statement, and returns the number of rows that it changed.
    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64>;
}

/// A parameter, or a column of a row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    /// `BIGINT`
    Integer(i64),
    /// `DOUBLE PRECISION`
    Real(f64),
    /// `TEXT`
    Text(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        // No number here is larger.
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(i64::from(number))
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(i64::from(flag))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::tx::Value::from($value)),*] };
}
pub(super) use values;

/// The largest number of ids in one statement.
pub(super) const MOST_IDS: usize = 256;

/// The placeholders of a nonempty list, for `IN`, and its parameters. Lengths are rounded up, so
/// that few statements have to be prepared.
pub(super) fn places(list: &[String]) -> (String, Vec<Value>) {
    let n = list.len().next_power_of_two();
    let places: Vec<String> = (1..=n).map(|i| format!("${i}")).collect();
    let last = list.last().into_iter();
    let padded = list.iter().chain(last.cycle());
    let parameters = padded.take(n).map(Into::into).collect();
    (places.join(", "), parameters)
}

/// A row, whose columns are taken from left to right.
#[derive(Debug)]
pub(crate) struct Row(std::vec::IntoIter<Value>);

impl Row {
    pub(crate) fn new(values: Vec<Value>) -> Self {
        Self(values.into_iter())
    }

    /// The next column.
    pub(crate) fn take<T: FromValue>(&mut self) -> Result<T> {
        let value = self.0.next();
        let value = value.ok_or_else(|| StoreError::Broken("a column is missing".to_owned()))?;
        T::from_value(value)
    }
}

/// A type that a column can be read as.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value) -> Result<Self>;
}

fn unexpected<T>(value: &Value) -> Result<T> {
    Err(StoreError::Broken(format!("unexpected value {value:?}")))
}

impl FromValue for String {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Text(text) => Ok(text),
            _ => unexpected(&value),
        }
    }
}

impl FromValue for u64 {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Integer(number) => Self::try_from(number).or_else(|_| unexpected(&value)),
            _ => unexpected(&value),
        }
    }
}

impl FromValue for u32 {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Integer(number) => Self::try_from(number).or_else(|_| unexpected(&value)),
            _ => unexpected(&value),
        }
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Integer(number) => Ok(number != 0),
            _ => unexpected(&value),
        }
    }
}

impl FromValue for f64 {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Real(number) => Ok(number),
            _ => unexpected(&value),
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Null => Ok(None),
            _ => T::from_value(value).map(Some),
        }
    }
}

/// Enums are stored under their names.
macro_rules! named {
    ($($type:ty: $parse:expr),+ $(,)?) => {
        $(
            impl FromValue for $type {
                fn from_value(value: Value) -> Result<Self> {
                    let Value::Text(name) = &value else { return unexpected(&value) };
                    $parse(name).map_or_else(|| unexpected(&value), Ok)
                }
            }

            impl From<$type> for Value {
                fn from(value: $type) -> Self {
                    Self::from(value.name())
                }
            }
        )+
    };
}

fn parsed<T: FromStr>(name: &str) -> Option<T> {
    name.parse().ok()
}

named! {
    protocol::Seat: parsed,
    protocol::MatchStatus: parsed,
    protocol::MatchResult: parsed,
    ProfileKind: ProfileKind::from_name,
    SessionKind: SessionKind::from_name,
}

/// The rows of a list, each read by `read`.
pub(super) fn all<T>(rows: Vec<Row>, read: impl Fn(&mut Row) -> Result<T>) -> Result<Vec<T>> {
    rows.into_iter().map(|mut row| read(&mut row)).collect()
}

/// The only row, if there is one, read by `read`.
pub(super) fn one<T>(rows: Vec<Row>, read: impl Fn(&mut Row) -> Result<T>) -> Result<Option<T>> {
    rows.into_iter()
        .next()
        .map(|mut row| read(&mut row))
        .transpose()
}
