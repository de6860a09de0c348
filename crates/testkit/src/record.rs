use rules::{
    Game, Player, Random, Record,
    record::{NoSuchNode, NodeId, TimeControl},
};

/// Plays a random match of at most `n_moves` moves, with take-backs, variations,
/// clocks and controls, and checks that its record survives undo, redo, a file
/// and a link.
///
/// # Panics
///
/// Panics if it does not.
#[track_caller]
pub fn check_record<G: Game>(setup: G::Setup, seed: u64, n_moves: usize) {
    let mut random = Random::new(seed);
    let mut record = Record::<G>::new(setup).expect("the setup is right");
    if random.below(2) == 0 {
        record.set_player_name(Player::First, "Ada  L.\n");
        let whole = TimeControl::Match {
            base: 300_000,
            increment: 5_000,
        };
        let time_controls = [whole, TimeControl::Turn(30_000)];
        record.set_time_control(random.pick(&time_controls).copied());
    }
    for _ in 0..n_moves {
        if record.ending().is_some() {
            break;
        }
        disturb(&mut record, &mut random);
        let moves = record.position().legal_moves();
        let m = *random
            .pick(&moves)
            .expect("a match goes on while there are moves");
        record.play(m).expect("the move was listed");
        if record.time_control().is_some() {
            record.set_time_left(random.any() >> random.below(64));
        }
    }
    if record.ending().is_none() {
        let player = Player::BOTH[random.below(2) as usize];
        let ended = match random.below(4) {
            0 => record.resign(player),
            1 => record.agree_draw(),
            2 => record.time_out(player),
            _ => Ok(()),
        };
        assert_eq!(ended, Ok(()));
    }
    check_undo(&mut record);
    check_texts(&record);
    for _ in 0..20 {
        meddle(&mut record, &mut random);
        check_texts(&record);
    }
}

/// Comments with everything that could be taken for something else.
const COMMENTS: [&str; 5] = [
    "",
    "good",
    "a \"fine\" move (or not) {5000} !resign:first",
    " back\\slash \\\" and\nbreaks ",
    "待った。",
];

/// Calls any method of a record, wherever the cursor is.
fn meddle<G: Game>(record: &mut Record<G>, random: &mut Random) {
    let player = Player::BOTH[random.below(2) as usize];
    let m = random.pick(&record.position().legal_moves()).copied();
    // Rejected calls change nothing, which the texts show.
    match random.below(14) {
        0..=2 => {
            record.undo();
        }
        3 => {
            record.redo();
        }
        4 => drop(m.map(|m| record.play(m))),
        5..=6 => drop(m.map(|m| record.explore(m))),
        7 => drop(record.take_back(player)),
        8 => drop(record.resign(player)),
        9 => record.note_hint(),
        10 => record.set_comment(random.pick(&COMMENTS).copied().unwrap_or_default()),
        11 => record.promote_line(),
        12 => drop(record.promote(any_node(record, random))),
        _ => check_delete(record, any_node(record, random)),
    }
}

/// Any node of the record.
fn any_node<G: Game>(record: &Record<G>, random: &mut Random) -> NodeId {
    let mut nodes = nodes_after(record, NodeId::ROOT);
    nodes.push(NodeId::ROOT);
    *random.pick(&nodes).expect("there is a start")
}

/// All nodes after `id`.
fn nodes_after<G: Game>(record: &Record<G>, id: NodeId) -> Vec<NodeId> {
    let mut nodes = record.children(id);
    let mut next = 0;
    while let Some(&id) = nodes.get(next) {
        nodes.extend(record.children(id));
        next += 1;
    }
    nodes
}

/// A node is deleted with everything after it, and nothing else.
fn check_delete<G: Game>(record: &mut Record<G>, id: NodeId) {
    let before = record.clone();
    let is_start = id == NodeId::ROOT;
    assert_eq!(record.delete(id), !is_start);
    let mut deleted = nodes_after(&before, id);
    deleted.push(id);
    deleted.retain(|_| !is_start);
    for &id in &deleted {
        assert_eq!(record.position_at(id), None);
        assert_eq!(record.go_to(id), Err(NoSuchNode(id)));
    }
    for id in nodes_after(&before, NodeId::ROOT) {
        if !deleted.contains(&id) {
            assert_eq!(record.line(id), before.line(id), "other nodes stay");
        }
    }
    let cursor = before.cursor();
    let expected = if deleted.contains(&cursor) {
        before.parent(id)
    } else {
        Some(cursor)
    };
    assert_eq!(Some(record.cursor()), expected);
}

/// Sometimes adds a variation, or takes a turn back.
fn disturb<G: Game>(record: &mut Record<G>, random: &mut Random) {
    match random.below(16) {
        0 => {
            let moves = record.position().legal_moves();
            let m = *random.pick(&moves).expect("the match goes on");
            record.explore(m).expect("the move was listed");
            if record.ending().is_none() && random.below(2) == 0 {
                disturb(record, random);
            }
            record.go_to_end();
        }
        1 => {
            let player = record.position().turn();
            // There may be nothing to take back yet.
            record.take_back(player).ok();
        }
        _ => {}
    }
}

/// Undo leads back to the start at every ply, and redo to the end again.
fn check_undo<G: Game>(record: &mut Record<G>) {
    record.go_to_end();
    let ending = record.ending();
    let moves = record.moves();
    let mut position = record.position().clone();
    let mut undone = Vec::new();
    while let Some(m) = record.undo() {
        assert_eq!(
            record.position().after(m),
            position,
            "undoing {m} gives the position before it"
        );
        position = record.position().clone();
        undone.push(m);
    }
    undone.reverse();
    assert_eq!(undone, moves);
    assert_eq!(record.n_moves(), 0);
    for &m in &moves {
        assert_eq!(record.redo(), Some(m));
    }
    assert_eq!(record.redo(), None);
    assert_eq!(record.ending(), ending);
    assert_eq!(record.moves(), moves);
}

fn check_texts<G: Game>(record: &Record<G>) {
    let text = record.to_string();
    let from_text: Record<G> = match text.parse() {
        Ok(record) => record,
        Err(e) => panic!("{e} in\n{text}"),
    };
    assert_eq!(from_text, *record, "the file\n{text}");
    assert_eq!(from_text.to_string(), text);
    // A parsed record has its cursor at the end of the main line.
    let mut at_end = record.clone();
    at_end.go_to_end();
    assert_eq!(from_text.moves(), at_end.moves());

    let link = record.to_link();
    let from_link = match Record::<G>::from_link(&link) {
        Ok(record) => record,
        Err(e) => panic!("{e} in\n{link}"),
    };
    assert_eq!(from_link, *record, "the link {link}");
    assert_eq!(from_link.to_string(), text);
    let is_url_safe = |c: char| c.is_ascii_alphanumeric() || "-._~:".contains(c);
    assert!(link.chars().all(is_url_safe), "{link}");
}
