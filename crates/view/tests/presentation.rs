//! How games are presented around their boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use lilypads::Lilypads;
use nonaga::Nonaga;
use rules::{Game, MatchSetup, Record};
use simply_go::SimplyGo;
use takeover::Takeover;
use view::{AnyTable, Color, Picture, Presentation, Steps, Table};

const ALL: [Presentation; 4] = [
    Lilypads::PRESENTATION,
    Nonaga::PRESENTATION,
    Takeover::PRESENTATION,
    SimplyGo::PRESENTATION,
];

fn table<G: Picture>(position: &str) -> Table<G> {
    let Ok(position) = position.parse() else {
        panic!("{position} is no position");
    };
    Table::new(position)
}

fn start<G: Picture>() -> Table<G> {
    Table::new(G::start(&G::Setup::default()).unwrap())
}

#[test]
fn the_machine_takes_as_long_as_the_sheets_say() {
    assert_eq!(
        ALL.map(|game| game.answer_time),
        [500.0, 800.0, 300.0, 300.0]
    );
}

#[test]
fn colors_are_drawn_by_lot_where_the_sheet_says_so() {
    assert_eq!(ALL.map(|game| game.draws_lots), [false, true, false, false]);
}

#[test]
fn only_where_a_pass_is_a_turn_like_any_other_its_button_is_always_there() {
    assert_eq!(
        ALL.map(|game| game.always_shows_pass),
        [false, false, false, true]
    );
    assert!(start::<SimplyGo>().pass().is_some());
    assert!(start::<Lilypads>().pass().is_none());
    assert!(start::<Nonaga>().pass().is_none());
    assert!(start::<Takeover>().pass().is_none());
}

#[test]
fn confetti_falls_in_the_players_colors_where_the_sheet_says_so() {
    let has_confetti = ALL.map(|game| !game.confetti.is_empty());
    assert_eq!(has_confetti, [false, true, false, false]);
    for color in [Color::TileFirst, Color::TileSecond] {
        assert!(Nonaga::PRESENTATION.confetti.contains(&color));
    }
}

fn check_miniature<G: Picture>() {
    let mut setup = G::Setup::default();
    for (name, value) in G::PRESENTATION.miniature {
        setup.set(name, value).unwrap();
    }
    G::start(&setup).unwrap();
}

#[test]
fn a_small_board_can_be_set_up() {
    check_miniature::<Lilypads>();
    check_miniature::<Nonaga>();
    check_miniature::<Takeover>();
    check_miniature::<SimplyGo>();
}

fn headline<G: Picture>() -> Option<&'static str> {
    let headline = G::PRESENTATION.headline?;
    let options = G::Setup::options();
    assert!(options.iter().any(|option| option.name == headline));
    Some(headline)
}

#[test]
fn the_number_of_a_pond_stands_beside_its_title() {
    assert_eq!(headline::<Lilypads>(), Some("board"));
    assert_eq!(headline::<Nonaga>(), None);
    assert_eq!(headline::<Takeover>(), None);
    assert_eq!(headline::<SimplyGo>(), None);
}

#[test]
fn every_game_has_a_mark_of_its_own_that_is_partly_filled() {
    let marks: BTreeSet<&str> = ALL.iter().map(|game| game.mark).collect();
    assert_eq!(marks.len(), ALL.len());
    for mark in marks {
        assert_eq!(mark.matches('<').count(), mark.matches("/>").count());
        assert_eq!(mark.matches(r#"class="f""#).count(), 1, "{mark}");
    }
}

#[test]
fn a_turn_of_nonaga_is_a_slide_and_then_a_shift() {
    let steps = |current| Steps {
        names: &["nonaga.step.slide", "nonaga.step.shift"],
        current,
    };
    let mut position = Nonaga::start(&nonaga::Setup::default()).unwrap();
    assert_eq!(Table::new(position.clone()).steps(), Some(steps(0)));
    rules::Position::play(&mut position, "2,-2>-1,1".parse().unwrap()).unwrap();
    assert_eq!(Table::new(position).steps(), Some(steps(1)));
    assert_eq!(start::<Lilypads>().steps(), None);
    assert_eq!(start::<Takeover>().steps(), None);
    assert_eq!(start::<SimplyGo>().steps(), None);
}

#[test]
fn moves_are_listed_as_people_read_them() {
    let tiles = Nonaga::start(&nonaga::Setup::default())
        .unwrap()
        .to_string();
    check_notation::<Nonaga>(&tiles, "2,-2>-1,1", "2,−2 › −1,1");
    let shift = tiles.replace("slide", "shift");
    check_notation::<Nonaga>(&shift, "#1,0>3,-2", "#1,0 › 3,−2");
    check_notation::<Lilypads>("#42 - - first", "@3", "@3");
    check_notation::<Takeover>("6/6/2x3/3o2/6/6 x 0 1", "c5", "c5");
    check_notation::<Takeover>("6/6/2x3/3o2/6/6 x 0 1", "c4a6", "c4-a6");
    let stones = "9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100";
    check_notation::<SimplyGo>(stones, "E5", "E5");
    check_notation::<SimplyGo>(stones, "pass", "pass");
    let ataxx = "x--4/---4/---4/7/7/7/6o x 0 1";
    check_notation::<Takeover>(ataxx, "0000", "pass");
}

#[test]
fn the_list_shows_captures_and_conversions() {
    let pond: Lilypads = "#42 - - first".parse().unwrap();
    let from = lilypads::Circle::new(9).unwrap();
    let to = pond.graph().neighbors(from).iter().next().unwrap();
    check_notation::<Lilypads>(
        &format!("#42 9 {to} first"),
        &format!("9-{to}"),
        &format!("9×{to}"),
    );
    let spaced = Table::new(format!("#42 9 {to} first").parse::<Lilypads>().unwrap());
    let m = format!("9-{to}");
    assert_eq!(spaced.read_move(&format!("9 × {to}")), Some(m));
    let squares = "6/6/2x3/3oo1/6/6 x 0 1";
    check_notation::<Takeover>(squares, "d4", "d4 +2");
    check_notation::<Takeover>(squares, "c4e4", "c4-e4 +2");
    let corner = "9/9/9/9/9/9/9/b8/w8 b 0:0 2 0 moves:100";
    check_notation::<SimplyGo>(corner, "B1", "B1 ×1");
}

/// Checks how the list has the move `m`, and that it can be typed that way.
#[track_caller]
fn check_notation<G: Picture>(position: &str, m: &str, listed: &str) {
    let Ok(before) = position.parse::<G>() else {
        panic!("{position} is no position");
    };
    let mut record = Record::from_position(before.clone());
    let parsed = m.parse().ok().unwrap();
    record.play(parsed).unwrap();
    let table = Table::new(record.position().clone()).after(before.clone(), parsed);
    assert_eq!(table.notation().unwrap(), listed);
    let table = Table::new(before);
    for typed in [m, listed, &listed.to_uppercase(), &format!("  {m} ")] {
        assert_eq!(table.read_move(typed).as_deref(), Some(m), "{typed}");
    }
    assert_eq!(table.read_move("nonsense"), None);
}

#[test]
fn what_would_be_a_move_at_once_is_not_taken_up() {
    let stones = start::<SimplyGo>();
    assert!(!stones.takes_up("D4"), "a stone is a whole move");
    let mut squares = table::<Takeover>("xx4/xx4/6/6/4oo/4oo x 0 1");
    assert!(squares.takes_up("b5") && !squares.takes_up("c4"));
    squares.click("b5");
    assert!(squares.takes_up("a6"), "another piece instead");
    assert!(!squares.takes_up("b5"), "a click puts it back");
    assert!(!squares.takes_up("c4"), "a click is a move");
}
