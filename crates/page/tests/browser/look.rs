//! What the rule sheets say about the look, as far as it needs a browser.

use serde_json::{Value, json};

use super::{
    chromium::{DESK, Device},
    matches::{choose, short_win},
    table::{Hand, Table, clicks, run_steps, site},
};

fn ids(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn text(table: &mut Table, selector: &str) -> String {
    let script = format!("document.querySelector('{selector}')?.textContent ?? ''");
    table.browser.eval(&script).as_str().unwrap().to_owned()
}

fn color(table: &mut Table, selector: &str) -> String {
    let script = format!("getComputedStyle(document.querySelector('{selector}')).color");
    table.browser.eval(&script).as_str().unwrap().to_owned()
}

const BLUE: &str = "rgb(27, 86, 180)";
const RED: &str = "rgb(179, 26, 43)";

#[test]
fn lilypads_shows_holdings_whose_turn_it_is_and_who_wins() {
    let mut table = Table::open(DESK, "#/lilypads?board=42&opponent=human&speed=0");
    let held = "[...document.querySelectorAll('.hold')].map(e => e.querySelectorAll('.tk:not(.gone)').length)";
    // The far player's card comes first.
    assert_eq!(table.browser.eval(held), json!([3, 3]));
    assert_eq!(color(&mut table, ".pc.on b"), BLUE);
    table.play(Hand::Mirror, &ids(&["0", "3"]));
    table.rest();
    assert_eq!(table.browser.eval(held), json!([3, 2]));
    assert_eq!(color(&mut table, ".pc.on b"), RED);
    for _ in 0..2 {
        table
            .browser
            .eval("document.querySelector('#resign').click()");
    }
    assert_eq!(text(&mut table, ".res h2"), "Blue wins");
    assert_eq!(color(&mut table, ".res h2"), BLUE);
}

#[test]
fn takeover_shows_the_counts_of_both_sides() {
    let mut table = Table::open(DESK, "#/takeover?board=7&opponent=human&speed=0");
    let counts = "[...document.querySelectorAll('.pc .ct-n b')].map(e => e.textContent)";
    assert_eq!(table.browser.eval(counts), json!(["4", "4"]));
    table.play(Hand::Mirror, &ids(&["b5", "c4"]));
    table.rest();
    assert_eq!(table.browser.eval(counts), json!(["4", "5"]));
}

#[test]
fn simply_go_shows_captures_what_is_left_and_why_a_point_is_refused() {
    let fragment = "#/simply-go?size=9&mode=moves:40&opponent=human&speed=0";
    let mut table = Table::open(DESK, fragment);
    let captures = "[...document.querySelectorAll('.pc .sp + .ct-n b')].map(e => e.textContent)";
    let facts = "[...document.querySelectorAll('.facts dd')].map(e => e.textContent)";
    assert_eq!(table.browser.eval(facts)[0], "40");
    for id in ["A2", "A1", "B1"] {
        table.play(Hand::Mirror, &ids(&[id]));
        table.rest();
    }
    assert_eq!(table.browser.eval(captures), json!(["0", "1"]));
    assert_eq!(table.browser.eval(facts)[0], "37");
    table.play(Hand::Mirror, &ids(&["A1"]));
    let notice = "That point is inside a fort. Nobody may play there.";
    assert_eq!(text(&mut table, ".msg p"), notice);
    // It stays for a short time.
    table.browser.wait(&format!(
        "document.querySelector('.msg p').textContent !== '{notice}'"
    ));
    table.press_pass();
    table.rest();
    assert!(table.data("fen").contains(" b 1:0 4 1 "));
    table
        .browser
        .eval("document.querySelector('#undo').click()");
    table.rest();
    assert!(table.data("fen").contains(" w 1:0 3 0 "));
}

/// Goes from home to `fragment`, and tells what was seen of the drawing of lots.
fn watch_lots(device: Device, fragment: &str) -> Value {
    let mut table = Table::open(device, "");
    let script = format!(
        "new Promise(done => {{ let seen = null; const since = performance.now(); \
            const look = () => {{ \
                const lots = [...document.querySelectorAll('.lot')]; \
                const mirror = document.querySelector('.mirror'); \
                if (lots.length && !seen) {{ \
                    const style = lots.map(e => getComputedStyle(e)); \
                    seen = {{n: lots.length, names: style.map(s => s.animationName), times: style.map(s => s.animationDuration), \
                        busy: mirror.dataset.busy, seats: [...document.querySelectorAll('.pc .nm b')].map(e => e.textContent.trim())}}; }} \
                if (mirror?.dataset.busy === 'false' && !lots.length) {{ observer.disconnect(); \
                    done(seen && {{...seen, time: performance.now() - since}}); }} }}; \
            const observer = new MutationObserver(look); \
            observer.observe(document, {{subtree: true, childList: true, attributes: true}}); \
            location.hash = '{fragment}'; }})"
    );
    table.browser.eval(&script)
}

#[test]
fn nonaga_draws_the_color_by_lot_for_1200_ms() {
    // With this seed it is the person who begins.
    let fragment = "#/nonaga?opponent=classic&seed=1";
    let seen = watch_lots(DESK, fragment);
    assert_eq!(seen["n"], 2, "{seen}");
    assert_eq!(seen["names"], json!(["lot-a", "lot-b"]));
    assert_eq!(seen["times"], json!(["1.2s", "1.2s"]));
    assert_eq!(seen["busy"], "true");
    assert_eq!(seen["seats"], json!(["…", "…"]), "nobody knows yet");
    assert!(seen["time"].as_f64().unwrap() >= 1180.0, "{seen}");
    let calm = Device {
        is_calm: true,
        ..DESK
    };
    assert_eq!(watch_lots(calm, fragment), Value::Null);
    let chosen = "#/nonaga?opponent=classic&color=first";
    assert_eq!(watch_lots(DESK, chosen), Value::Null);
}

const PICTURE: &str = "document.querySelector('.board canvas').toDataURL()";

/// The color in the middle of a target on the canvas.
fn pixel(table: &mut Table, id: &str) -> Value {
    let script = format!(
        "(() => {{ const canvas = document.querySelector('.board canvas'), c = canvas.getBoundingClientRect(); \
         const r = document.querySelector('.mirror [data-target=\"{id}\"]').getBoundingClientRect(); \
         const scale = canvas.width / c.width; \
         const at = canvas.getContext('2d').getImageData((r.x + r.width / 2 - c.x) * scale, (r.y + r.height * 0.35 - c.y) * scale, 1, 1); \
         return [...at.data]; }})()"
    );
    table.browser.eval(&script)
}

#[test]
fn nonaga_a_win_fades_the_rest_and_confetti_falls_unless_motion_is_unwanted() {
    let (mut moves, _) = short_win();
    let last = moves.pop().unwrap();
    for is_calm in [false, true] {
        let mut table = Table::open(Device { is_calm, ..DESK }, "#/nonaga?opponent=human");
        for clicks in &moves {
            table.play(Hand::Mirror, clicks);
            table.rest();
        }
        // A piece of the one who is about to lose.
        let fen = table.data("fen");
        let turn = if table.data("turn") == "first" { 2 } else { 1 };
        let loser = fen.split(' ').nth(turn).unwrap();
        let loser = loser.split(';').next().unwrap().to_owned();
        let before = pixel(&mut table, &loser);
        table.play(Hand::Mirror, &last);
        table.rest();
        assert_ne!(table.data("result"), "none");
        table
            .browser
            .eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        if is_calm {
            // Nothing falls over it that could look the same.
            assert_ne!(pixel(&mut table, &loser), before, "it fades");
            let still = format!(
                "new Promise(done => {{ const before = {PICTURE}; \
                 setTimeout(() => done(before === {PICTURE}), 600); }})"
            );
            assert_eq!(table.browser.eval(&still), true, "nothing falls");
        } else {
            table
                .browser
                .eval(&format!("globalThis.before = {PICTURE}; 0"));
            table.browser.wait(&format!("before !== {PICTURE}"));
            table.browser.screenshot("nonaga-confetti");
            // In the end all is quiet.
            table.browser.wait(&format!(
                "new Promise(done => {{ const before = {PICTURE}; \
                 setTimeout(() => done(before === {PICTURE}), 300); }})"
            ));
        }
    }
}

/// How two pieces on the canvas differ: in mean color, in mean lightness, and in the
/// share of places where one is lighter than its own mean and the other is not.
const DIFFERENCE: &str = "(a, b) => { \
    const canvas = document.querySelector('.board canvas'), c = canvas.getBoundingClientRect(), scale = canvas.width / c.width; \
    const size = 24; \
    const look = id => { \
        const r = document.querySelector(`.mirror [data-target=\"${id}\"]`).getBoundingClientRect(); \
        const small = new OffscreenCanvas(size, size).getContext('2d'); \
        const side = r.width * 0.5 * scale, x = (r.x + r.width / 2 - c.x) * scale - side / 2, y = (r.y + r.height / 2 - c.y) * scale - side / 2; \
        small.drawImage(canvas, x, y, side, side, 0, 0, size, size); \
        const data = small.getImageData(0, 0, size, size).data; \
        const colors = [...Array(size * size).keys()].map(n => [...data.slice(4 * n, 4 * n + 3)]); \
        const light = colors.map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b); \
        const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length; \
        const middle = mean(light); \
        return {color: [0, 1, 2].map(k => mean(colors.map(color => color[k]))), light: middle, mark: light.map(l => l > middle)}; }; \
    const p = look(a), q = look(b); \
    return [Math.hypot(...p.color.map((v, k) => v - q.color[k])), Math.abs(p.light - q.light), \
        p.mark.filter((m, n) => m !== q.mark[n]).length / p.mark.length]; }";

#[test]
fn with_forced_colors_pieces_differ_and_controls_have_outlines() {
    let cases = [
        (
            "lilypads?board=42",
            &[&["0", "3"][..], &["29", "27"]][..],
            "3",
            "27",
        ),
        ("nonaga?variant=standard", &[], "2,-2", "2,0"),
        ("takeover?board=7", &[], "a6", "f1"),
        ("simply-go?size=9", &[&["E5"], &["C3"]], "E5", "C3"),
    ];
    for scheme in ["light", "dark"] {
        let forced = Device {
            has_forced_colors: true,
            scheme,
            ..DESK
        };
        for (game, moves, a, b) in cases {
            let mut table = Table::open(forced, &format!("#/{game}&opponent=human&speed=0"));
            for clicks in moves {
                table.play(Hand::Mirror, &ids(clicks));
                table.rest();
            }
            table.browser.eval(
                "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
            );
            let found = table.browser.eval(&format!("({DIFFERENCE})('{a}', '{b}')"));
            let [color, light, mark] = [0, 1, 2].map(|n| found[n].as_f64().unwrap());
            assert!(color > 60.0, "{game}: {found}");
            // Whoever sees no colors sees lightness or marks.
            assert!(light > 60.0 || mark > 0.05, "{game}: {found}");
            assert_outlined(&mut table, game);
            table.browser.eval("document.querySelector('#new').click()");
            table.browser.wait("document.querySelector('.sheet')");
            assert_outlined(&mut table, "the sheet");
        }
        let mut table = Table::open(forced, "");
        assert_outlined(&mut table, "home");
        table.browser.screenshot(&format!("forced-{scheme}"));
    }
}

/// What can be used shows a line around it or words, and parts that lie on the page
/// have an edge.
#[track_caller]
fn assert_outlined(table: &mut Table, place: &str) {
    let script = "[...document.querySelectorAll('button, input:not([type=radio]), .tb, .seg, .sheet, .help, .pc')] \
        .filter(e => !e.closest('.mirror') && e.checkVisibility()) \
        .filter(e => { const s = getComputedStyle(e); \
            return !(parseFloat(s.borderTopWidth) >= 1 && s.borderTopStyle !== 'none' && s.borderTopColor !== s.backgroundColor); }) \
        .map(e => e.outerHTML.slice(0, 90))";
    assert_eq!(
        table.browser.eval(script),
        Value::Array(Vec::new()),
        "{place}"
    );
    let script = "(() => { const ground = getComputedStyle(document.body).backgroundColor; \
        return [...document.querySelectorAll('a, button, label, h2, p')] \
        .filter(e => !e.closest('.mirror') && e.checkVisibility() && e.innerText?.trim()) \
        .filter(e => { const s = getComputedStyle(e); const own = s.backgroundColor; \
            return s.color === (own === 'rgba(0, 0, 0, 0)' ? ground : own); }) \
        .map(e => e.outerHTML.slice(0, 90)); })()";
    assert_eq!(
        table.browser.eval(script),
        Value::Array(Vec::new()),
        "{place}"
    );
}

#[test]
fn clicks_out_of_turn_change_nothing() {
    for (game, choices) in [
        ("lilypads", &[("board", "42")][..]),
        ("nonaga", &[]),
        ("takeover", &[("board", "7")]),
        ("simply-go", &[("size", "9")]),
    ] {
        let mut fragment = format!("#/{game}?opponent=level-8&color=first&speed=0&seed=3");
        for (name, value) in choices {
            fragment += &format!("&{name}={value}");
        }
        let mut table = Table::open(DESK, &fragment);
        table.rest();
        // The whole turn of the person.
        let mut playing = catalog::find(game).unwrap().start(choices).unwrap();
        let mut random = rules::Random::new(1);
        let mut clicked = Vec::new();
        while playing.turn() == rules::Player::First {
            let m = choose(&*playing, &mut random);
            clicked.extend(clicks(&*playing, &m));
            playing.play(&m).unwrap();
        }
        // All within one task, so that no answer of the worker can come between:
        // every place by its button and by the pointer, and the pass.
        let script = format!(
            "await go({}); const look = () => [...state(), mirror.dataset.turn, document.querySelectorAll('.key span').length, \
                 document.querySelectorAll('.mv li span').length, document.querySelector('.msg p').textContent]; \
             const before = look(); const canvas = document.querySelector('.board canvas'); \
             for (const button of [...mirror.querySelectorAll('button')]) {{ \
                 button.click(); await settle(); \
                 const r = button.getBoundingClientRect(); \
                 for (const kind of ['pointerdown', 'pointerup']) {{ \
                     canvas.dispatchEvent(new PointerEvent(kind, {{bubbles: true, pointerId: 1, isPrimary: true, button: 0, \
                         clientX: r.x + r.width / 2, clientY: r.y + r.height / 2}})); await settle(); }} }} \
             document.querySelector('[data-target=pass]')?.click(); await settle(); \
             return [before, look()];",
            json!(clicked)
        );
        let found = run_steps(&mut table, &script);
        assert_eq!(found[0][0], "true", "{game}: the machine thinks");
        assert_eq!(found[0][1], playing.position(), "{game}");
        assert_eq!(found[0][3], "second", "{game}");
        assert_eq!(found[0], found[1], "{game}");
        table.rest();
        assert_eq!(table.data("turn"), "first", "{game}");
        assert_eq!(table.browser.complaints, [""; 0]);
    }
}

/// Whatever way leads to a match of Lilypads, its board is one that is known to be
/// fair.
#[test]
fn lilypads_begins_on_fair_boards() {
    let fair = catalog::find("lilypads").unwrap().fair_boards();
    let is_fair = |address: &Value| {
        let address = address.as_str().unwrap();
        let (_, number) = address.split_once("board=").unwrap_or_default();
        let number = number.split('&').next().unwrap_or_default();
        assert!(
            number.parse().is_ok_and(|number| fair.contains(&number)),
            "{address}"
        );
    };
    let mut table = Table::open(DESK, "");
    for _ in 0..5 {
        table.browser.open(site());
        let link = "document.querySelector('.tb[data-game=lilypads]').hash";
        is_fair(&table.browser.eval(link));
        // From the home screen.
        table
            .browser
            .eval("document.querySelector('.tb[data-game=lilypads]').click()");
        table.browser.wait("document.querySelector('.mirror')");
        is_fair(&table.browser.eval("location.hash"));
        // From another game, by the list and by the sheet.
        table
            .browser
            .open(&format!("{}#/nonaga?opponent=human&speed=0", site()));
        let link = "document.querySelector('.nav a[href*=lilypads]').hash";
        is_fair(&table.browser.eval(link));
        table.browser.eval("document.querySelector('#new').click()");
        table.browser.wait("document.querySelector('.sheet')");
        table
            .browser
            .eval("document.querySelector('.sheet input[value=lilypads]').click()");
        table
            .browser
            .wait("document.querySelector('#option-board')");
        table
            .browser
            .eval("document.querySelector('#start').click()");
        table
            .browser
            .wait("document.querySelector('.mirror').dataset.game === 'lilypads'");
        is_fair(&table.browser.eval("location.hash"));
        // And when another board is asked for, instead of one that is not fair or is
        // none at all.
        table.browser.eval("document.querySelector('#new').click()");
        table.browser.wait("document.querySelector('.sheet')");
        let unfair = (1..).find(|number| !fair.contains(number)).unwrap();
        let typed = |text: &str| {
            format!(
                "(() => {{ const field = document.querySelector('#option-board'); field.value = '{text}'; \
                 field.dispatchEvent(new Event('change')); return field.value; }})()"
            )
        };
        let unfair = unfair.to_string();
        assert_eq!(table.browser.eval(&typed(&unfair)), unfair.as_str());
        for nonsense in ["007", "abc", "-1", ""] {
            assert_eq!(table.browser.eval(&typed(nonsense)), unfair.as_str());
        }
        table
            .browser
            .eval("document.querySelector('.fld .btn').click()");
        table
            .browser
            .eval("document.querySelector('#start').click()");
        table.browser.wait("!document.querySelector('.sheet')");
        is_fair(&table.browser.eval("location.hash"));
    }
}
