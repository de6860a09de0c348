use std::{error::Error, fmt, str::FromStr};

use rules::Random;

/// Checks that `text` is rejected with a reason, or round-trips.
///
/// # Panics
///
/// Panics if it does neither.
#[track_caller]
pub fn check_parser<T>(text: &str)
where
    T: FromStr<Err: Error> + fmt::Display + fmt::Debug + PartialEq,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>();
            assert!(
                again.as_ref().is_ok_and(|again| *again == value),
                "{text:?} was read and written as {written:?}, which gives {again:?}"
            );
        }
        Err(error) => {
            let reason = error.to_string();
            assert!(!reason.is_empty(), "{text:?} was refused without a reason");
            assert!(!reason.contains('\n'), "one line for {text:?}: {reason:?}");
        }
    }
}

/// `n` texts that differ from `text` by a few random changes: letters dropped,
/// doubled, replaced, swapped, or the end cut off.
pub fn mutations(text: &str, seed: u64, n: usize) -> impl Iterator<Item = String> {
    let mut random = Random::new(seed);
    let original: Vec<char> = text.chars().collect();
    (0..n).map(move |_| {
        let mut letters = original.clone();
        for _ in 0..=random.below(3) {
            mutate(&mut letters, &mut random);
        }
        letters.into_iter().collect()
    })
}

fn mutate(letters: &mut Vec<char>, random: &mut Random) {
    const ODD: &[char] = &[
        ' ', '-', '+', '0', '1', '9', ',', ';', '/', '#', '@', '>', '(', ')', '{', '}', '!', ':',
        '.', 'x', 'o', 'b', 'W', 'A', '\n', '\t', '\0', 'é', '碁', '\u{fffd}',
    ];
    let odd = *random.pick(ODD).unwrap_or(&' ');
    if letters.is_empty() {
        letters.push(odd);
        return;
    }
    let index = random.below(letters.len() as u32) as usize;
    match random.below(6) {
        0 => {
            letters.remove(index);
        }
        1 => letters.insert(index, letters[index]),
        2 => letters[index] = odd,
        3 => letters.insert(index, odd),
        4 => {
            let other = random.below(letters.len() as u32) as usize;
            letters.swap(index, other);
        }
        _ => letters.truncate(index),
    }
}
