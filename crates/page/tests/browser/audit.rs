//! What assistive programs find.

use serde_json::{Value, json};

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
        "#/learn",
        "#/learn/lilypads",
        "#/learn/simply-go/9",
    ] {
        let mut table = Table::open(DESK, fragment);
        if fragment.contains("opponent") {
            table.rest();
        }
        if fragment.contains("learn") {
            table.browser.wait_for_element("main");
        }
        let nothing = Value::Array(Vec::new());
        let nameless = table.browser.call("nameless", json!([]));
        assert_eq!(nameless, nothing, "{fragment}");
        let ids = table.browser.call("repeatedIds", json!([]));
        assert_eq!(ids, nothing, "ids are there once");
        assert_eq!(table.browser.count("main"), 1);
        assert_eq!(table.browser.count("h1"), 1);
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
        (DESK, "", &[][..]),
        (dark_phone, "", &[]),
        (
            DESK,
            "#/lilypads?board=42&opponent=human",
            &[("clickTarget", "0")],
        ),
        (
            dark_phone,
            "#/nonaga?opponent=human",
            &[("clickTarget", "2,-2")],
        ),
        (DESK, "#/takeover?opponent=human", &[("click", "#new")]),
        (
            DESK,
            "#/simply-go?opponent=human&size=25",
            &[("click", "#help")],
        ),
        (
            dark_phone,
            "#/simply-go?opponent=human&size=9",
            &[("clickTarget", "E5")],
        ),
        (
            DESK,
            "#/nonaga?opponent=human&speed=0",
            &[("click", "#resign"), ("click", "#resign")],
        ),
        (DESK, "#/learn", &[]),
        (
            dark_phone,
            "#/learn/takeover/4?speed=0",
            &[("click", "#show")],
        ),
        (
            DESK,
            "#/learn/lilypads/2?speed=0",
            &[("clickTarget", "3"), ("clickTarget", "1")],
        ),
        (dark_phone, "#/learn/nonaga/8", &[]),
    ];
    for (device, fragment, steps) in cases {
        let mut table = Table::open(device, fragment);
        if fragment.contains("learn") {
            table.browser.wait_for_element("main");
        }
        table.browser.run(&axe);
        for (function, argument) in steps {
            table.browser.call(function, json!([argument]));
        }
        // What comes up has come up.
        table.browser.call("sleep", json!([600]));
        let found = table.browser.call("audit", json!([]));
        assert!(found[0].as_u64().unwrap() > 10, "{fragment}: {found}");
        assert_eq!(found[1], Value::Array(Vec::new()), "{fragment}");
    }
}
