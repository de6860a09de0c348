//! Positions set up by hand, one change at a time.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use lilypads::Lilypads;
use nonaga::{Hex, Nonaga};
use rules::{Game, MatchSetup, Player, Position, Random};
use simply_go::SimplyGo;
use takeover::{Square, Takeover};
use testkit::check_laws;
use view::{Edit, EditError, Language, Look, Picture, Table, Tool, Words};

/// The start of a match with the given options.
fn start<G: Game>(options: &[(&str, &str)]) -> G {
    let mut setup = G::Setup::default();
    for (name, value) in options {
        setup.set(name, value).unwrap();
    }
    G::start(&setup).unwrap()
}

/// The position after up to `n_moves` random moves.
fn random_position<G: Game>(start: &G, n_moves: u32, random: &mut Random) -> G {
    let mut position = start.clone();
    for _ in 0..n_moves {
        if let Some(&m) = random.pick(&position.legal_moves()) {
            position.play(m).unwrap();
        }
    }
    position
}

/// Everything that can be clicked.
fn spots<G: Picture>(position: &G) -> Vec<G::Spot> {
    let words = Words::of(Language::English);
    let scene = Table::new(position.clone()).scene(&Look::new(&words));
    let spots = scene.targets.iter().map(|target| target.id.parse());
    spots.map(|spot| spot.ok().unwrap()).collect()
}

fn random_edit<S: Copy>(spots: &[S], random: &mut Random) -> Edit<S> {
    let player = *random.pick(&Player::BOTH).unwrap();
    let [a, b] = [(); 2].map(|()| *random.pick(spots).unwrap());
    match random.below(10) {
        0..=2 => Edit::Put(a, player),
        3 => Edit::Block(a),
        4 => Edit::Remove(a),
        5..=8 => Edit::Move(a, b),
        _ => Edit::Turn(player),
    }
}

/// A change that was made can be seen, and making it again changes nothing or finds nothing.
#[track_caller]
fn check_edited<G: Picture>(edited: &G, edit: Edit<G::Spot>) {
    let again = edited.edited(edit);
    match edit {
        Edit::Put(..) | Edit::Block(_) => assert_eq!(again.as_ref(), Ok(edited)),
        Edit::Turn(player) => {
            assert_eq!(edited.turn(), player);
            assert_eq!(again.as_ref(), Ok(edited));
        }
        Edit::Remove(_) => assert_eq!(again.unwrap_err().key(), "edit.nothing"),
        Edit::Move(from, to) if from == to => assert_eq!(again.as_ref(), Ok(edited)),
        // A tile that a piece has left stays.
        Edit::Move(..) => assert!(again.is_err()),
    }
}

#[track_caller]
fn check_refusal(refusal: &EditError) {
    for language in Language::ALL {
        let words = Words::of(language);
        assert!(words.has(refusal.key()), "{}", refusal.key());
        let said = refusal.say(&words);
        assert!(!said.contains(['{', '}']) && said.len() > 5, "{said}");
    }
}

/// Makes many random changes to random positions, and returns the keys of all refusals.
fn edit_at_random<G: Picture>(options: &[(&str, &str)], n_moves: u32) -> BTreeSet<&'static str> {
    let start = start::<G>(options);
    let mut random = Random::new(7);
    let mut keys = BTreeSet::new();
    let mut n_edited = 0;
    for seed in 0..60 {
        let n_moves = random.below(n_moves);
        let mut position = random_position(&start, n_moves, &mut random);
        for index in 0..40 {
            let edit = random_edit(&spots(&position), &mut random);
            match position.edited(edit) {
                Ok(edited) => {
                    let text = edited.to_string();
                    assert_eq!(text.parse().ok().as_ref(), Some(&edited), "{text}");
                    if index == 20 {
                        check_laws(&edited, seed, 1);
                    }
                    check_edited(&edited, edit);
                    for option in G::Setup::options() {
                        assert_eq!(edited.option(option.name), position.option(option.name));
                    }
                    n_edited += 1;
                    position = edited;
                }
                Err(refusal) => {
                    check_refusal(&refusal);
                    keys.insert(refusal.key());
                }
            }
        }
    }
    assert!(n_edited > 300, "{n_edited}");
    keys
}

#[track_caller]
fn check_refusals<G: Picture>(options: &[(&str, &str)], n_moves: u32, expected: &[&'static str]) {
    let keys = edit_at_random::<G>(options, n_moves);
    assert_eq!(keys, expected.iter().copied().collect());
}

#[test]
fn random_edits_of_lilypads_give_legal_positions_or_a_reason() {
    let expected = [
        "edit.nothing",
        "edit.obstacles",
        "edit.won",
        "lilypads.edit.full",
        "lilypads.edit.home",
    ];
    check_refusals::<Lilypads>(&[("board", "7")], 40, &expected);
}

#[test]
fn random_edits_of_nonaga_give_legal_positions_or_a_reason() {
    let expected = [
        "edit.nothing",
        "edit.obstacles",
        "nonaga.edit.count",
        "nonaga.edit.split",
        "nonaga.edit.tile",
        "nonaga.refusal.off-board",
        "nonaga.refusal.taken",
    ];
    for variant in ["standard", "published"] {
        check_refusals::<Nonaga>(&[("variant", variant)], 30, &expected);
    }
}

#[test]
fn random_edits_of_takeover_give_legal_positions_or_a_reason() {
    for variant in ["standard", "ataxx"] {
        check_refusals::<Takeover>(&[("variant", variant)], 60, &["edit.nothing"]);
    }
}

#[test]
fn random_edits_of_simply_go_give_legal_positions_or_a_reason() {
    let expected = ["edit.nothing", "edit.obstacles", "simply-go.edit.moves"];
    check_refusals::<SimplyGo>(&[("size", "9"), ("mode", "moves:40")], 40, &expected);
    let expected = ["edit.nothing", "edit.obstacles", "edit.won"];
    check_refusals::<SimplyGo>(&[("size", "9"), ("mode", "target:5")], 80, &expected);
}

#[test]
fn places_beside_the_board_are_refused() {
    fn check<G: Picture>(options: &[(&str, &str)], inside: &str, outside: &str) {
        let position = start::<G>(options);
        let [inside, outside] = [inside, outside].map(|spot| spot.parse().ok().unwrap());
        let put = Edit::Put(outside, Player::First);
        for edit in [put, Edit::Move(inside, outside)] {
            let refusal = position.edited(edit).unwrap_err();
            let said = refusal.say(&Words::of(Language::English));
            assert_eq!(said, format!("There is no {outside} on this board."));
        }
        for edit in [Edit::Remove(outside), Edit::Move(outside, inside)] {
            let refusal = position.edited(edit).unwrap_err();
            assert_eq!(refusal.key(), "edit.nothing");
        }
    }
    check::<Takeover>(&[], "a6", "g3");
    let with_stone = start::<SimplyGo>(&[("size", "9")]);
    let with_stone = with_stone.edited(Edit::Put("A1".parse().unwrap(), Player::First));
    let to = "K3".parse().unwrap();
    let refused = with_stone
        .unwrap()
        .edited(Edit::Move("A1".parse().unwrap(), to));
    assert_eq!(refused, Err(EditError::no_such_place(to)));
    // It has no place beside the board, but plenty without a tile.
    let far = "1000000000,-1000000000".parse().unwrap();
    let nonaga = start::<Nonaga>(&[]);
    for (from, key) in [
        ("2,0", "nonaga.refusal.off-board"),
        ("0,0", "nonaga.edit.split"),
    ] {
        let refused = nonaga.edited(Edit::Move(from.parse().unwrap(), far));
        assert_eq!(refused.unwrap_err().key(), key);
    }
}

/// What an edit does, on positions as text.
#[track_caller]
fn check<G: Picture>(before: &str, edit: Edit<&str>, after: &str) {
    let position: G = before.parse().ok().unwrap();
    let edit = edit.try_map(str::parse).ok().unwrap();
    assert_eq!(position.edited(edit).unwrap().to_string(), after);
}

#[test]
fn pieces_in_hand_follow_from_the_board() {
    check::<Lilypads>(
        "#42 4,9 21 second",
        Edit::Put("21", Player::First),
        "#42 4,9,21 - second",
    );
    check::<Lilypads>(
        "#42 4,9 21 second",
        Edit::Move("9", "21"),
        "#42 4,21 - second",
    );
    check::<Lilypads>(
        "#42 4,9 21 second",
        Edit::Turn(Player::First),
        "#42 4,9 21 first",
    );
}

#[test]
fn only_one_side_can_have_crossed_the_pond() {
    let position: Lilypads = "#42 4,29 21 second".parse().unwrap();
    assert_eq!(position.graph().start(Player::Second).index(), 29);
    let key = |edit: Edit<&str>| {
        let edit = edit.try_map(str::parse).unwrap();
        let refusal = position.edited(edit).unwrap_err();
        check_refusal(&refusal);
        refusal.key()
    };
    assert_eq!(key(Edit::Move("21", "0")), "lilypads.edit.both");
    assert_eq!(key(Edit::Turn(Player::First)), "edit.won");
}

#[test]
fn an_edit_of_takeover_starts_the_count_of_quiet_moves_again() {
    let before = "xx4/xx-3/6/6/4oo/4oo x 99 60";
    check::<Takeover>(before, Edit::Block("f1"), "xx4/xx-3/6/6/4oo/4o- x 0 60");
    check::<Takeover>(before, Edit::Move("c5", "a6"), "-x4/xx4/6/6/4oo/4oo x 0 60");
    check::<Takeover>(
        before,
        Edit::Turn(Player::Second),
        "xx4/xx-3/6/6/4oo/4oo o 0 60",
    );
}

#[test]
fn a_turn_of_nonaga_begins_with_a_slide() {
    let start = start::<Nonaga>(&[("variant", "published")]);
    let slid = start.after("2,-2>-1,1".parse().unwrap());
    let shifted = slid.after("#1,-2>-3,1".parse().unwrap());
    assert!(shifted.to_string().ends_with("second slide -3,1"));
    for (position, player, end) in [
        (&slid, Player::First, "first slide -"),
        (&slid, Player::Second, "second slide -"),
        (&shifted, Player::First, "first slide -"),
        (&shifted, Player::Second, "second slide -3,1"),
    ] {
        let edited = position.edited(Edit::Turn(player)).unwrap();
        assert!(edited.to_string().ends_with(end), "{edited}");
    }
    // The barred tile is barred only where it was put.
    let [from, to] = ["-3,1", "-3,2"].map(|hex| hex.parse().unwrap());
    let moved = shifted.edited(Edit::Move(from, to)).unwrap();
    assert!(moved.to_string().ends_with("second slide -"), "{moved}");
}

#[test]
fn an_edit_of_simply_go_counts_the_moves_that_it_needs() {
    const ROWS: &str = "9/9/9/9/9/9/9/9";
    let text = |row: &str, rest: &str| format!("{ROWS}/{row} {rest}");
    let before = text("bw7", "b 0:0 2 0 moves:100");
    let before = &before[..];
    let put = |at, player| Edit::Put(at, player);
    check::<SimplyGo>(
        before,
        put("C1", Player::First),
        &text("bwb6", "b 0:0 4 0 moves:100"),
    );
    check::<SimplyGo>(
        before,
        Edit::Remove("B1"),
        &text("b8", "b 0:0 2 0 moves:100"),
    );
    check::<SimplyGo>(
        before,
        Edit::Turn(Player::Second),
        &text("bw7", "w 0:0 3 0 moves:100"),
    );
    // Captures and earlier passes stay counted; those in a row do not.
    check::<SimplyGo>(
        &text("b7B", "b 1:0 20 2 moves:100"),
        put("I1", Player::Second),
        &text("b7w", "b 1:0 22 0 moves:100"),
    );
}

#[test]
fn an_edit_and_its_opposite_leave_simply_go_as_it_was() {
    let mut random = Random::new(3);
    let start = start::<SimplyGo>(&[("size", "13"), ("mode", "moves:500")]);
    for _ in 0..100 {
        let n_moves = random.below(120);
        let position = random_position(&start, n_moves, &mut random);
        // Without passes in a row, which an edit forgets.
        let position = position.edited(Edit::Turn(position.turn())).unwrap();
        let edited = position.edited(Edit::Turn(!position.turn())).unwrap();
        let back = edited.edited(Edit::Turn(position.turn())).unwrap();
        assert_eq!(back, position);
        let free: Vec<_> = position.playable().iter().collect();
        let &spot = random.pick(&free).unwrap();
        let edited = position.edited(Edit::Put(spot, Player::Second)).unwrap();
        assert_eq!(edited.edited(Edit::Remove(spot)), Ok(position));
    }
}

#[test]
fn tools_name_themselves_and_make_their_edits() {
    fn check<G: Picture>() {
        let position = start::<G>(&[]);
        let spots = spots(&position);
        for tool in G::TOOLS {
            for language in Language::ALL {
                assert!(Words::of(language).has(&tool.label(G::NAME)), "{tool:?}");
            }
            assert_eq!(tool.edit::<G::Spot>(&[]), None);
            // Some place takes it: a tool is of use.
            let is_of_use = spots.iter().any(|&from| {
                let mut ends = spots.iter().map(|&to| tool.edit(&[from, to]).unwrap());
                ends.any(|edit| position.edited(edit).is_ok())
            });
            // The boards of some games are empty at the start.
            let needs_pieces = matches!(tool, Tool::Remove | Tool::Move);
            assert!(is_of_use || needs_pieces, "{tool:?} in {}", G::NAME);
        }
    }
    check::<Lilypads>();
    check::<Nonaga>();
    check::<Takeover>();
    check::<SimplyGo>();
    assert_eq!(Tool::Move.edit(&["a1"]), None);
    assert_eq!(Tool::Move.edit(&["a1", "b2"]), Some(Edit::Move("a1", "b2")));
    assert_eq!(
        Tool::Put(Player::Second).edit(&["a1"]),
        Some(Edit::Put("a1", Player::Second))
    );
}

#[test]
fn edits_reach_every_position_of_a_match_of_lilypads() {
    let start = start::<Lilypads>(&[("board", "7")]);
    let mut random = Random::new(1);
    let mut n_over = 0;
    for n_moves in 0..200 {
        let target = random_position(&start, n_moves, &mut random);
        n_over += u32::from(target.outcome().is_some());
        let mut position = start.edited(Edit::Turn(target.turn())).unwrap();
        for player in Player::BOTH {
            for circle in target.pieces(player) {
                position = position.edited(Edit::Put(circle, player)).unwrap();
            }
        }
        assert_eq!(position, target);
    }
    assert!(n_over > 0, "some matches are over by then");
}

#[test]
fn edits_reach_every_board_of_a_match_of_takeover() {
    for variant in ["standard", "ataxx"] {
        let here = start::<Takeover>(&[("variant", variant), ("board", "5")]);
        // Another board, so that obstacles move, too.
        let there = start::<Takeover>(&[("variant", variant), ("board", "6")]);
        let mut random = Random::new(2);
        for n_moves in 0..100 {
            let target = random_position(&there, n_moves, &mut random);
            let mut position = here.edited(Edit::Turn(target.turn())).unwrap();
            for square in spots(&here) {
                let edit = edit_to(&target, square);
                position = match position.edited(edit) {
                    Ok(edited) => edited,
                    Err(refusal) => {
                        assert_eq!(refusal.key(), "edit.nothing");
                        position
                    }
                };
            }
            let without_counts = |position: &Takeover| {
                let text = position.to_string();
                text.rsplitn(3, ' ').last().unwrap().to_owned()
            };
            assert_eq!(without_counts(&position), without_counts(&target));
        }
    }
}

/// The edit that makes `square` as it is in `target`.
fn edit_to(target: &Takeover, square: Square) -> Edit<Square> {
    let mut players = Player::BOTH.into_iter();
    match players.find(|&player| target.pieces(player).contains(square)) {
        Some(player) => Edit::Put(square, player),
        None if target.obstacles().contains(square) => Edit::Block(square),
        None => Edit::Remove(square),
    }
}

#[test]
fn edits_reach_every_arrangement_of_stones_of_a_match_of_simply_go() {
    let start = start::<SimplyGo>(&[("size", "9"), ("mode", "moves:100")]);
    let mut random = Random::new(4);
    let mut n_same = 0;
    for n_moves in 0..90 {
        let mut target = start.clone();
        for _ in 0..n_moves {
            // No passes: they can't be seen on the board.
            let free: Vec<_> = target.playable().iter().collect();
            if let Some(&point) = random.pick(&free) {
                target.play(simply_go::Move::Place(point)).unwrap();
            }
        }
        let mut position = start.edited(Edit::Turn(target.turn())).unwrap();
        for player in Player::BOTH {
            for point in target.stones(player).iter() {
                position = position.edited(Edit::Put(point, player)).unwrap();
            }
        }
        for player in Player::BOTH {
            assert_eq!(position.stones(player), target.stones(player));
            assert_eq!(position.n_captures(player), 0);
        }
        assert_eq!(position.turn(), target.turn());
        // Forts and captures can't be put.
        let has_captures = Player::BOTH.iter().any(|&p| target.n_captures(p) > 0);
        let has_forts = Player::BOTH.iter().any(|&p| !target.forts(p).is_empty());
        if !has_captures && !has_forts {
            assert_eq!(position, target);
            n_same += 1;
        }
    }
    assert!(n_same > 10, "{n_same}");
}

#[test]
fn edits_reach_every_board_of_a_match_of_nonaga() {
    let start = start::<Nonaga>(&[]);
    let mut random = Random::new(5);
    for n_turns in 0..40 {
        // A whole number of turns.
        let target = random_position(&start, 2 * n_turns, &mut random);
        let target = target.with_turn(target.turn());
        let mut position = start.edited(Edit::Turn(target.turn())).unwrap();
        while let Some(edit) = next_tile(&position, &target) {
            position = position.edited(edit).unwrap();
        }
        while let Some(edit) = next_piece(&position, &target) {
            position = position.edited(edit).unwrap();
        }
        assert_eq!(position, target);
    }
}

fn occupied(position: &Nonaga) -> Vec<Hex> {
    let pieces = Player::BOTH.into_iter();
    pieces.flat_map(|player| position.pieces(player)).collect()
}

/// The next step toward the tiles of `target`: the tile farthest from those that are in
/// place goes beside them. A piece on it leaves first.
fn next_tile(position: &Nonaga, target: &Nonaga) -> Option<Edit<Hex>> {
    let tiles: Vec<Hex> = position.tiles().iter().collect();
    let is_right = |hex: &Hex| target.tiles().contains(*hex);
    // The tiles in order of their distance from those in place.
    let mut reached: Vec<Hex> = tiles.iter().copied().find(is_right).into_iter().collect();
    let mut n_in_place = 0;
    for is_wanted in [true, false] {
        let mut next = 0;
        while let Some(&hex) = reached.get(next) {
            let beside = hex.neighbors().into_iter().filter(|beside| {
                let is_tile = position.tiles().contains(*beside);
                is_tile && (!is_wanted || is_right(beside))
            });
            for beside in beside {
                if !reached.contains(&beside) {
                    reached.push(beside);
                }
            }
            next += 1;
        }
        if is_wanted {
            n_in_place = reached.len();
        }
    }
    assert_eq!(reached.len(), tiles.len(), "all are connected");
    let (in_place, others) = reached.split_at(n_in_place);
    let &farthest = others.last()?;
    let occupied = occupied(position);
    if occupied.contains(&farthest) {
        let free = tiles.iter().find(|hex| !occupied.contains(hex));
        return Some(Edit::Move(farthest, *free.unwrap()));
    }
    let mut beside = in_place.iter().flat_map(|hex| hex.neighbors());
    let place = beside.find(|hex| is_right(hex) && !position.tiles().contains(*hex));
    Some(Edit::Move(farthest, place.unwrap()))
}

/// The next step toward the pieces of `target`.
fn next_piece(position: &Nonaga, target: &Nonaga) -> Option<Edit<Hex>> {
    let occupied = occupied(position);
    let wrong = |player: Player| {
        let target = target.pieces(player);
        let mut pieces = position.pieces(player).into_iter();
        let piece = pieces.find(|hex| !target.contains(hex))?;
        let pieces = position.pieces(player);
        let place = target.into_iter().find(|hex| !pieces.contains(hex))?;
        Some((piece, place))
    };
    let (piece, place) = Player::BOTH.into_iter().find_map(wrong)?;
    if !occupied.contains(&place) {
        return Some(Edit::Move(piece, place));
    }
    // A piece of the opponent makes room on a tile that nobody wants.
    let wanted = self::occupied(target);
    let mut tiles = position.tiles().iter();
    let free = tiles.find(|hex| !occupied.contains(hex) && !wanted.contains(hex));
    Some(Edit::Move(place, free.unwrap()))
}
