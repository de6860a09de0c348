//! What the rule sheets say about the look of each game.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use expect_test::expect_file;
use rules::Record;
use view::{
    AnyTable, Click, Color, Form, Language, Look, Paint, Picture, Scene, Table, Theme, Words,
};

/// A table after the given moves.
fn after<G: Picture>(position: &str, moves: &str) -> Table<G> {
    let position: G = position
        .parse()
        .unwrap_or_else(|e| panic!("{position}: {e}"));
    let mut record = Record::from_position(position);
    for m in moves.split_whitespace() {
        let m = m.parse().unwrap_or_else(|e| panic!("{m}: {e}"));
        record.play(m).unwrap_or_else(|e| panic!("{e}"));
    }
    let table = Table::new(record.position().clone()).ended(record.ending());
    match (record.position_before(), record.last_move()) {
        (Some(before), Some(m)) => table.after(before.clone(), m),
        _ => table,
    }
}

fn start<G: Picture>() -> String {
    G::start(&G::Setup::default()).unwrap().to_string()
}

fn scene(table: &impl AnyTable) -> Scene {
    table.scene(&Look::new(&Words::of(Language::English)))
}

fn n_filled(scene: &Scene, color: Color) -> usize {
    let shapes = scene.nodes.iter().flat_map(|node| node.shapes.iter());
    shapes
        .filter(|shape| shape.fill == Some(Paint::Solid(color)))
        .count()
}

#[test]
fn lilypads_a_click_on_the_start_lights_it_and_the_entries() {
    let mut table = after::<lilypads::Lilypads>("#42 - - first", "");
    assert_eq!(n_filled(&scene(&table), Color::PadLit), 0);
    assert_eq!(table.click("0"), Click::Picked);
    let entries = table.picked();
    assert_eq!(entries, ["0"]);
    let position: lilypads::Lilypads = "#42 - - first".parse().unwrap();
    let n_entries = position
        .graph()
        .neighbors(lilypads::Circle::new(0).unwrap())
        .len();
    assert_eq!(n_filled(&scene(&table), Color::PadLit), n_entries);
    // Again, elsewhere, or the background: nothing is lit any more.
    assert_eq!(table.click("0"), Click::Cleared);
    assert_eq!(n_filled(&scene(&table), Color::PadLit), 0);
    assert_eq!(table.click("0"), Click::Picked);
    assert_eq!(table.click("29"), Click::Cleared);
    assert_eq!(table.click("0"), Click::Picked);
    assert_eq!(table.click("nowhere"), Click::Cleared);
    assert_eq!(table.click("nowhere"), Click::Nothing);
}

#[test]
fn lilypads_pieces_are_in_proportion_to_their_circles() {
    let table = after::<lilypads::Lilypads>("#42 4,9 21 second", "");
    let scene = scene(&table);
    for id in ["4", "9", "21"] {
        let target = scene.target(id).unwrap();
        let node = scene
            .nodes
            .iter()
            .find(|node| node.key.is_some() && node.at == target.at);
        let radius = match node.unwrap().shapes[1].form {
            Form::Circle { radius, .. } => radius,
            _ => panic!("a piece is round"),
        };
        let view::Outline::Circle(whole) = target.outline else {
            panic!("circles are round");
        };
        assert!((radius / whole - 0.57).abs() < 1e-9);
    }
}

#[test]
fn nonaga_tiles_mesh_as_the_sheet_has_it() {
    let scene = scene(&after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), ""));
    let at = |id: &str| scene.target(id).unwrap().at;
    let step = at("1,0") - at("0,0");
    assert!((step.x - 57.0).abs() < 1e-9);
    assert!((step.y - 38.0 * 3_f64.sqrt() / 2.0).abs() < 1e-9);
    assert!((at("0,1").y - 38.0 * 3_f64.sqrt()).abs() < 1e-9);
}

#[test]
fn nonaga_moves_take_800_ms_and_the_view_follows() {
    let words = Words::of(Language::English);
    let look = Look::new(&words);
    let slide = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "2,-2>-1,1");
    assert_eq!(slide.plan(&look).duration(), 800.0);
    let shift = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "2,-2>-1,1 #1,-2>-3,1");
    let plan = shift.plan(&look);
    assert_eq!(plan.duration(), 800.0);
    let view = scene(&shift).view;
    assert!(
        plan.view(view, 0.0).center().x > view.center().x,
        "it drifts to the left"
    );
}

#[test]
fn nonaga_only_tiles_that_may_be_shifted_can_be_picked() {
    let mut table = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "2,-2>-1,1");
    assert_eq!(table.click("2,0"), Click::Nothing, "a piece stands on it");
    assert_eq!(table.click("1,-2"), Click::Picked);
    assert_eq!(
        table.click("0,0"),
        Click::Picked,
        "another tile is taken instead"
    );
    assert_eq!(table.picked(), ["0,0"]);
}

#[test]
fn takeover_the_pieces_that_will_turn_are_told() {
    let words = Words::of(Language::English);
    let mut table = after::<takeover::Takeover>("6/6/2x3/3o2/6/6 x 0 1", "");
    assert_eq!(table.click("c4"), Click::Picked);
    let look = Look {
        hover: Some("d4"),
        ..Look::new(&words)
    };
    assert_eq!(
        table.advice(&look),
        "Drop on d4: one new piece, and Yellow loses 1."
    );
    assert_eq!(table.click("d4"), Click::Move("d4".to_owned()));
}

#[test]
fn takeover_a_blocked_player_is_told_so() {
    let words = Words::of(Language::English);
    let table = after::<takeover::Takeover>("x5/6/6/6/6/5o x 0 1", "");
    assert_eq!(table.verdict(&words), None);
    let blocked = "xxx3/xxx3/xxo3/6/6/6 x 0 1";
    let table = after::<takeover::Takeover>(blocked, "c3");
    assert_eq!(
        table.verdict(&words).unwrap(),
        "Yellow has no move left, 0 pieces to 10."
    );
}

#[test]
fn simply_go_captured_stones_linger_as_ghosts_for_one_move() {
    let start = "9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100";
    let ghosts = |moves: &str| {
        let scene = scene(&after::<simply_go::SimplyGo>(start, moves));
        let is_ghost =
            |node: &&view::Node| node.key.is_some_and(|key| key.kind == view::Kind::Ghost);
        scene.nodes.iter().filter(is_ghost).count()
    };
    assert_eq!(ghosts("A2 A1"), 0);
    assert_eq!(ghosts("A2 A1 B1"), 1);
    assert_eq!(ghosts("A2 A1 B1 E5"), 0);
}

#[test]
fn simply_go_a_point_that_can_not_be_played_is_refused_with_a_reason() {
    let start = "9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100";
    let words = Words::of(Language::English);
    let mut table = after::<simply_go::SimplyGo>(start, "A2 A1 B1");
    assert_eq!(table.click("A1"), Click::Nothing);
    let refusal = table.refusal("A1", &words).unwrap();
    assert_eq!(
        refusal,
        "That point is inside a fort. Nobody may play there."
    );
    assert_eq!(
        table.refusal("B1", &words).unwrap(),
        "There is a stone on that point."
    );
    assert_eq!(table.refusal("E5", &words), None);
}

/// The pictures of the README, and whether they still look as they did.
#[test]
fn pictures_for_the_documents() {
    let draw = |table: &dyn AnyTable| {
        let words = Words::of(Language::English);
        view::svg(&table.scene(&Look::new(&words)), Theme::Light)
    };
    let mut pond = after::<lilypads::Lilypads>("#42 4,9 21 first", "");
    pond.click("9");
    expect_file!["../../../docs/pictures/lilypads.svg"].assert_eq(&draw(&pond));
    let mut tiles = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "2,-2>-1,1");
    tiles.click("1,-2");
    expect_file!["../../../docs/pictures/nonaga.svg"].assert_eq(&draw(&tiles));
    let mut squares = after::<takeover::Takeover>("xx4/xx1-2/2x1o1/1-1oo1/3-oo/4oo x 0 4", "");
    squares.click("c4");
    expect_file!["../../../docs/pictures/takeover.svg"].assert_eq(&draw(&squares));
    let stones = after::<simply_go::SimplyGo>(
        "9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100",
        "E6 E5 D5 G7 F5 C3 E4 G3",
    );
    expect_file!["../../../docs/pictures/simply-go.svg"].assert_eq(&draw(&stones));
}
