//! Random and mutated texts go through the fuzz harness.

#[path = "../../../fuzz/online.rs"]
mod online;

use rules::Random;
use testkit::mutations;

const TEXTS: [&str; 22] = [
    r#"{"t":"join","g":"k3","v":4}"#,
    r#"{"t":"turn","g":"k3","id":7,"at":2,"m":["a5b3"],"ms":812}"#,
    r#"{"t":"do","g":"k3","id":7,"what":"accept","of":3}"#,
    r#"{"t":"do","g":"k3","id":7,"what":"claim","as":"draw"}"#,
    r#"{"t":"do","g":"k3","id":7,"what":"say","phrase":3}"#,
    r#"{"t":"seek","id":9007199254740991,"pools":["takeover/3+2"]}"#,
    r#"{"t":"ping","n":18446744073709551615}"#,
    r#"{"t":"ok","id":7,"g":"k3","v":5}"#,
    r#"{"t":"no","id":7,"g":"k3","why":"illegal","v":5,"message":"a"}"#,
    r#"{"t":"here","g":"k3","seat":"first","is":true}"#,
    r#"{"t":"paired","g":"k3","seat":"second"}"#,
    r#"{"t":"over"}"#,
    r#"{"k":"turn","by":"first","m":["a5b3"],"left":58000,"lag":20}"#,
    r#"{"k":"turn","by":"first","m":["a5b3"],"left":18446744073709551615}"#,
    r#"{"k":"offer","by":"first","what":"takeback"}"#,
    r#"{"k":"decline","by":"second","what":"draw","of":3}"#,
    r#"{"k":"takeback","by":"first","n":2}"#,
    r#"{"k":"takeback","by":"first","n":18446744073709551615}"#,
    r#"{"k":"claim","by":"first","as":"win"}"#,
    r#"{"k":"time","to":"second","ms":18446744073709551615}"#,
    r#"{"k":"abort"}"#,
    r#"{"k":"rematch","g":"k4"}"#,
];

#[test]
fn mutated_texts_go_through_the_fuzz_harness() {
    for (seed, text) in (0..).zip(TEXTS) {
        online::messages(text);
        for mutation in mutations(text, seed, 1_000) {
            online::messages(&mutation);
        }
    }
    let mut random = Random::new(1);
    for _ in 0..1_000 {
        let n_bytes = random.below(60);
        let bytes: Vec<_> = (0..n_bytes)
            .map(|_| u8::try_from(random.below(256)).unwrap_or(0))
            .collect();
        online::messages(&String::from_utf8_lossy(&bytes));
    }
}

/// Brackets without end, which must not use up the stack.
#[test]
fn deep_nesting_is_refused() {
    for n in [100, 127, 128, 129, 2_000] {
        online::messages(&"[".repeat(n));
        online::messages(&format!("{{\"t\":\"join\",\"g\":{}", "[".repeat(n)));
        online::messages(&"{\"k\":".repeat(n));
    }
}
