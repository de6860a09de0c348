//! Games chosen at run time, with moves and positions as text.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use catalog::{
    AnyGame, AnyMatch, AnyStart, CatalogError, Editing, GAMES, find, notations, notations_in,
    read_file, read_link,
};
use rules::{Game, Outcome, Player, Random, Record, record::NodeId};
use view::{Edit, Language, Look, Words};

/// A match of `game` with so many random moves.
fn random_match(game: &dyn AnyGame, n_moves: usize, seed: u64) -> Box<dyn AnyMatch> {
    let mut random = Random::new(seed);
    let mut playing = game.start(&[]).unwrap();
    for _ in 0..n_moves {
        if playing.ending().is_none() {
            let moves = playing.legal_moves();
            playing.play(random.pick(&moves).unwrap()).unwrap();
        }
    }
    playing
}

#[test]
fn every_game_is_found_by_its_name() {
    for game in GAMES {
        let found = find(game.name()).unwrap();
        assert_eq!(found.name(), game.name());
        assert!(found.rules_version() > 0);
        assert_eq!(found.start(&[]).unwrap().game(), game.name());
    }
    let error = find("chess").err().unwrap().to_string();
    let names = GAMES.map(|game| game.name()).join(", ");
    assert_eq!(
        error,
        format!("there is no game \"chess\"; expected {names}")
    );
}

/// A line that a record does not have is written like one that was played.
#[test]
fn lines_have_the_notation_of_move_lists() {
    for game in GAMES {
        let played = random_match(game, 12, 3);
        let line = played.line(played.cursor());
        let expected: Vec<_> = line.iter().filter_map(|&id| played.notation(id)).collect();
        assert_eq!(expected.len(), played.moves().len());
        let mut moves = played.moves();
        let start = &*game.start(&[]).unwrap();
        assert_eq!(notations(start, start.cursor(), &moves), expected);
        assert_eq!(notations(&*played, line[5], &moves[5..]), expected[5..]);
        // Many lines in one copy.
        let mut playing = start.boxed_clone();
        let legal = start.legal_moves();
        for first in legal
            .iter()
            .take(5)
            .map(std::slice::from_ref)
            .chain([&*moves])
        {
            let found = notations_in(&mut *playing, start.cursor(), first);
            assert_eq!(found, notations(start, start.cursor(), first));
        }
        // What is not legal ends a line.
        moves.insert(2, "nonsense".to_owned());
        assert_eq!(notations(start, start.cursor(), &moves), expected[..2]);
    }
}

/// A hyphen between two places is none: `8-13` is no subtraction. Nonaga has coordinates.
#[test]
fn only_coordinates_have_a_minus_sign() {
    for game in GAMES {
        let played = random_match(game, 12, 3);
        let start = &*game.start(&[]).unwrap();
        let found = notations(start, start.cursor(), &played.moves()).join(" ");
        let has = [found.contains('\u{2212}'), found.contains('-')];
        match game.name() {
            "nonaga" => assert_eq!(has, [true, false], "{found}"),
            "lilypads" => assert_eq!(has, [false, true], "{found}"),
            _ => assert!(!has[0], "{found}"),
        }
    }
}

#[test]
fn moves_are_played_undone_and_counted() {
    for game in GAMES {
        let mut playing = random_match(game, 6, 1);
        let moves = playing.moves();
        assert_eq!(moves.len(), 6);
        let position = playing.position();
        assert_eq!(playing.perft(1), playing.legal_moves().len() as u64);
        assert_eq!(playing.undo(), moves.last().cloned());
        assert_ne!(playing.position(), position);
        assert_eq!(playing.redo(), moves.last().cloned());
        assert_eq!(playing.position(), position);
        let again = game.start_from(&position).unwrap();
        assert_eq!(again.legal_moves(), playing.legal_moves());
        assert_eq!(again.turn(), playing.turn());
        // A copy is independent.
        let mut copy = playing.clone();
        copy.play(&copy.legal_moves()[0]).unwrap();
        assert_eq!(playing.position(), position);
    }
}

#[test]
fn invalid_input_is_rejected_and_changes_nothing() {
    for game in GAMES {
        let mut playing = random_match(game, 4, 2);
        let before = playing.to_string();
        assert!(matches!(
            playing.play("nonsense"),
            Err(CatalogError::Move { .. })
        ));
        assert!(matches!(
            playing.explore(""),
            Err(CatalogError::Move { .. })
        ));
        assert_eq!(playing.to_string(), before);
        assert!(game.start_from("nonsense").is_err());
        assert!(game.start(&[("weather", "fine")]).is_err());
    }
    let mut nonaga = find("nonaga").unwrap().start(&[]).unwrap();
    assert_eq!(
        nonaga.play("2,-2>0,0"),
        Err(CatalogError::IllegalMove("2,-2>0,0".to_owned()))
    );
}

#[test]
fn controls_reach_the_record() {
    let game = find("takeover").unwrap();
    let ending = |act: fn(&mut dyn AnyMatch)| {
        let mut playing = random_match(game, 4, 3);
        act(&mut *playing);
        assert!(matches!(playing.play("a1"), Err(CatalogError::Over(_))));
        playing.ending().unwrap().outcome
    };
    let resigned = ending(|playing| playing.resign(Player::First).unwrap());
    assert_eq!(resigned, Outcome::Win(Player::Second));
    assert_eq!(
        ending(|playing| playing.agree_draw().unwrap()),
        Outcome::Draw
    );
    let late = ending(|playing| playing.time_out(Player::Second).unwrap());
    assert_eq!(late, Outcome::Win(Player::First));

    let mut playing = random_match(game, 3, 3);
    assert_eq!(playing.take_back(Player::First), Ok(1));
    assert_eq!(playing.take_back(Player::First), Ok(2));
    assert!(playing.take_back(Player::First).is_err());
}

/// Whether a record of `G` takes a link.
fn takes<G: Game>(link: &str) -> bool {
    Record::<G>::from_link(link).is_ok()
}

#[test]
fn files_and_links_find_their_game() {
    let takers = [
        takes::<lilypads::Lilypads>,
        takes::<nonaga::Nonaga>,
        takes::<takeover::Takeover>,
        takes::<simply_go::SimplyGo>,
    ];
    for game in GAMES {
        let playing = random_match(game, 20, 4);
        let file = playing.to_string();
        assert_eq!(read_file(&file).unwrap().to_string(), file);
        assert_eq!(read_link(&playing.to_link()).unwrap().to_string(), file);
        for other in GAMES.iter().filter(|other| other.name() != game.name()) {
            assert!(other.read_file(&file).is_err());
        }
        let link = playing.to_link();
        for (other, takes) in GAMES.iter().zip(takers) {
            assert_eq!(
                takes(&link),
                other.name() == game.name(),
                "{}",
                other.name()
            );
        }
    }
    let unknown = "parlour record 1\ngame: chess\nrules: 1\nresult: none\n";
    assert!(matches!(
        read_file(unknown),
        Err(CatalogError::NoSuchGame(_))
    ));
    assert!(read_file("").is_err());
    assert!(read_link("").is_err());
}

#[test]
fn a_position_shows_its_options() {
    let shown = |game: &str, text: &str, name: &str| {
        find(game).unwrap().start_from(text).unwrap().option(name)
    };
    let ataxx = "x5o/7/7/7/7/7/o5x x 0 1";
    assert_eq!(
        shown("takeover", ataxx, "variant").as_deref(),
        Some("ataxx")
    );
    // The board number can't be derived from the obstacles.
    assert_eq!(shown("takeover", ataxx, "board"), None);
    assert_eq!(
        shown("lilypads", "#7 - - first", "board").as_deref(),
        Some("7")
    );
    assert_eq!(shown("lilypads", "#7 - - first", "variant"), None);
}

#[test]
fn every_node_can_be_visited_and_says_the_same_as_a_replay() {
    for game in GAMES {
        let mut playing = random_match(game, 8, 3);
        let end = playing.cursor();
        playing.undo();
        playing.undo();
        let other = playing.legal_moves().pop().unwrap();
        playing.play(&other).unwrap();
        let variation = playing.cursor();
        assert!(playing.ancestors(variation).contains(&NodeId::ROOT));

        let nodes = playing.line(end).into_iter().chain([variation]);
        for node in nodes {
            playing.go_to(node).unwrap();
            let line = playing.line(node);
            let moves: Vec<_> = line.iter().filter_map(|&id| playing.move_to(id)).collect();
            assert_eq!(playing.moves(), moves);
            assert_eq!(playing.turn_at(node), Some(playing.turn()));
            assert_eq!(playing.ending_at(node), playing.ending());
            let AnyStart::Setup(choices) = playing.start() else {
                panic!("it began with a setup");
            };
            let choices: Vec<_> = choices.iter().map(|(name, v)| (*name, &**v)).collect();
            let mut replay = game.start(&choices).unwrap();
            for m in &moves {
                replay.play(m).unwrap();
            }
            assert_eq!(replay.position(), playing.position());
            let children = playing.children(node);
            assert_eq!(playing.next(node), children.first().copied());
        }
        let text = playing.position();
        let begun = game.start_from(&text).unwrap();
        assert_eq!(begun.start(), AnyStart::Position(text));

        playing.promote(end).unwrap();
        assert!(playing.delete(variation));
        let line = playing.line(end);
        assert_eq!(line.len(), 9);
        assert_eq!(playing.children(line[6]), [line[7]]);
        assert_eq!(playing.cursor(), line[6]);
    }
}

#[test]
fn moves_are_listed_as_people_read_them_and_can_be_typed_so() {
    for game in GAMES {
        let mut playing = random_match(game, 30, 3);
        let line = playing.line(playing.cursor());
        assert_eq!(
            playing.notation(line[0]),
            None,
            "no move leads to the start"
        );
        for pair in line.windows(2) {
            let listed = playing.notation(pair[1]).unwrap();
            let m = playing.move_to(pair[1]).unwrap();
            playing.go_to(pair[0]).unwrap();
            let read = playing.table().read_move(&listed);
            assert_eq!(read, Some(m), "{listed}");
        }
    }
}

#[test]
fn all_of_the_last_turn_is_marked() {
    let mut playing = find("nonaga").unwrap().start(&[]).unwrap();
    for m in ["2,-2>-1,1", "#1,-2>-3,1"] {
        playing.play(m).unwrap();
    }
    let words = Words::of(Language::English);
    let scene = playing.table().scene(&Look::new(&words));
    let still = scene.nodes.iter().filter(|node| node.key.is_none());
    let shapes = still.flat_map(|node| node.shapes.iter());
    let strokes = shapes.filter(|shape| shape.stroke.is_some());
    let marked: Vec<&str> = strokes
        .filter_map(|shape| Some(&*scene.hit(shape.bounds().center(), 0.0)?.id))
        .collect();
    for end in ["2,-2", "-1,1", "1,-2", "-3,1"] {
        assert!(marked.contains(&end), "{end} is not in {marked:?}");
    }
}

#[test]
fn a_position_is_set_up_by_hand_and_then_played() {
    for game in GAMES {
        let playing = random_match(game, 9, 5);
        let before = playing.to_string();
        let words = Words::of(Language::English);
        let scene = playing.table().scene(&Look::new(&words));
        let names: Vec<&str> = scene.targets.iter().map(|target| &*target.id).collect();
        let mut random = Random::new(6);
        for tool in playing.tools() {
            // Some clicks work, and all others have a reason.
            let clicks = || [(); 2].map(|()| *random.pick(&names).unwrap());
            let edits = std::iter::repeat_with(clicks).take(200);
            let mut n_edited = 0;
            for edit in edits.filter_map(|clicked| tool.edit(&clicked)) {
                match playing.edited(edit) {
                    Ok(mut edited) => {
                        n_edited += 1;
                        let position = edited.position();
                        assert_eq!(edited.start(), AnyStart::Position(position.clone()));
                        assert!(game.start_from(&position).is_ok());
                        if let Some(m) = edited.legal_moves().pop() {
                            edited.play(&m).unwrap();
                        }
                    }
                    Err(refusal) => assert_ne!(refusal.say(&words), refusal.key()),
                }
            }
            assert!(n_edited > 0, "{tool:?} in {}", game.name());
        }
        for name in ["", "nonsense", "Z99", "1,x"] {
            let refusal = playing.edited(Edit::Remove(name)).err().unwrap();
            assert_eq!(refusal.key(), "edit.off-board", "{name:?}");
        }
        assert_eq!(playing.to_string(), before, "the match itself is the same");
    }
}

#[test]
fn the_other_player_moves_in_the_same_position() {
    for game in GAMES {
        let mut n_passed = 0;
        for seed in 0..20 {
            let playing = random_match(game, 3 * seed as usize, seed);
            let Some(passed) = playing.passed() else {
                continue;
            };
            n_passed += 1;
            assert_eq!(passed.turn(), !playing.turn());
            assert!(passed.ending().is_none());
            assert!(!passed.legal_moves().is_empty());
            // Back again, it is what an edit gives.
            let back = passed.passed().map(|back| back.position());
            let begun = playing.edited(Edit::Turn(playing.turn())).ok().unwrap();
            assert_eq!(back, Some(begun.position()));
        }
        assert!(n_passed > 10, "{}", game.name());
    }
}

#[test]
fn there_are_no_threats_where_nobody_could_move() {
    let passed = |game: &str, text: &str| {
        let playing = find(game).unwrap().start_from(text).unwrap();
        playing.passed().map(|passed| passed.position())
    };
    let start = "xx4/xx4/6/6/4oo/4oo x 7 3";
    let other = "xx4/xx4/6/6/4oo/4oo o 0 3";
    assert_eq!(passed("takeover", start).as_deref(), Some(other));
    // The second player has no piece, and would have lost.
    assert_eq!(passed("takeover", "x5/6/6/6/6/6 x 0 1"), None);
    // The first player has won.
    assert_eq!(passed("lilypads", "#42 4,29 21 second"), None);
    // A pass would be the last move.
    let rows = "bwbwbwbwb/".repeat(8) + "9";
    assert_eq!(
        passed("simply-go", &format!("{rows} w 0:0 199 0 moves:200")),
        None
    );
}
