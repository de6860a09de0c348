//! Somebody solving puzzles: right moves lead on, wrong ones change nothing, hints are
//! legal, and no sequence of events gets stuck.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use catalog::GAMES;
use puzzles::{
    Attempt, AttemptTally, Day, Event, Phase, Puzzle, PuzzleFeedback, PuzzleHint, PuzzleRating,
    Scores, all, phrases, share_text, task, title,
};
use rules::Random;
use view::{Click, Language, Look, Words};

/// Some puzzles of every game.
fn some(step: usize) -> impl Iterator<Item = Puzzle> {
    let games = GAMES.into_iter().map(|game| all(game.name()));
    games.flat_map(move |collection| collection.iter().step_by(step).collect::<Vec<_>>())
}

fn words() -> [Words; 2] {
    Language::ALL.map(|language| Words::with(language, phrases(language)))
}

fn attempt(puzzle: &Puzzle) -> Attempt {
    Attempt::new(puzzle.clone()).unwrap()
}

fn position(attempt: &Attempt) -> String {
    attempt.sitting().record().position()
}

/// The targets of the board.
fn targets(attempt: &Attempt) -> Vec<String> {
    let words = Words::of(Language::English);
    let scene = attempt.sitting().record().table().scene(&Look::new(&words));
    scene.targets.into_iter().map(|target| target.id).collect()
}

/// The targets to activate for the move `m`.
fn clicks(attempt: &Attempt, m: &str) -> Vec<String> {
    let record = attempt.sitting().record();
    if record.table().pass().as_deref() == Some(m) {
        return vec!["pass".to_owned()];
    }
    let ids = targets(attempt);
    for first in &ids {
        let mut table = record.table();
        match table.click(first) {
            Click::Move(found) if found == m => return vec![first.clone()],
            Click::Picked => {
                for second in ids.iter().filter(|id| table.leads_on(id)) {
                    let mut table = record.table();
                    table.click(first);
                    if table.click(second) == Click::Move(m.to_owned()) {
                        return vec![first.clone(), second.clone()];
                    }
                }
            }
            _ => {}
        }
    }
    panic!("{m} can't be clicked");
}

/// Plays the solution by clicks.
#[test]
fn solutions_solve() {
    for puzzle in some(16) {
        let mut attempt = attempt(&puzzle);
        for (index, m) in puzzle.solution().iter().enumerate() {
            if attempt.sitting().record().turn() == puzzle.solver() {
                assert_eq!(attempt.phase(), Phase::Solver, "{puzzle}");
                for id in clicks(&attempt, m) {
                    attempt.update(Event::Activate(id));
                }
            } else {
                assert_eq!(attempt.phase(), Phase::Reply, "{puzzle}");
                attempt.update(Event::Proceed);
            }
            assert_eq!(
                attempt.sitting().record().moves().len(),
                index + 1,
                "{puzzle}"
            );
        }
        assert_eq!(attempt.turns_left(), 1, "{puzzle}");
        assert_eq!(attempt.answer(), Some(&PuzzleFeedback::Solved), "{puzzle}");
        assert_eq!(
            (attempt.phase(), attempt.tally()),
            (Phase::Done, AttemptTally::default())
        );
        assert_eq!(attempt.sitting().record().moves(), puzzle.solution());
        // Nothing more happens.
        let end = position(&attempt);
        for event in [Event::Proceed, Event::Hint, Event::Reveal, Event::TakeBack] {
            attempt.update(event);
            assert_eq!(
                (position(&attempt), attempt.tally()),
                (end.clone(), AttemptTally::default())
            );
        }
    }
}

#[test]
fn wrong_moves_are_counted_and_taken_back() {
    let words = words();
    for puzzle in some(16) {
        let start = attempt(&puzzle);
        let moves = start.sitting().record().legal_moves();
        let wrong = moves.iter().filter(|m| **m != puzzle.solution()[0]);
        for m in wrong.take(12) {
            let mut attempt = attempt(&puzzle);
            for id in clicks(&attempt, m) {
                attempt.update(Event::Activate(id));
            }
            assert_eq!(attempt.phase(), Phase::Wrong, "{m} in {puzzle}");
            assert_eq!(attempt.tally().wrong_tries, 1);
            assert!(!attempt.may_act());
            // An engine answers it, with anything legal or not.
            let reply = attempt.sitting().record().legal_moves().pop();
            attempt.update(Event::Refute("rubbish".to_owned()));
            if attempt.sitting().record().turn() != puzzle.solver() {
                attempt.update(Event::Refute(reply.clone().unwrap_or_default()));
                let n_moves = 1 + usize::from(reply.is_some());
                assert_eq!(
                    attempt.sitting().record().moves().len(),
                    n_moves,
                    "{m} in {puzzle}"
                );
            }
            attempt.update(Event::TakeBack);
            assert_eq!(position(&attempt), puzzle.position(), "{m} in {puzzle}");
            assert!(attempt.may_act());
            for words in &words {
                assert!(attempt.answer_text(words).is_some());
            }
        }
    }
}

/// A right move of a turn of two, and a wrong one: the whole turn of the opponent answers it.
#[test]
fn a_wrong_second_move_is_answered_by_a_whole_turn() {
    let mut n_turns = 0;
    let of_two_turns = |puzzle: &Puzzle| puzzle.goal().turns() == 2;
    for puzzle in some(8).filter(|puzzle| puzzle.game() == "nonaga" && of_two_turns(puzzle)) {
        let mut begun = attempt(&puzzle);
        begun.update(Event::Typed(puzzle.solution()[0].clone()));
        let shifts = begun.sitting().record().legal_moves();
        let wrong = shifts.iter().filter(|m| **m != puzzle.solution()[1]);
        for m in wrong.step_by(5).take(8) {
            let mut attempt = attempt(&puzzle);
            attempt.update(Event::Typed(puzzle.solution()[0].clone()));
            let before = position(&attempt);
            attempt.update(Event::Typed(m.clone()));
            assert_eq!(attempt.phase(), Phase::Wrong, "{m} in {puzzle}");
            let mut n_replies = 0;
            while attempt.sitting().record().turn() != puzzle.solver()
                && attempt.sitting().record().ending().is_none()
            {
                assert!(attempt.may_refute(), "{m} in {puzzle}");
                let reply = attempt.sitting().record().legal_moves().pop();
                attempt.update(Event::Refute(reply.unwrap()));
                n_replies += 1;
                let n_moves = attempt.sitting().record().moves().len();
                assert_eq!(n_moves, 2 + n_replies, "{m} in {puzzle}");
            }
            n_turns += usize::from(n_replies == 2);
            // Then it is the solver's turn again, or over, and nothing more is played.
            assert!(!attempt.may_refute());
            let reply = attempt.sitting().record().legal_moves().pop();
            attempt.update(Event::Refute(reply.unwrap_or_default()));
            let n_moves = attempt.sitting().record().moves().len();
            assert_eq!(n_moves, 2 + n_replies, "{m} in {puzzle}");
            attempt.update(Event::TakeBack);
            assert_eq!(position(&attempt), before, "{m} in {puzzle}");
            assert!(attempt.may_act());
        }
    }
    assert!(n_turns > 50, "only {n_turns} answers of two moves");
}

/// The last move may be any that reaches the goal.
#[test]
fn another_last_move_counts() {
    let mut n_others = 0;
    for puzzle in some(3).filter(|puzzle| puzzle.goal().turns() > 1) {
        let mut start = attempt(&puzzle);
        while start.sitting().record().moves().len() + 1 < puzzle.plies() {
            let n_moves = start.sitting().record().moves().len();
            start.update(Event::Proceed);
            start.update(Event::Typed(puzzle.solution()[n_moves].clone()));
        }
        let moves = start.sitting().record().legal_moves();
        for m in moves
            .iter()
            .filter(|m| Some(*m) != puzzle.solution().last())
        {
            let mut record = start.sitting().record().boxed_clone();
            record.play(m).unwrap();
            let is_win = record
                .ending()
                .is_some_and(|ending| ending.outcome == rules::Outcome::Win(puzzle.solver()));
            if puzzle.goal().name() == "win" && is_win {
                let mut attempt = attempt(&puzzle);
                while attempt.sitting().record().moves().len() + 1 < puzzle.plies() {
                    let n_moves = attempt.sitting().record().moves().len();
                    attempt.update(Event::Proceed);
                    attempt.update(Event::Typed(puzzle.solution()[n_moves].clone()));
                }
                attempt.update(Event::Typed(m.clone()));
                assert_eq!(
                    attempt.answer(),
                    Some(&PuzzleFeedback::Solved),
                    "{m} in {puzzle}"
                );
                n_others += 1;
            }
        }
    }
    assert!(n_others > 0, "some puzzle has another last move");
}

#[test]
fn hints_climb_and_name_legal_moves() {
    let words = words();
    for puzzle in some(8) {
        let mut attempt = attempt(&puzzle);
        assert_eq!(attempt.hints(), []);
        for words in &words {
            let titles = [1, 2, 3].map(|number| attempt.hint_title(number, words));
            assert!(titles.iter().all(|title| !title.contains("puzzle.")));
        }
        let ids = targets(&attempt);
        for n_hints in 1..=5 {
            attempt.update(Event::Hint);
            let hints = attempt.hints();
            assert_eq!(hints.len(), n_hints.min(3), "{puzzle}");
            assert_eq!(usize::from(attempt.tally().hints), n_hints.min(3));
            for hint in &hints {
                for words in &words {
                    let text = attempt.hint_text(hint, words);
                    assert!(!text.contains("puzzle."), "{text}");
                }
                match hint {
                    PuzzleHint::Piece(piece) => {
                        assert!(!piece.is_empty(), "{puzzle}");
                        assert!(piece.iter().all(|id| ids.contains(id)), "{puzzle}");
                    }
                    PuzzleHint::Place(place) => assert!(ids.contains(place), "{puzzle}"),
                    PuzzleHint::Why(notation) => assert!(!notation.is_empty()),
                }
            }
        }
        // What was hinted at is clicked, in games where one clicks pieces.
        let hints = attempt.hints();
        if let [PuzzleHint::Piece(piece), PuzzleHint::Place(place), _] = &hints[..] {
            if puzzle.game() != "simply-go" {
                attempt.update(Event::Activate(piece[0].clone()));
            }
            attempt.update(Event::Activate(place.clone()));
        }
        let moves = attempt.sitting().record().moves();
        assert_eq!(moves, [puzzle.solution()[0].clone()], "{puzzle}");
    }
}

/// A hint that would not be shown costs nothing.
#[test]
fn hints_are_given_only_while_the_solver_is_to_move() {
    for puzzle in some(8) {
        let mut attempt = attempt(&puzzle);
        let moves = attempt.sitting().record().legal_moves();
        let wrong = moves.into_iter().find(|m| *m != puzzle.solution()[0]);
        attempt.update(Event::Typed(wrong.unwrap()));
        assert_eq!(attempt.phase(), Phase::Wrong, "{puzzle}");
        attempt.update(Event::Hint);
        assert_eq!(attempt.tally().hints, 0, "{puzzle}");
        attempt.update(Event::TakeBack);
        for m in puzzle.solution() {
            let hints = attempt.tally().hints;
            attempt.update(Event::Hint);
            let is_given = attempt.phase() == Phase::Solver && hints < Attempt::N_HINTS;
            assert_eq!(attempt.tally().hints, hints + u8::from(is_given));
            attempt.update(match attempt.phase() {
                Phase::Solver => Event::Typed(m.clone()),
                _ => Event::Proceed,
            });
        }
        assert!(attempt.is_over(), "{puzzle}");
    }
}

#[test]
fn the_solution_is_shown_to_those_who_give_up() {
    for puzzle in some(16) {
        let mut attempt = attempt(&puzzle);
        let wrong = attempt.sitting().record().legal_moves();
        let wrong = wrong.iter().find(|m| **m != puzzle.solution()[0]).unwrap();
        attempt.update(Event::Typed(wrong.clone()));
        attempt.update(Event::Reveal);
        assert_eq!(position(&attempt), puzzle.position());
        for _ in puzzle.solution() {
            assert_eq!(attempt.phase(), Phase::Showing);
            attempt.update(Event::Activate("pass".to_owned()));
            attempt.update(Event::Hint);
            attempt.update(Event::Proceed);
        }
        assert_eq!(attempt.answer(), Some(&PuzzleFeedback::Shown));
        assert_eq!(attempt.sitting().record().moves(), puzzle.solution());
        let expected = AttemptTally {
            hints: 0,
            wrong_tries: 1,
            is_revealed: true,
        };
        assert_eq!(attempt.tally(), expected);
        assert!(!attempt.own_moves().is_empty());
    }
}

/// Whatever happens in whatever order, there is a way to the end.
#[test]
fn no_sequence_of_events_gets_stuck() {
    let mut random = Random::new(7);
    for puzzle in some(20) {
        let mut attempt = attempt(&puzzle);
        for _ in 0..60 {
            let ids = targets(&attempt);
            let moves = attempt.sitting().record().legal_moves();
            let id = random.pick(&ids).cloned().unwrap_or_default();
            let m = random.pick(&moves).cloned().unwrap_or_default();
            let before = attempt.tally();
            attempt.update(match random.below(12) {
                0..=4 => Event::Activate(id),
                5 => Event::Typed(m),
                6 => Event::Clear,
                7 => Event::Proceed,
                8 => Event::Refute(m),
                9 => Event::TakeBack,
                10 => Event::Hint,
                _ if random.below(8) == 0 => Event::Reveal,
                _ => Event::Typed("rubbish".to_owned()),
            });
            let after = attempt.tally();
            assert!(after.hints >= before.hints && after.wrong_tries >= before.wrong_tries);
            // Up to the last try the board shows the solution.
            let moves = attempt.sitting().record().moves();
            let is_prefix = puzzle.solution().starts_with(&moves);
            assert!(
                is_prefix || matches!(attempt.phase(), Phase::Wrong | Phase::Done),
                "{puzzle}"
            );
        }
        for _ in 0..40 {
            let n_moves = attempt.sitting().record().moves().len();
            match attempt.phase() {
                Phase::Solver => {
                    attempt.update(Event::Typed(puzzle.solution()[n_moves].clone()));
                }
                Phase::Wrong => attempt.update(Event::TakeBack),
                Phase::Reply | Phase::Showing => attempt.update(Event::Proceed),
                Phase::Done => {}
            }
        }
        assert!(attempt.is_over(), "{puzzle}");
    }
}

/// No phrase is missing, and none is left over.
#[test]
fn phrases_are_complete_in_both_languages() {
    let names = Language::ALL.map(|language| {
        let lines = phrases(language).lines();
        let names = lines.filter_map(|line| Some(line.split_once(" = ")?.0));
        names.collect::<Vec<_>>()
    });
    assert_eq!(names[0], names[1], "in the same order");
    let known: BTreeSet<&str> = names[0].iter().copied().collect();
    assert_eq!(known.len(), names[0].len());
    let goals: BTreeSet<String> = GAMES
        .into_iter()
        .flat_map(|game| all(game.name()).iter().collect::<Vec<_>>())
        .map(|puzzle| format!("{}.puzzle.{}", puzzle.game(), puzzle.goal().name()))
        .collect();
    let parts = [
        "title", "task", "goal", "why", "right", "wrong", "solved", "shown",
    ];
    let needed: BTreeSet<String> = goals
        .iter()
        .flat_map(|goal| parts.map(|part| format!("{goal}.{part}")))
        .collect();
    // What is said of rules that are not the usual ones.
    let of_rules = ["nonaga.puzzle.published"];
    let of_goals = known.iter().filter(|name| !name.starts_with("puzzle."));
    let of_goals = of_goals.filter(|name| !of_rules.contains(name));
    assert!(of_goals.copied().eq(needed.iter().map(String::as_str)));
    for words in &words() {
        for puzzle in some(10) {
            for text in [title(&puzzle, words), task(&puzzle, words)] {
                assert!(!text.contains('{') && !text.contains("puzzle."), "{text}");
            }
        }
    }
}

#[test]
fn results_are_shared_without_the_answer() {
    let [english, japanese] = words();
    let text = "lilypads 2 win:3 #0 8,12 22 first = 8-24 @27 12-23 @28 23-29";
    let puzzle: Puzzle = text.parse().unwrap();
    let tally = AttemptTally {
        hints: 1,
        ..AttemptTally::default()
    };
    let today = Some(Day(Day::FIRST.0 + 318));
    assert_eq!(
        share_text(&puzzle, tally, today, Some(48), &english),
        "Parlour puzzle 319, Lilypads\nWin in three, grade 2\n● ○ ○ one hint, 0:48"
    );
    assert_eq!(
        share_text(&puzzle, tally, today, Some(48), &japanese),
        "Parlour パズル第319問 リリーパッド\n3手で勝つ、難度2\n● ○ ○ ヒント1回、0:48"
    );
    let tally = AttemptTally {
        hints: 2,
        wrong_tries: 3,
        is_revealed: false,
    };
    assert_eq!(
        share_text(&puzzle, tally, None, None, &english),
        "Parlour puzzle, Lilypads\nWin in three, grade 2\n● ● ○ two hints, three wrong tries"
    );
    let tally = AttemptTally {
        is_revealed: true,
        ..AttemptTally::default()
    };
    assert_eq!(
        share_text(&puzzle, tally, None, Some(3600), &english),
        "Parlour puzzle, Lilypads\nWin in three, grade 2\n○ ○ ○ solution shown, 60:00"
    );
    assert_eq!(title(&puzzle, &english), "Blue wins in three");
}

/// Makes a wrong try, and takes it back.
fn try_wrong(attempt: &mut Attempt) {
    let solution = attempt.puzzle().solution().to_vec();
    let moves = attempt.sitting().record().legal_moves();
    for m in moves {
        if !solution.contains(&m) {
            attempt.update(Event::Typed(m));
            if attempt.phase() == Phase::Wrong {
                attempt.update(Event::TakeBack);
                return;
            }
        }
    }
    panic!("every move is right");
}

/// Plays the solution, with `rate` after every event.
fn solve_rated(attempt: &mut Attempt, mut rate: impl FnMut(&Attempt)) {
    while !attempt.is_over() {
        let at = attempt.sitting().record().moves().len();
        let event = match attempt.phase() {
            Phase::Solver => Event::Typed(attempt.puzzle().solution()[at].clone()),
            _ => Event::Proceed,
        };
        attempt.update(event);
        rate(attempt);
    }
}

/// A puzzle of takeover in one turn, and what somebody has who never saw one.
fn fresh() -> (Puzzle, Scores) {
    let puzzle = all("takeover").get(90).unwrap();
    (puzzle, Scores::default())
}

#[test]
fn a_puzzle_that_was_shown_is_not_rated_again() {
    let (puzzle, mut scores) = fresh();
    let mut shown = attempt(&puzzle);
    shown.update(Event::Reveal);
    // Nobody has to watch it to its end.
    scores.rate(&shown, None).unwrap();
    let lost = scores.rating;
    assert!(lost.points() < PuzzleRating::default().points());
    assert!(scores.has_rated(puzzle.id()) && !scores.solved.has(puzzle.id()));
    // Whoever opens its address again and plays the answer gains nothing, but has solved it.
    let mut again = attempt(&puzzle);
    solve_rated(&mut again, |attempt| {
        assert_eq!(scores.rate(attempt, None), None);
    });
    assert_eq!(scores.rating, lost);
    assert!(scores.solved.has(puzzle.id()));
}

#[test]
fn a_reload_forgets_no_wrong_try() {
    let (puzzle, mut scores) = fresh();
    let mut failed = attempt(&puzzle);
    try_wrong(&mut failed);
    scores.rate(&failed, None).unwrap();
    let lost = scores.rating;
    let failure = AttemptTally {
        wrong_tries: 2,
        ..AttemptTally::default()
    };
    assert_eq!(lost, PuzzleRating::default().after(puzzle.grade(), failure));
    let mut again = attempt(&puzzle);
    solve_rated(&mut again, |attempt| {
        scores.rate(attempt, None);
    });
    assert_eq!(scores.rating, lost);
    // What was solved before its ratings were noted counts as rated, too.
    let mut old = Scores {
        solved: scores.solved.clone(),
        ..Scores::default()
    };
    old.rate(&again, None);
    assert_eq!(old.rating, PuzzleRating::default());
}

/// In one visit an attempt is rated like its whole effort, whatever came before the end, and
/// what else was rated meanwhile is not lost.
#[test]
fn an_attempt_is_rated_as_a_whole() {
    for (n_hints, n_wrong, is_revealed) in [
        (0, 0, false),
        (2, 0, false),
        (0, 1, false),
        (1, 1, false),
        (0, 2, false),
        (0, 1, true),
        (3, 0, true),
    ] {
        let (puzzle, mut scores) = fresh();
        let mut attempt = attempt(&puzzle);
        let mut rated = None;
        for _ in 0..n_hints {
            attempt.update(Event::Hint);
            rated = scores.rate(&attempt, rated);
            assert_eq!(rated, None, "a hint is no failure");
        }
        for _ in 0..n_wrong {
            try_wrong(&mut attempt);
            rated = scores.rate(&attempt, rated);
        }
        if is_revealed {
            attempt.update(Event::Reveal);
        }
        // Another tab.
        let other = all("takeover").get(91).unwrap();
        let mut elsewhere = Attempt::new(other).unwrap();
        solve_rated(&mut elsewhere, |attempt| {
            scores.rate(attempt, None);
        });
        let ahead = scores.rating;
        solve_rated(&mut attempt, |attempt| rated = scores.rate(attempt, rated));
        let rated = rated.unwrap();
        let before = rated.before();
        let whole = before.after(puzzle.grade(), attempt.tally());
        let change = i32::from(whole.points()) - i32::from(before.points());
        if n_wrong == 0 {
            assert_eq!(before, ahead);
            assert_eq!(scores.rating, whole);
        } else {
            assert_eq!(before, PuzzleRating::default());
            let without = Scores::default().rating.after(
                puzzle.grade(),
                AttemptTally {
                    is_revealed: true,
                    ..attempt.tally()
                },
            );
            let gained = i32::from(ahead.points()) - i32::from(without.points());
            let points = i32::from(PuzzleRating::default().points()) + change + gained;
            assert_eq!(i32::from(scores.rating.points()), points);
        }
        assert_eq!(scores.rating.n_puzzles(), 2);
        assert_eq!(scores.solved.has(puzzle.id()), !is_revealed);
    }
}

#[test]
fn what_was_rated_comes_again_only_after_the_rest() {
    let collection = all("takeover");
    let mut scores = Scores::default();
    let failed = collection.get(100).unwrap();
    scores.rated.insert(failed.id());
    for index in 0..collection.len() {
        let next = scores.next(&collection, 1).unwrap();
        let is_last = index + 1 == collection.len();
        assert_eq!(collection.id(next) == Some(failed.id()), is_last);
        scores.solved.insert(collection.id(next).unwrap());
    }
    assert_eq!(scores.next(&collection, 1), None);
}
