//! The look of each game, as the rule sheets describe it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use expect_test::expect_file;
use rules::{Game, Player, Position, Record};
use view::{
    AnyTable, Click, Color, Form, Key, Kind, Language, Look, Node, Paint, Picture, Plan, Pose,
    Rect, Scene, Shape, Table, Theme, Words,
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
    let Some(m) = record.undo() else {
        return table;
    };
    table.after(record.position().clone(), m)
}

fn start<G: Picture>() -> String {
    G::start(&G::Setup::default()).unwrap().to_string()
}

fn scene(table: &impl AnyTable) -> Scene {
    table.scene(&Look::new(&Words::of(Language::English)))
}

fn shapes(scene: &Scene) -> impl Iterator<Item = &Shape> {
    scene.nodes.iter().flat_map(|node| node.shapes.iter())
}

fn n_filled(scene: &Scene, color: Color) -> usize {
    shapes(scene)
        .filter(|shape| shape.fill == Some(Paint::Solid(color)))
        .count()
}

fn n_lined(scene: &Scene, color: Color) -> usize {
    let has_line = |shape: &&Shape| shape.stroke.is_some_and(|stroke| stroke.color == color);
    shapes(scene).filter(has_line).count()
}

/// The name of what may move at a target.
fn key_at(scene: &Scene, id: &str, kind: Kind) -> Key {
    let at = scene.target(id).unwrap().at;
    let mut keys = scene.nodes.iter().filter(|node| node.at == at);
    keys.find_map(|node| node.key.filter(|key| key.kind == kind))
        .unwrap()
}

#[test]
fn lilypads_circles_have_the_colors_of_their_parts() {
    let position: lilypads::Lilypads = "#42 - - first".parse().unwrap();
    let scene = scene(&Table::new(position.clone()));
    assert_eq!((scene.view.width, scene.view.height), (800.0, 800.0));
    let n_with = |paint: Paint| {
        let is_round = |shape: &&Shape| matches!(shape.form, Form::Circle { .. });
        let discs = scene.ground.iter().filter(is_round);
        discs.filter(|shape| shape.fill == Some(paint)).count()
    };
    let n_lined = |color: Color| {
        let strokes = scene.ground.iter().filter_map(|shape| shape.stroke);
        strokes.filter(|stroke| stroke.color == color).count()
    };
    let n_entries = Player::BOTH.map(|player| {
        let graph = position.graph();
        graph.neighbors(graph.start(player)).len()
    });
    assert_eq!(n_with(Paint::Solid(Color::PondFirst)), 1);
    assert_eq!(n_with(Paint::Solid(Color::PondSecond)), 1);
    assert_eq!(n_with(Paint::Solid(Color::PondFirstSoft)), n_entries[0]);
    assert_eq!(n_with(Paint::Solid(Color::PondSecondSoft)), n_entries[1]);
    let plain = Paint::Radial(Color::Pad, Color::PadShade, 0.0);
    assert_eq!(n_with(plain), 30 - 2 - n_entries[0] - n_entries[1]);
    assert_eq!(n_lined(Color::PadLine), 30, "every border is black");
    let n_edges = lilypads::Board::new(42).edges().count();
    assert_eq!(n_lined(Color::PondEdge), n_edges);
}

#[test]
fn lilypads_a_piece_that_is_taken_up_is_lit_and_so_is_where_it_may_go() {
    let mut table = after::<lilypads::Lilypads>("#42 4,9 21 first", "");
    let position: lilypads::Lilypads = "#42 4,9 21 first".parse().unwrap();
    assert_eq!(table.click("9"), Click::Picked);
    let scene = scene(&table);
    assert_eq!(n_filled(&scene, Color::Lamp), 1, "the piece");
    assert_eq!(n_lined(&scene, Color::Lamp), 1, "its circle");
    let moves = position.legal_moves().into_iter();
    let n_moves = moves.filter(|m| m.to_string().starts_with("9-")).count();
    assert!(n_moves > 1);
    assert_eq!(n_filled(&scene, Color::PadLit), n_moves);
    for theme in Theme::ALL {
        // With a share of what is beneath.
        assert_eq!(Color::PadLit.css(theme).len(), "#rrggbbaa".len());
    }
}

#[test]
fn lilypads_shows_the_pieces_in_hand() {
    let table = after::<lilypads::Lilypads>("#42 4,9 21 second", "");
    assert_eq!(table.side(Player::First).holding, Some((1, 3)));
    assert_eq!(table.side(Player::Second).holding, Some((2, 3)));
}

#[test]
fn lilypads_shows_no_fewer_than_no_pips() {
    // One piece has arrived, and two are in hand.
    let table = after::<lilypads::Lilypads>("#42 29 - second", "");
    assert_eq!(table.side(Player::First).counts, [("lilypads.pips", 20)]);
    assert_eq!(table.side(Player::Second).counts, [("lilypads.pips", 30)]);
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
    // Clicks on it again, elsewhere, or on the background clear the highlights.
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
fn lilypads_the_ring_at_the_end_is_on_the_circle_reached() {
    // 29 is Second's start; its neighbors are known to the board only.
    let position: lilypads::Lilypads = "#42 - - first".parse().unwrap();
    let goal = position.graph().start(Player::Second);
    let gate = position.graph().neighbors(goal).iter().next().unwrap();
    let table =
        after::<lilypads::Lilypads>(&format!("#42 {gate} - first"), &format!("{gate}-{goal}"));
    let picture = scene(&table);
    let is_ring = |shape: &&Shape| shape.stroke.is_some_and(|s| s.color == Color::Lamp);
    let rings: Vec<_> = shapes(&picture).filter(is_ring).collect();
    let [ring] = rings[..] else {
        panic!("{} rings", rings.len());
    };
    let target = picture.hit(ring.bounds().center(), 0.0).unwrap();
    assert_eq!(target.id, goal.to_string());
    // Nobody arrived anywhere after a resignation.
    let mut record = Record::from_position(position);
    record.resign(Player::Second).unwrap();
    let table = Table::new(record.position().clone()).ended(record.ending());
    assert_eq!(n_lined(&scene(&table), Color::Lamp), 0);
}

/// All of First's entries taken by two of First's pieces and by Second's.
fn shut_in() -> (Table<lilypads::Lilypads>, String) {
    let empty: lilypads::Lilypads = "#42 - - first".parse().unwrap();
    let start = empty.graph().start(Player::First);
    let entries: Vec<String> = empty
        .graph()
        .neighbors(start)
        .iter()
        .map(|circle| circle.to_string())
        .collect();
    let (own, other) = entries.split_at(entries.len().min(2));
    let other = if other.is_empty() {
        "-".to_owned()
    } else {
        other.join(",")
    };
    let position = format!("#42 {} {other} first", own.join(","));
    (after(&position, ""), start.to_string())
}

#[test]
fn lilypads_a_start_with_all_entries_taken_says_so() {
    let words = Words::of(Language::English);
    let (mut table, start) = shut_in();
    assert_eq!(table.click(&start), Click::Nothing);
    assert_eq!(
        table.advice(&Look::new(&words)),
        "Select a piece on the board. All circles next to your start are taken."
    );
    let picture = scene(&table);
    let target = picture.target(&start).unwrap();
    assert!(
        target.label.contains("all entries taken"),
        "{}",
        target.label
    );
    let is_sign = |shape: &&Shape| {
        shape.fill == Some(Paint::Solid(Color::White)) && shape.bounds().center() == target.at
    };
    assert!(shapes(&picture).any(|shape| is_sign(&shape)), "no sign");
    let open = scene(&after::<lilypads::Lilypads>("#42 - - first", ""));
    assert!(!shapes(&open).any(|shape| is_sign(&shape)));
}

/// Text is drawn with 10 px at least, and should have them on common screens: boards are 360 px
/// wide or more on phones, where text is large, and 632 px on the others.
#[test]
fn letters_are_large_enough_to_be_shown() {
    let least = |table: &dyn AnyTable, is_large: bool, board: f64| {
        let words = Words::of(Language::English);
        let look = Look {
            is_large,
            ..Look::new(&words)
        };
        let scene = table.scene(&look);
        let all = scene.ground.iter().chain(shapes(&scene));
        let sizes = all.filter_map(|shape| match shape.form {
            Form::Text { size, .. } => Some(size * board / scene.view.width),
            _ => None,
        });
        sizes.fold(f64::INFINITY, f64::min)
    };
    let pond = after::<lilypads::Lilypads>("#42 - - first", "");
    let squares = after::<takeover::Takeover>(&start::<takeover::Takeover>(), "");
    let stones = after::<simply_go::SimplyGo>(&start::<simply_go::SimplyGo>(), "");
    for table in [&pond as &dyn AnyTable, &squares, &stones] {
        for (is_large, board) in [(true, 360.0), (false, 632.0)] {
            let size = least(table, is_large, board);
            assert!((10.0..40.0).contains(&size), "{size} px on {board} px");
        }
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
fn nonaga_a_piece_that_is_taken_up_glows_and_where_it_may_stop_is_shown() {
    let mut table = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "");
    assert_eq!(n_lined(&scene(&table), Color::Lamp), 0);
    assert_eq!(table.click("2,-2"), Click::Picked);
    let position: nonaga::Nonaga = start::<nonaga::Nonaga>().parse().unwrap();
    let moves = position.legal_moves().into_iter();
    let n_moves = moves.filter(|m| m.to_string().starts_with("2,-2>")).count();
    assert!(n_moves > 1);
    assert_eq!(n_lined(&scene(&table), Color::Lamp), 1 + n_moves);
}

#[test]
fn nonaga_a_win_marks_the_three_pieces_and_the_rest_fades() {
    let tiles = start::<nonaga::Nonaga>();
    let tiles = tiles.split(' ').next().unwrap();
    let before = format!("{tiles} -2,0;0,0;1,0 -2,2;0,-2;2,0 first slide");
    let table = after::<nonaga::Nonaga>(&before, "-2,0>-1,0");
    let scene = scene(&table);
    let is_veil = |node: &Node| {
        let mut shapes = node.shapes.iter();
        shapes
            .any(|shape| shape.fill == Some(Paint::Solid(Color::TileTable)) && shape.opacity < 1.0)
    };
    let veil = scene.nodes.iter().position(is_veil).unwrap();
    let pieces = |nodes: &[Node]| {
        let is_piece = |node: &&Node| node.key.is_some_and(|key| key.kind == Kind::Piece);
        let at: Vec<_> = nodes.iter().filter(is_piece).map(|node| node.at).collect();
        let targets = scene.targets.iter();
        let ids = targets.filter(|target| at.contains(&target.at));
        ids.map(|target| target.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pieces(&scene.nodes[..veil]), ["-2,2", "0,-2", "2,0"]);
    assert_eq!(pieces(&scene.nodes[veil..]), ["-1,0", "0,0", "1,0"]);
    // Each has a ring, and two lines join them.
    assert_eq!(n_lined(&scene, Color::Lamp), 3 + 1);
}

#[test]
fn takeover_obstacles_show_an_x() {
    let table = after::<takeover::Takeover>(&start::<takeover::Takeover>(), "");
    let scene = scene(&table);
    let strokes = scene.ground.iter().filter_map(|shape| shape.stroke);
    let n_crosses = strokes.filter(|stroke| stroke.color == Color::SquareCross);
    assert_eq!(n_crosses.count(), 5);
}

#[test]
fn takeover_duplicates_grow_jumps_travel_and_converted_pieces_flip() {
    let words = Words::of(Language::English);
    let look = Look::new(&words);
    let before = "6/6/2x3/3o2/6/6 x 0 1";
    let way = |scene: &Scene, from: &str, to: &str| {
        scene.target(from).unwrap().at - scene.target(to).unwrap().at
    };

    let table = after::<takeover::Takeover>(before, "d4");
    let (picture, plan) = (scene(&table), table.plan(&look));
    let new = plan.pose(key_at(&picture, "d4", Kind::Piece), 0.0);
    assert!(new.scale.x < 0.5 && new.scale.y < 0.5, "it grows");
    assert_eq!(
        new.offset,
        way(&picture, "c4", "d4"),
        "out of the one beside"
    );
    // On edge in between, in the old color before and in the new one after.
    let turned = key_at(&picture, "d3", Kind::Piece);
    assert_eq!(plan.pose(turned, 0.0).scale.x, 0.0);
    let [old] = &plan.extras[..] else {
        panic!("one piece turns");
    };
    assert_eq!(old.at, picture.target("d3").unwrap().at);
    assert_eq!(plan.pose(old.key.unwrap(), 0.0), Pose::REST);
    assert_eq!(
        plan.pose(old.key.unwrap(), plan.duration()).scale.x,
        0.0,
        "it is gone in the end"
    );

    for (m, to) in [("c4e2", "e2"), ("c4d2", "d2")] {
        let table = after::<takeover::Takeover>(before, m);
        let (picture, plan) = (scene(&table), table.plan(&look));
        let pose = plan.pose(key_at(&picture, to, Kind::Piece), 0.0);
        assert_eq!(pose, Pose::moved(way(&picture, "c4", to)), "{m} travels");
    }
}

/// The plan of the move `m`, as it is shown after a drop on `to`: everything there lies at once,
/// and travels after a click.
#[track_caller]
fn landed<G: Picture>(before: &str, m: &str, to: &str) -> Plan {
    let words = Words::of(Language::English);
    let table = after::<G>(before, m);
    let keys: Vec<Key> = scene(&table).keys_at(to).collect();
    let plan = AnyTable::plan(&table, &Look::new(&words));
    let travels = |key: &Key| plan.pose(*key, 0.0) != Pose::REST;
    assert!(keys.iter().any(travels), "{m} travels");
    let landed = plan.clone().landed(&keys);
    for key in keys {
        assert_eq!(landed.pose(key, 0.0), Pose::REST, "{m}: {key:?}");
    }
    landed
}

/// Checks that a piece that was dropped on `to` lies there at once, and that one piece of the
/// other player, which `m` captures or converts, still moves.
#[track_caller]
fn check_drop<G: Picture>(before: &str, m: &str, to: &str) {
    let landed = landed::<G>(before, m, to);
    let [taken] = &landed.extras[..] else {
        panic!("{m} takes one piece");
    };
    let taken = taken.key.unwrap();
    assert_eq!(landed.pose(taken, 0.0), Pose::REST, "{m}");
    assert_ne!(landed.pose(taken, landed.duration()), Pose::REST, "{m}");
}

#[test]
fn what_a_dropped_piece_captures_or_converts_still_moves() {
    let pond: lilypads::Lilypads = "#42 - - first".parse().unwrap();
    let from = lilypads::Circle::new(9).unwrap();
    let to = pond.graph().neighbors(from).iter().next().unwrap();
    let before = format!("#42 9 {to} first");
    check_drop::<lilypads::Lilypads>(&before, &format!("9-{to}"), &to.to_string());
    let before = "6/6/2x3/3o2/6/6 x 0 1";
    check_drop::<takeover::Takeover>(before, "d4", "d4");
    check_drop::<takeover::Takeover>(before, "c4e2", "e2");
}

/// Nothing moves after a drop but what the move did to others. A tile lands with its shadow, and
/// only the camera follows it, if the board has drifted.
#[test]
fn what_is_dropped_lands_at_once() {
    let still = |plan: Plan| plan.tracks.is_empty() && plan.duration() == 0.0;
    let pond = landed::<lilypads::Lilypads>("#42 - - first", "@3", "3");
    assert!(still(pond));
    let squares = "5o/6/2x3/6/6/6 x 0 1";
    for (m, to) in [("d4", "d4"), ("c4e2", "e2")] {
        assert!(still(landed::<takeover::Takeover>(squares, m, to)), "{m}");
    }
    let tiles = start::<nonaga::Nonaga>();
    assert!(still(landed::<nonaga::Nonaga>(&tiles, "2,-2>-1,1", "-1,1")));
    let shift = tiles.replace("slide", "shift");
    let inside = landed::<nonaga::Nonaga>(&shift, "#1,-2>2,1", "2,1");
    assert!(still(inside));
    let drifted = landed::<nonaga::Nonaga>(&shift, "#1,-2>-3,1", "-3,1");
    assert!(drifted.tracks.is_empty() && drifted.view.is_some());
}

#[test]
fn takeover_a_duplicate_grows_out_of_the_piece_that_was_chosen() {
    let words = Words::of(Language::English);
    let table = after::<takeover::Takeover>("6/6/2x1x1/6/6/5o x 0 1", "d4");
    let picture = scene(&table);
    let at = |id: &str| picture.target(id).unwrap().at;
    for origin in ["c4", "e4"] {
        let look = Look {
            origin: Some(origin),
            ..Look::new(&words)
        };
        let pose = table
            .plan(&look)
            .pose(key_at(&picture, "d4", Kind::Piece), 0.0);
        assert_eq!(pose.offset, at(origin) - at("d4"), "{origin}");
        // The fainter brackets of the last move are around it.
        let marked = table.scene(&look);
        let mut faint = shapes(&marked).filter(|shape| {
            let is_bracket = shape
                .stroke
                .is_some_and(|stroke| stroke.color == Color::Ink2);
            is_bracket && shape.opacity < 1.0
        });
        let middle = faint.next().unwrap().bounds().center();
        assert_eq!(picture.hit(middle, 0.0).unwrap().id, origin);
    }
}

#[test]
fn takeover_shows_the_counts_of_both_sides() {
    let table = after::<takeover::Takeover>("6/6/2x3/3o2/6/6 x 0 1", "d4");
    assert_eq!(table.side(Player::First).counts, [("takeover.pieces", 3)]);
    assert_eq!(table.side(Player::Second).counts, [("takeover.pieces", 0)]);
}

#[test]
fn takeover_shows_the_pieces_that_will_be_converted() {
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
fn takeover_says_that_a_player_is_blocked() {
    let words = Words::of(Language::English);
    let table = after::<takeover::Takeover>("x5/6/6/6/6/5o x 0 1", "");
    assert_eq!(table.verdict(&words), None);
    let blocked = "xxx3/xxx3/xxo3/6/6/6 x 0 1";
    let table = after::<takeover::Takeover>(blocked, "c3");
    assert_eq!(table.verdict(&words).unwrap(), "Yellow has no pieces left.");
    // Yellow's only piece is walled in by three green ones and obstacles.
    let walled = "o-4/x--3/x-4/6/6/5x x 0 1";
    let table = after::<takeover::Takeover>(walled, "f1f3");
    assert_eq!(
        table.verdict(&words).unwrap(),
        "Yellow can’t move, one piece to 3."
    );
}

#[test]
fn a_forced_pass_says_to_press_pass() {
    // First is walled in and passes while Second can move.
    let words = Words::of(Language::English);
    let table = after::<takeover::Takeover>("x--4/---4/---4/7/7/7/6o x 0 1", "");
    assert!(table.must_pass());
    let advice = table.advice(&Look::new(&words));
    assert_eq!(advice, "You have no other move. Press Pass.");
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
        "That point is inside a fort. Nobody can play there."
    );
    assert_eq!(
        table.refusal("B1", &words).unwrap(),
        "There is a stone on that point."
    );
    assert_eq!(table.refusal("E5", &words), None);
}

#[test]
fn simply_go_the_last_move_is_marked() {
    let start = "9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100";
    let marked = |moves: &str, color: Color| {
        let scene = scene(&after::<simply_go::SimplyGo>(start, moves));
        let is_ring = |shape: &&Shape| {
            shape.fill.is_none() && shape.stroke.is_some_and(|stroke| stroke.color == color)
        };
        let rings: Vec<_> = shapes(&scene).filter(is_ring).collect();
        let [ring] = rings[..] else {
            panic!("{} rings after {moves}", rings.len());
        };
        let middle = ring.bounds().center();
        let target = scene.hit(middle, 0.0).unwrap();
        target.id.clone()
    };
    assert_eq!(marked("E5", Color::White), "E5");
    assert_eq!(marked("E5 C3", Color::Black), "C3");
}

#[test]
fn simply_go_stones_leave_the_names_of_lines_free() {
    for size in [9, 13, 19, 25, 48] {
        let rows = vec![size.to_string(); size].join("/");
        let table = after::<simply_go::SimplyGo>(&format!("{rows} b 0:0 0 0 moves:100"), "");
        let words = Words::of(Language::English);
        let look = Look {
            is_large: true,
            ..Look::new(&words)
        };
        let scene = table.scene(&look);
        let name = |shape: &Shape| match &shape.form {
            // Letters are about so wide and so high.
            Form::Text { at, size, text } => Some(Rect {
                x: at.x - 0.3 * size * text.len() as f64,
                y: at.y - 0.72 * size,
                width: 0.6 * size * text.len() as f64,
                height: 0.72 * size,
            }),
            _ => None,
        };
        let names: Vec<Rect> = scene.ground.iter().filter_map(name).collect();
        assert!(!names.is_empty());
        for target in &scene.targets {
            // Stones are a little smaller than the squares around their points.
            let stone = Rect::around(target.at, 0.94 * target.outline.half_width());
            assert!(stone.x > 0.0 && stone.y > 0.0, "{}", target.id);
            let is_covered = |name: &Rect| {
                name.x < stone.x + stone.width
                    && stone.x < name.x + name.width
                    && name.y < stone.y + stone.height
                    && stone.y < name.y + name.height
            };
            assert!(!names.iter().any(is_covered), "{} of {size}", target.id);
        }
    }
}

/// Points of 19 × 19 would be 19 px apart on a phone.
#[test]
fn simply_go_shows_a_part_where_points_would_be_too_close() {
    let words = Words::of(Language::English);
    for (size, on_desk, on_phone) in [
        (9, false, false),
        (13, false, false),
        (19, false, true),
        (25, true, true),
        (48, true, true),
    ] {
        let rows = vec![size.to_string(); size].join("/");
        let table = after::<simply_go::SimplyGo>(&format!("{rows} b 0:0 0 0 moves:100"), "");
        for (is_tiny, is_vast) in [(false, on_desk), (true, on_phone)] {
            let look = Look {
                is_tiny,
                ..Look::new(&words)
            };
            assert_eq!(table.scene(&look).is_vast, is_vast, "{size} {is_tiny}");
        }
    }
}

#[test]
fn simply_go_walls_and_insides_of_forts_have_their_owner_s_tint() {
    let start = "9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100";
    // Four around one point, once of each color.
    let first = after::<simply_go::SimplyGo>(start, "E6 A1 E4 A2 D5 A3 F5");
    let scene_of_first = scene(&first);
    assert_eq!(n_filled(&scene_of_first, Color::FortFirst), 1);
    assert_eq!(n_filled(&scene_of_first, Color::FortFirstWall), 4);
    assert_eq!(n_filled(&scene_of_first, Color::FortSecond), 0);
    let second = after::<simply_go::SimplyGo>(start, "A1 E6 A2 E4 A3 D5 A4 F5");
    let scene_of_second = scene(&second);
    assert_eq!(n_filled(&scene_of_second, Color::FortSecond), 1);
    assert_eq!(n_filled(&scene_of_second, Color::FortSecondWall), 4);
    assert_eq!(n_filled(&scene_of_second, Color::FortFirst), 0);
}

#[test]
fn simply_go_shows_captures_and_moves_left() {
    let start = "9/9/9/9/9/9/9/9/9 b 0:0 0 0";
    let table = after::<simply_go::SimplyGo>(&format!("{start} moves:100"), "A2 A1 B1");
    assert_eq!(
        table.side(Player::First).counts[0],
        ("simply-go.captures", 1)
    );
    assert_eq!(
        table.side(Player::Second).counts[0],
        ("simply-go.captures", 0)
    );
    assert_eq!(table.facts()[0], ("simply-go.left", "97".to_owned()));
    let table = after::<simply_go::SimplyGo>(&format!("{start} target:10"), "");
    assert_eq!(table.facts()[0], ("simply-go.target", "10".to_owned()));
}

/// Clicks on `clicks` one after the other; the last one is rejected with `reason`.
#[track_caller]
fn check_refusal<G: Picture>(position: &str, clicks: &[&str], reason: &str) {
    let mut table = after::<G>(position, "");
    for id in clicks {
        let click = table.click(id);
        let is_refused = matches!(click, Click::Cleared | Click::Nothing);
        assert_eq!(is_refused, Some(id) == clicks.last(), "{click:?} at {id}");
    }
    for language in Language::ALL {
        let words = Words::of(language);
        let refusal = table.refusal(clicks.last().unwrap(), &words).unwrap();
        assert!(!refusal.contains(['{', '}', '-']), "{refusal}");
        if language == Language::English {
            assert_eq!(refusal, reason);
        }
    }
}

#[test]
fn lilypads_refusals_give_a_reason() {
    use lilypads::Lilypads;
    let (table, start) = shut_in();
    let words = Words::of(Language::English);
    assert_eq!(
        table.refusal(&start, &words).unwrap(),
        "All circles next to your start are taken."
    );
    let position: Lilypads = "#42 - - first".parse().unwrap();
    let graph = position.graph();
    let home = graph.start(Player::First);
    let gate = graph.neighbors(home).iter().next().unwrap().to_string();
    let goal = graph.start(Player::Second).to_string();
    let check = check_refusal::<Lilypads>;
    check(
        "#42 - - first",
        &[&goal],
        "Select one of your pieces first.",
    );
    check(
        "#42 - - first",
        &["0", &goal],
        "Pieces enter on an empty circle next to your start.",
    );
    check(
        &format!("#42 - {gate} first"),
        &["0", &gate],
        "A piece can’t capture when it enters.",
    );
    check(
        &format!("#42 - {gate} first"),
        &[&gate],
        "That is your opponent’s piece.",
    );
    check(
        &format!("#42 {gate} - first"),
        &[&gate, &goal],
        &format!("{goal} is too far."),
    );
    check("#42 4,9,12 21 first", &["0"], "You have no piece in hand.");
    check(
        "#42 4,9,12 21 first",
        &["4", "0"],
        "You can’t move onto your own start.",
    );
}

#[test]
fn nonaga_refusals_give_a_reason() {
    use nonaga::Nonaga;
    let check = check_refusal::<Nonaga>;
    let start = start::<Nonaga>();
    check(&start, &["2,0"], "That is your opponent’s piece.");
    check(&start, &["0,0"], "Slide a piece first, then move a tile.");
    check(
        &start,
        &["2,-2", "1,-1"],
        "The piece can’t stop at 1,−1: it slides as far as it can.",
    );
    check(&start, &["2,-2", "0,1"], "Pieces slide in straight lines.");
    check(&start, &["2,-2", "2,0"], "There is a piece on that tile.");
    check(&start, &["2,-2", "3,-2"], "There is no tile there.");
    check(&start, &["2,-2", "-2,2"], "There is a piece on that tile.");
    let shift = start.replace("slide", "shift");
    check(
        &shift,
        &["2,-2"],
        "There is a piece on that tile, so it can’t move.",
    );
    check(&shift, &["3,0"], "Select a tile with six dots first.");
    // Two tiles away from all others but one.
    check(
        &shift,
        &["1,-2", "3,-3"],
        "A tile must touch at least two others.",
    );
    let tail =
        "-2,0;-2,1;-2,2;-1,-1;-1,0;-1,1;-1,2;0,-2;0,-1;0,0;0,1;0,2;1,-2;1,-1;1,0;1,1;2,-2;2,0;3,0";
    check(
        &format!("{tail} -2,0;0,2;2,-2 -2,2;0,-2;3,0 first shift"),
        &["2,0"],
        "That tile holds the board together and can’t move.",
    );
    let published = Nonaga::start(&nonaga::Setup {
        variant: nonaga::Variant::Published,
    });
    let published = published.unwrap().to_string();
    let shift = published.replace("slide", "shift");
    check(
        &shift,
        &["0,0"],
        "That tile is enclosed and can’t slide out.",
    );
    let barred = shift.trim_end_matches('-').to_owned() + "1,-2";
    check(
        &barred,
        &["1,-2"],
        "Your opponent just moved that tile, so it stays.",
    );
}

#[test]
fn takeover_refusals_give_a_reason() {
    let check = check_refusal::<takeover::Takeover>;
    let position = "xx4/xx-3/6/6/4oo/4oo x 0 1";
    check(position, &["c5"], "Crossed squares can’t be entered.");
    check(position, &["b5", "c5"], "Crossed squares can’t be entered.");
    check(position, &["e1"], "That is your opponent’s piece.");
    check(position, &["d4"], "Select one of your pieces first.");
    check(position, &["b5", "f4"], "f4 is too far.");
    check(position, &["b5", "e1"], "That square is taken.");
    check(
        position,
        &["b5", "d5"],
        "You can’t jump straight over a crossed square.",
    );
    let walled = "x---2/----2/----2/6/6/o4x x 0 1";
    check(walled, &["a6"], "That piece can’t move.");
    check(walled, &["f1", "a6"], "That square is taken.");
}

#[test]
fn a_click_that_puts_back_what_was_selected_is_not_refused() {
    let words = Words::of(Language::English);
    let mut table = after::<takeover::Takeover>("xx4/xx4/6/6/4oo/4oo x 0 1", "");
    assert_eq!(table.click("b5"), Click::Picked);
    assert_eq!(table.click("b5"), Click::Cleared);
    assert_eq!(table.refusal("b5", &words), None);
}

/// A piece that is dropped where it can't go is put back, on another piece too, which is not
/// selected instead.
#[test]
fn a_refused_drop_gives_a_reason_and_selects_nothing() {
    let words = Words::of(Language::English);
    let circles: &mut dyn AnyTable = &mut after::<lilypads::Lilypads>("#42 4,9 21 first", "");
    let tiles: &mut dyn AnyTable = &mut after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "");
    let squares: &mut dyn AnyTable =
        &mut after::<takeover::Takeover>("xx4/xx4/6/6/4oo/4oo x 0 1", "");
    for (table, from, to, reason) in [
        (circles, "9", "4", "Your own piece is on 4."),
        (tiles, "2,-2", "-2,0", "There is a piece on that tile."),
        (squares, "b5", "a6", "That square is taken."),
    ] {
        assert_eq!(table.click(from), Click::Picked, "{from}");
        assert!(table.takes_up(to), "{to} could be selected");
        assert_eq!(table.drop_on(to), Click::Nothing);
        assert!(table.picked().is_empty());
        assert_eq!(table.refusal(to, &words).as_deref(), Some(reason));
        // The next click is none of its business.
        assert_eq!(table.click(to), Click::Picked);
        assert_eq!(table.refusal(to, &words), None);
    }
    let squares: &mut dyn AnyTable =
        &mut after::<takeover::Takeover>("xx4/xx4/6/6/4oo/4oo x 0 1", "");
    squares.click("b5");
    assert_eq!(squares.drop_on("c4"), Click::Move("c4".to_owned()));
}

#[test]
fn clicks_are_useful_where_something_can_be_selected_or_played() {
    let mut squares = after::<takeover::Takeover>("xx4/xx4/6/6/4oo/4oo x 0 1", "");
    let useful = ["a6", "b5", "c4", "e2"].map(|id| squares.is_useful(id));
    assert_eq!(useful, [true, true, false, false]);
    squares.click("b5");
    assert!(squares.is_useful("c4"));
    let stones = after::<simply_go::SimplyGo>("9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100", "E5");
    assert!(stones.is_useful("D4") && !stones.is_useful("E5"));
}

#[test]
fn a_try_that_leads_nowhere_is_no_click_that_puts_back() {
    let table: &mut dyn AnyTable =
        &mut after::<takeover::Takeover>("xx4/xx4/6/6/4oo/4oo x 0 1", "");
    assert_eq!(table.activate("f6"), Click::Nothing);
    assert_eq!(table.activate("pass"), Click::Nothing);
    assert_eq!(table.activate("b5"), Click::Picked);
    assert_eq!(table.activate("b5"), Click::Cleared);
    assert_eq!(table.activate("b5"), Click::Picked);
    assert_eq!(table.activate("f6"), Click::Nothing);
    assert!(table.picked().is_empty());
    assert_eq!(table.activate("b5"), Click::Picked);
    assert_eq!(table.activate("c4"), Click::Move("c4".to_owned()));
    let stones: &mut dyn AnyTable =
        &mut after::<simply_go::SimplyGo>("9/9/9/9/9/9/9/9/9 b 0:0 0 0 moves:100", "");
    assert_eq!(stones.activate("pass"), Click::Move("pass".to_owned()));
}

/// Whether a star is drawn at the target called `id`.
fn has_star(scene: &Scene, id: &str) -> bool {
    let at = scene.target(id).unwrap().at;
    let is_star = |shape: &Shape| {
        // Ten corners, the first one right above the middle.
        matches!(&shape.form, Form::Path(segments) if segments.len() == 11
            && matches!(segments[0], view::Segment::Move(tip) if (tip.x - at.x).abs() < 1e-6 && tip.y < at.y))
    };
    let mut shapes = shapes(scene);
    shapes.any(|shape| is_star(shape) && shape.bounds().contains(at))
}

/// Selects `from`, and checks which of two destinations wins.
#[track_caller]
fn check_win<G: Picture>(position: &str, from: &str, wins: &str, other: &str) {
    let words = Words::of(Language::English);
    let mut table = after::<G>(position, "");
    assert_eq!(table.click(from), Click::Picked);
    let look = Look::new(&words);
    let scene = table.scene(&look);
    assert!(table.leads_on(wins) && table.leads_on(other));
    assert!(has_star(&scene, wins) && !has_star(&scene, other));
    let label = |id: &str| scene.target(id).unwrap().label.clone();
    assert!(label(wins).contains(", wins"), "{}", label(wins));
    assert!(!label(other).contains(", wins"), "{}", label(other));
    let legend = table.legend(&look);
    assert!(legend.iter().any(|&(_, name)| name == "key.win"));
}

#[test]
fn a_destination_that_wins_looks_like_it() {
    let pond: lilypads::Lilypads = "#42 - - first".parse().unwrap();
    let goal = pond.graph().start(Player::Second);
    let gate = pond.graph().neighbors(goal).iter().next().unwrap();
    let mut beside = pond.graph().neighbors(gate).iter();
    let other = beside.find(|&circle| circle != goal).unwrap();
    check_win::<lilypads::Lilypads>(
        &format!("#42 {gate} - first"),
        &gate.to_string(),
        &goal.to_string(),
        &other.to_string(),
    );
    let tiles = start::<nonaga::Nonaga>();
    let tiles = tiles.split(' ').next().unwrap();
    check_win::<nonaga::Nonaga>(
        &format!("{tiles} -2,0;0,0;1,0 -2,2;0,-2;2,0 first slide"),
        "-2,0",
        "-1,0",
        "-2,1",
    );
    check_win::<takeover::Takeover>("6/6/2x3/3o2/6/6 x 0 1", "c4", "d4", "b6");
    // Stones are not selected: the point under the pointer shows it.
    let words = Words::of(Language::English);
    let corner = "9/9/9/9/9/9/9/b8/w8 b 4:0 20 0 target:5";
    let table = after::<simply_go::SimplyGo>(corner, "");
    let scene = |hover| {
        table.scene(&Look {
            hover: Some(hover),
            ..Look::new(&words)
        })
    };
    assert!(has_star(&scene("B1"), "B1"));
    assert_eq!(scene("B1").target("B1").unwrap().label, "B1, empty, wins");
    assert!(!has_star(&scene("B2"), "B2"));
}

#[test]
fn coordinates_are_shown_on_demand() {
    let words = Words::of(Language::English);
    let texts = |table: &dyn AnyTable, has_coordinates: bool| -> Vec<String> {
        let look = Look {
            has_coordinates,
            ..Look::new(&words)
        };
        let scene = table.scene(&look);
        let texts = shapes(&scene).filter_map(|shape| match &shape.form {
            Form::Text { text, .. } => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    };
    let mut tiles = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "2,-2>-1,1");
    assert_eq!(texts(&tiles, false), [""; 0]);
    let shown = texts(&tiles, true);
    assert_eq!(shown.len(), 19);
    assert!(shown.contains(&"−1,1".to_owned()), "{shown:?}");
    tiles.click("1,-2");
    let shown = texts(&tiles, true);
    assert!(shown.contains(&"−3,1".to_owned()), "places for the tile");
    assert!(shown.contains(&"1,−2".to_owned()), "the tile itself");
    let pond = after::<lilypads::Lilypads>("#42 4,9 21 first", "");
    assert_eq!(texts(&pond, false).len(), 30 - 2 - 3);
    assert_eq!(texts(&pond, true).len(), 30);
}

#[test]
fn nonaga_places_have_a_true_minus_for_people_and_a_plain_one_for_moves() {
    let table = after::<nonaga::Nonaga>(&start::<nonaga::Nonaga>(), "2,-2>-1,1");
    let words = Words::of(Language::English);
    assert_eq!(table.tale(&words).unwrap(), "Red slides from 2,−2 to −1,1");
    for target in scene(&table).targets {
        assert!(!target.label.contains('-'), "{}", target.label);
        assert!(!target.id.contains('−'), "{}", target.id);
    }
}

/// The pictures of the README, compared with the files.
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
