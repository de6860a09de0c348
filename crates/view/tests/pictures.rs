//! Properties of every game's picture, in whole matches.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use rules::{Game, MatchSetup, Player, Random, Record};
use view::{
    AnyTable, Click, Direction, Language, Look, Picture, Pose, Scene, Shape, Table, Theme, Words,
};

/// The position before the last move, and that move.
fn last<G: Picture>(record: &Record<G>) -> Option<(G, G::Move)> {
    let mut earlier = record.clone();
    let m = earlier.undo()?;
    Some((earlier.position().clone(), m))
}

/// A table as a front end gets it.
fn table<G: Picture>(record: &Record<G>) -> Table<G> {
    let table = Table::new(record.position().clone()).ended(record.ending());
    match last(record) {
        Some((before, m)) => table.after(before, m),
        None => table,
    }
}

/// Plays a match at random and calls `check` with every position on the way.
fn in_a_match<G: Picture>(
    choices: &[(&str, &str)],
    seed: u64,
    mut check: impl FnMut(&Record<G>, &mut Random),
) {
    let mut setup = G::Setup::default();
    for (name, value) in choices {
        setup.set(name, value).unwrap();
    }
    let mut record = Record::<G>::new(setup).unwrap();
    let mut random = Random::new(seed);
    for _ in 0..120 {
        check(&record, &mut random);
        if record.ending().is_some() {
            break;
        }
        let moves = record.position().legal_moves();
        record.play(*random.pick(&moves).unwrap()).unwrap();
    }
}

/// Calls a generic function for every game.
macro_rules! for_every_game {
    ($check:ident) => {
        $check::<lilypads::Lilypads>(&[("board", "42")]);
        $check::<nonaga::Nonaga>(&[("variant", "standard")]);
        $check::<nonaga::Nonaga>(&[("variant", "published")]);
        $check::<takeover::Takeover>(&[("board", "7")]);
        $check::<takeover::Takeover>(&[("variant", "ataxx")]);
        $check::<simply_go::SimplyGo>(&[("size", "9"), ("mode", "moves:100")]);
    };
}

fn clicks_lead_to_the_legal_moves<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 1, |record, _| {
        if record.ending().is_some() {
            return;
        }
        let words = Words::of(Language::English);
        let scene = table(record).scene(&Look::new(&words));
        let ids: Vec<&str> = scene
            .targets
            .iter()
            .map(|target| target.id.as_str())
            .collect();
        let mut reached = BTreeSet::new();
        for &first in &ids {
            let mut picked = table(record);
            let takes_up = picked.takes_up(first);
            let click = picked.click(first);
            assert_eq!(takes_up, click == Click::Picked, "{first}");
            match click {
                Click::Move(m) => {
                    reached.insert(m);
                }
                Click::Picked => {
                    assert!(!picked.takes_up(first), "it is taken up");
                    assert_eq!(picked.picked(), [first]);
                    for &second in &ids {
                        if let Click::Move(m) = picked.clone().click(second) {
                            assert!(picked.leads_on(second) && !picked.takes_up(second));
                            reached.insert(m);
                        }
                    }
                }
                Click::Nothing => {}
                Click::Cleared => panic!("nothing was taken up"),
            }
        }
        reached.extend(table(record).pass());
        let legal = record.position().legal_moves();
        let legal: BTreeSet<String> = legal.iter().map(ToString::to_string).collect();
        assert_eq!(reached, legal, "in {}", record.position());
    });
}

#[test]
fn clicks_lead_to_the_legal_moves_and_no_others() {
    for_every_game!(clicks_lead_to_the_legal_moves);
}

fn refusals_have_a_reason<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 6, |record, random| {
        if record.ending().is_some() {
            return;
        }
        let languages = Language::ALL.map(Words::of);
        let scene = table(record).scene(&Look::new(&languages[0]));
        let check = |table: &Table<G>, id: &str| {
            for words in &languages {
                let reason = table.refusal(id, words);
                let reason = reason.unwrap_or_else(|| panic!("{id} in {}", record.position()));
                assert!(!reason.contains(['{', '}', '.', '-']) || reason.ends_with(['.', '。']));
            }
        };
        for first in &scene.targets {
            let mut picked = table(record);
            match picked.click(&first.id) {
                Click::Nothing => check(&picked, &first.id),
                Click::Picked => {
                    let second = random.pick(&scene.targets).unwrap();
                    if picked.click(&second.id) == Click::Cleared && second.id != first.id {
                        check(&picked, &second.id);
                    }
                }
                Click::Move(_) | Click::Cleared => {}
            }
        }
    });
}

#[test]
fn every_refused_click_has_a_reason() {
    for_every_game!(refusals_have_a_reason);
}

/// A shape that marks the last move: whether it is drawn through or fainter.
fn last_marks(scene: &Scene, plain: &Scene) -> Vec<(String, bool)> {
    let shapes = |scene: &Scene| -> Vec<Shape> {
        let still = scene.nodes.iter().filter(|node| node.key.is_none());
        still.flat_map(|node| node.shapes.to_vec()).collect()
    };
    let before = shapes(plain);
    let new = shapes(scene).into_iter();
    let new = new.filter(|shape| !before.contains(shape));
    new.filter_map(|shape| {
        let is_dashed = shape.stroke.is_some_and(|stroke| stroke.dash.is_some());
        let target = scene.hit(shape.bounds().center(), 0.0)?;
        let is_strong = !is_dashed && shape.opacity == 1.0;
        Some((target.id.clone(), is_strong))
    })
    .collect()
}

fn ends_are_marked<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 7, |record, _| {
        let Some((before, m)) = last(record) else {
            return;
        };
        let words = Words::of(Language::English);
        let look = Look {
            is_moving: true,
            ..Look::new(&words)
        };
        let plain = Table::new(record.position().clone()).scene(&look);
        let marks = last_marks(&table(record).scene(&look), &plain);
        let has = |id: &str, is_strong| marks.contains(&(id.to_owned(), is_strong));
        let ways = before.ways(m);
        let Some(end) = ways.first().and_then(|way| way.last()) else {
            return;
        };
        // Shifts may move the view, not what is in it.
        assert!(has(&end.to_string(), true), "{m} ends at {end}: {marks:?}");
        let begins = |way: &Vec<G::Spot>| way.len() < 2 || has(&way[0].to_string(), false);
        assert!(ways.iter().any(begins), "{m}: {marks:?}");
    });
}

#[test]
fn both_ends_of_the_last_move_are_marked() {
    for_every_game!(ends_are_marked);
}

fn ways_are_those_of_the_legal_moves<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 5, |record, _| {
        let table = table(record);
        if record.ending().is_some() {
            assert_eq!(table.ways(), []);
            return;
        }
        let position = record.position();
        let table: &dyn AnyTable = &table;
        let mut all = Vec::new();
        for m in position.legal_moves() {
            let ways: Vec<Vec<String>> = position
                .ways(m)
                .iter()
                .map(|way| way.iter().map(ToString::to_string).collect())
                .collect();
            assert_eq!(table.way(&m.to_string()).as_ref(), ways.first());
            all.extend(ways.into_iter().map(|way| (m.to_string(), way)));
        }
        assert_eq!(table.ways(), all);
        assert_eq!(table.way("rubbish"), None);
    });
}

#[test]
fn tables_list_the_ways_of_the_legal_moves() {
    for_every_game!(ways_are_those_of_the_legal_moves);
}

fn targets_are_true<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 2, |record, _| {
        for language in Language::ALL {
            let words = Words::of(language);
            let scene = table(record).scene(&Look::new(&words));
            let mut labels = BTreeSet::new();
            for target in &scene.targets {
                assert_eq!(scene.hit(target.at, 0.0).unwrap().id, target.id);
                assert!(
                    scene.view.contains(target.at),
                    "{} is out of view",
                    target.id
                );
                assert!(labels.insert(&target.label), "{} twice", target.label);
                assert!(!target.label.contains(['{', '}', '?']), "{}", target.label);
            }
        }
    });
}

#[test]
fn every_target_is_in_view_under_its_center_and_has_a_name_of_its_own() {
    for_every_game!(targets_are_true);
}

fn arrows_reach_everything<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 3, |record, _| {
        let words = Words::of(Language::English);
        let scene = table(record).scene(&Look::new(&words));
        let mut reached = BTreeSet::from([scene.targets[0].id.clone()]);
        let mut frontier: Vec<String> = reached.iter().cloned().collect();
        while let Some(id) = frontier.pop() {
            for direction in [
                Direction::Left,
                Direction::Right,
                Direction::Up,
                Direction::Down,
            ] {
                if let Some(next) = scene.beside(&id, direction)
                    && reached.insert(next.id.clone())
                {
                    frontier.push(next.id.clone());
                }
            }
        }
        assert_eq!(reached.len(), scene.targets.len());
    });
}

#[test]
fn arrow_keys_reach_every_target() {
    for_every_game!(arrows_reach_everything);
}

fn plans_end_in_the_scene<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 4, |record, _| {
        let words = Words::of(Language::English);
        let look = Look::new(&words);
        let table = table(record);
        let scene = table.scene(&look);
        let plan = AnyTable::plan(&table, &look);
        let end = plan.duration();
        let m = record.moves().last().copied();
        if m.is_none_or(|m| Some(m) == G::pass()) {
            assert_eq!(end, 0.0);
            assert_eq!(plan.cues.is_empty(), m.is_none());
            return;
        }
        assert!(!plan.cues.is_empty());
        assert!(plan.cues.iter().all(|cue| (0.0..=end).contains(&cue.at)));
        assert!((100.0..=1000.0).contains(&end), "{end} ms");
        for track in &plan.tracks {
            let is_extra = plan.extras.iter().any(|node| node.key == Some(track.key));
            let is_there = scene.nodes.iter().any(|node| node.key == Some(track.key));
            assert!(is_extra != is_there, "{:?}", track.key);
            if is_there {
                assert_eq!(plan.pose(track.key, end), Pose::REST);
            } else {
                let pose = plan.pose(track.key, end);
                assert!(pose.opacity == 0.0 || pose.scale.x == 0.0, "{pose:?}");
            }
        }
        assert_eq!(plan.view(scene.view, end), scene.view);
    });
}

#[test]
fn animations_end_where_the_scene_has_everything() {
    for_every_game!(plans_end_in_the_scene);
}

fn a_finished_match_has_nothing_to_click<G: Picture>(choices: &[(&str, &str)]) {
    let mut setup = G::Setup::default();
    for (name, value) in choices {
        setup.set(name, value).unwrap();
    }
    let mut record = Record::<G>::new(setup).unwrap();
    record.resign(Player::Second).unwrap();
    let words = Words::of(Language::English);
    let mut table = table(&record);
    for target in table.scene(&Look::new(&words)).targets {
        assert_eq!(table.click(&target.id), Click::Nothing);
    }
    assert_eq!(table.pass(), None);
    assert_eq!(table.verdict(&words).unwrap(), "By resignation.");
}

#[test]
fn after_the_end_clicks_do_nothing() {
    for_every_game!(a_finished_match_has_nothing_to_click);
}

fn drawings_are_well_formed<G: Picture>(choices: &[(&str, &str)]) {
    in_a_match::<G>(choices, 5, |record, _| {
        let words = Words::of(Language::Japanese);
        let look = Look {
            is_flipped: true,
            is_large: true,
            ..Look::new(&words)
        };
        let svg = view::svg(&table(record).scene(&look), Theme::Dark);
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert_eq!(
            svg.matches("<text ").count(),
            svg.matches("</text>").count()
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    });
}

#[test]
fn any_position_can_be_drawn() {
    for_every_game!(drawings_are_well_formed);
}

#[test]
fn the_keyboard_comes_in_at_the_first_target_or_in_the_middle_of_a_vast_board() {
    let words = Words::of(Language::English);
    let entrance = |size: &str| {
        let mut setup = simply_go::Setup::default();
        setup.set("size", size).unwrap();
        let table = Table::new(simply_go::SimplyGo::start(&setup).unwrap());
        let scene = table.scene(&Look::new(&words));
        scene.entrance().unwrap().id.clone()
    };
    assert_eq!(entrance("19"), "A19");
    assert_eq!(entrance("25"), "M13");
    assert_eq!(entrance("48"), "X24");
}

#[test]
fn a_flipped_board_answers_to_the_same_names() {
    let position = takeover::Takeover::start(&takeover::Setup::default()).unwrap();
    let words = Words::of(Language::English);
    let table = Table::new(position);
    let plain = table.scene(&Look::new(&words));
    let flipped = table.scene(&Look {
        is_flipped: true,
        ..Look::new(&words)
    });
    let corner = |scene: &view::Scene, id: &str| scene.target(id).unwrap().at;
    assert!(corner(&plain, "a1").x < corner(&plain, "f6").x);
    assert!(corner(&flipped, "a1").x > corner(&flipped, "f6").x);
    assert!(corner(&flipped, "a1").y < corner(&flipped, "f6").y);
}
