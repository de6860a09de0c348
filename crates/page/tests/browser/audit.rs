//! What assistive programs find.

use serde_json::Value;

#[cfg(feature = "audit")]
use super::chromium::{Device, PHONE};
use super::{chromium::DESK, table::Table};

/// Names, roles and labels, as an audit asks for them.
#[test]
fn everything_has_a_name() {
    for fragment in [
        "",
        "#/takeover?opponent=classic&speed=0",
        "#/simply-go?opponent=human",
    ] {
        let mut table = Table::open(DESK, fragment);
        if !fragment.is_empty() {
            table.rest();
        }
        let nameless = table.browser.eval(
            "[...document.querySelectorAll('button, a, input, [role=img], [role=dialog], [role=group]')] \
             .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.getAttribute('aria-labelledby') || e.querySelector('[aria-label]'))) \
             .map(e => e.outerHTML.slice(0, 120))",
        );
        assert_eq!(nameless, Value::Array(Vec::new()), "{fragment}");
        let ids = table.browser.eval(
            "(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.filter((id, n) => ids.indexOf(id) !== n); })()",
        );
        assert_eq!(ids, Value::Array(Vec::new()), "ids are there once");
        let landmarks = table
            .browser
            .eval("document.querySelectorAll('main').length");
        assert_eq!(landmarks, 1);
        let headings = table.browser.eval("document.querySelectorAll('h1').length");
        assert_eq!(headings, 1);
    }
}

/// Nothing that axe-core finds fault with, on any screen.
#[cfg(feature = "audit")]
#[test]
fn an_audit_finds_nothing() {
    let path = std::env::var_os("PARLOUR_AXE").expect("cargo xtask browser names the script");
    let axe = std::fs::read_to_string(path).unwrap();
    let dark_phone = Device {
        scheme: "dark",
        language: "ja",
        ..PHONE
    };
    let cases = [
        (DESK, "", ""),
        (dark_phone, "", ""),
        (
            DESK,
            "#/lilypads?board=42&opponent=human",
            "target('0').click()",
        ),
        (
            dark_phone,
            "#/nonaga?opponent=human",
            "target('2,-2').click()",
        ),
        (
            DESK,
            "#/takeover?opponent=human",
            "document.querySelector('#new').click()",
        ),
        (
            DESK,
            "#/simply-go?opponent=human&size=25",
            "document.querySelector('#help').click()",
        ),
        (
            dark_phone,
            "#/simply-go?opponent=human&size=9",
            "target('E5').click()",
        ),
        (
            DESK,
            "#/nonaga?opponent=human&speed=0",
            "for (const _ of [1, 2]) document.querySelector('#resign').click()",
        ),
    ];
    for (device, fragment, script) in cases {
        let mut table = Table::open(device, fragment);
        table.browser.eval(&format!("{axe}; 0"));
        let script = format!(
            "(async () => {{ const target = id => document.querySelector(`.mirror [data-target=\"${{id}}\"]`); \
             {script}; await new Promise(done => setTimeout(done, 600)); const found = await axe.run(); \
             return [found.passes.length, found.violations.map(v => v.id + ': ' + v.nodes[0].html)]; }})()"
        );
        let found = table.browser.eval(&script);
        assert!(found[0].as_u64().unwrap() > 10, "{fragment}: {found}");
        assert_eq!(found[1], Value::Array(Vec::new()), "{fragment}");
    }
}
