use std::str::FromStr;

/// An unsigned integer that [`parse_decimal`] can read.
pub trait Decimal: FromStr {}

impl Decimal for u8 {}
impl Decimal for u16 {}
impl Decimal for u32 {}
impl Decimal for u64 {}
impl Decimal for usize {}

/// Parses a whole number in its canonical form: digits, no sign, no leading zero.
/// Text forms are strict, so that equal values have equal texts.
///
/// ```
/// use rules::parse_decimal;
///
/// assert_eq!(parse_decimal::<u8>("42"), Some(42));
/// assert_eq!(parse_decimal::<u8>("042"), None);
/// assert_eq!(parse_decimal::<u8>("+42"), None);
/// assert_eq!(parse_decimal::<u8>("256"), None);
/// ```
#[must_use]
pub fn parse_decimal<T: Decimal>(text: &str) -> Option<T> {
    let is_proper = match text.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if is_proper { text.parse().ok() } else { None }
}

/// Parses a whole number like [`parse_decimal`], with a minus sign allowed before
/// anything but zero.
///
/// ```
/// use rules::parse_integer;
///
/// assert_eq!(parse_integer("-2"), Some(-2));
/// assert_eq!(parse_integer("-0"), None);
/// ```
#[must_use]
pub fn parse_integer(text: &str) -> Option<i32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let size: u32 = parse_decimal(digits)?;
    if size == 0 && digits.len() < text.len() {
        return None;
    }
    text.parse().ok()
}
