//! Lessons hold what they promise: every step is legal and can be done, every try is
//! answered in both languages, and wrong ones change nothing.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use lessons::{AnyLesson, Event, LESSONS, Lesson, LessonFeedback, LessonVerdict, OVERVIEW};
use rules::{Outcome, Player};
use view::{Click, Language, Look, Words};

/// Every step of every lesson.
fn steps() -> impl Iterator<Item = (&'static dyn AnyLesson, usize)> {
    let lessons = LESSONS.into_iter();
    lessons.flat_map(|lesson| (0..lesson.steps().len()).map(move |step| (lesson, step)))
}

fn words() -> [Words; 2] {
    Language::ALL.map(|language| Words::with(language, lessons::phrases(language)))
}

fn names(words: &Words) -> BTreeSet<&str> {
    words.names().collect()
}

#[test]
fn the_overview_lists_every_lesson_with_its_steps() {
    let lessons = LESSONS.map(|lesson| (lesson.game(), lesson.steps().len()));
    assert_eq!(OVERVIEW, lessons);
    assert_eq!(
        OVERVIEW.map(|(game, _)| game),
        catalog::GAMES.map(|game| game.name())
    );
}

/// The targets to activate for the move `m` in the position of a step.
fn clicks(lesson: &dyn AnyLesson, step: usize, m: &str) -> Vec<String> {
    let record = lesson.start(step).unwrap();
    if record.table().pass().as_deref() == Some(m) {
        return vec!["pass".to_owned()];
    }
    let words = Words::of(Language::English);
    let scene = record.table().scene(&Look::new(&words));
    let ids: Vec<String> = scene.targets.into_iter().map(|target| target.id).collect();
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

fn activate(taken: &mut Lesson, ids: &[String]) {
    for id in ids {
        taken.update(Event::Activate(id.clone()));
    }
}

fn position(taken: &Lesson) -> String {
    taken.sitting().unwrap().record().position()
}

#[test]
fn every_game_has_a_lesson_of_six_to_ten_steps() {
    let games = catalog::GAMES.map(|game| game.name());
    assert_eq!(LESSONS.map(|lesson| lesson.game()), games);
    for lesson in LESSONS {
        let steps = lesson.steps();
        assert!((6..=10).contains(&steps.len()), "{}", lesson.game());
        let different: BTreeSet<_> = steps.iter().collect();
        assert_eq!(different.len(), steps.len(), "{}", lesson.game());
        // Progress is kept as names with spaces in between.
        assert!(steps.iter().all(|name| !name.contains(' ')));
    }
}

/// The rules read the position and write it again, and it is First's turn in it.
#[test]
fn every_start_is_a_position_of_the_game() {
    for (lesson, step) in steps() {
        let name = format!("{} {}", lesson.game(), lesson.steps()[step]);
        let record = lesson.start(step).expect(&name);
        assert_eq!(record.ending(), None, "{name}");
        assert_eq!(record.turn(), Player::First, "{name}");
        let text = record.position();
        let game = catalog::find(lesson.game()).unwrap();
        assert_eq!(game.start_from(&text).unwrap().position(), text, "{name}");
    }
}

#[test]
fn the_solution_is_right() {
    for (lesson, step) in steps() {
        let solution = lesson.solution(step).unwrap();
        let verdict = lesson.judge(step, solution);
        let name = lesson.steps()[step];
        assert!(matches!(verdict, Some(LessonVerdict::Right(_))), "{name}");
    }
}

/// No phrase is missing, and none is left over.
#[test]
fn every_legal_move_is_answered_in_both_languages() {
    let mut said = BTreeSet::new();
    for (lesson, step) in steps() {
        let start = format!("{}.lesson.{}", lesson.game(), lesson.steps()[step]);
        said.extend([start.clone(), format!("{start}.task")]);
        let moves = lesson.start(step).unwrap().legal_moves();
        for m in &moves {
            let key = match lesson.judge(step, m).unwrap() {
                LessonVerdict::Right("") => format!("{start}.right"),
                LessonVerdict::Right(reason) => format!("{start}.right.{reason}"),
                LessonVerdict::Wrong("") => format!("{start}.wrong"),
                LessonVerdict::Wrong(reason) => format!("{start}.wrong.{reason}"),
            };
            said.insert(key);
        }
    }
    for words in &words() {
        let known: BTreeSet<&str> = names(words);
        let missing = said.iter().filter(|name| !known.contains(name.as_str()));
        assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
        let lessons = known.iter().filter(|name| name.contains(".lesson."));
        let unused = lessons.filter(|name| !said.contains(**name));
        assert_eq!(unused.collect::<Vec<_>>(), [&""; 0]);
    }
}

#[test]
fn languages_have_the_same_phrases_in_the_same_order() {
    let lines = Language::ALL.map(|language| {
        let lines = lessons::phrases(language).lines();
        let phrases = lines.filter_map(|line| line.split_once(" = "));
        phrases.collect::<Vec<_>>()
    });
    for (name, phrase) in lines.iter().flatten() {
        // They are said as they are, and in a voice that never shouts.
        assert!(!phrase.is_empty(), "{name}");
        assert!(!phrase.contains(['{', '!', '！']), "{name}");
    }
    let names = lines.map(|lines| lines.into_iter().map(|(name, _)| name));
    let [english, japanese] = names.map(Iterator::collect::<Vec<_>>);
    assert_eq!(english, japanese);
}

#[test]
fn wrong_tries_are_answered_and_change_nothing() {
    let [words, _] = words();
    for (lesson, step) in steps() {
        let start = lesson.start(step).unwrap();
        let moves = start.legal_moves();
        let is_wrong = |m: &&String| matches!(lesson.judge(step, m), Some(LessonVerdict::Wrong(_)));
        for m in moves.iter().filter(is_wrong) {
            let mut taken = Lesson::new(lesson, "", Some(step));
            activate(&mut taken, &clicks(lesson, step, m));
            assert!(taken.is_out(), "{m}");
            assert_ne!(position(&taken), start.position());
            // Nothing is counted, and nothing goes on before it is back.
            assert!(!taken.may_act() && !taken.is_done());
            assert_eq!(taken.progress(), "");
            let answer = taken.answer_text(&words);
            taken.update(Event::Next);
            assert_eq!(taken.at(), step);
            taken.update(Event::TakeBack);
            assert_eq!(position(&taken), start.position());
            assert_eq!(taken.answer_text(&words), answer);
            assert!(taken.may_act());
            taken.update(Event::TakeBack);
            assert_eq!(position(&taken), start.position());
            // The next try may be right.
            let solution = lesson.solution(step).unwrap();
            activate(&mut taken, &clicks(lesson, step, solution));
            assert!(taken.is_done(), "{m}, then {solution}");
        }
    }
}

/// Clicks where nothing can be done are answered by the game, and what was taken up
/// stays.
#[test]
fn refused_clicks_are_answered_and_change_nothing() {
    let [_, words] = &words();
    for (lesson, step) in steps() {
        let start = lesson.start(step).unwrap();
        let scene = start.table().scene(&Look::new(words));
        let ids = || scene.targets.iter().map(|target| target.id.clone());
        for first in ids() {
            let mut taken = Lesson::new(lesson, "", Some(step));
            taken.update(Event::Activate(first.clone()));
            let picked = taken.sitting().unwrap().table().picked();
            if picked.is_empty() {
                continue;
            }
            for second in ids().filter(|id| !start.table().takes_up(id)) {
                taken.update(Event::Activate(second));
                if let Some(LessonFeedback::Refused { .. }) = taken.answer() {
                    assert!(taken.answer_text(words).is_some());
                    assert_eq!(taken.sitting().unwrap().table().picked(), picked);
                    assert_eq!(position(&taken), start.position());
                } else {
                    taken = Lesson::new(lesson, "", Some(step));
                    taken.update(Event::Activate(first.clone()));
                }
            }
        }
    }
}

#[test]
fn every_lesson_can_be_finished_by_hand_and_by_asking() {
    for lesson in LESSONS {
        let n_steps = lesson.steps().len();
        let [mut by_hand, mut by_asking] = [(); 2].map(|()| Lesson::new(lesson, "", None));
        for step in 0..n_steps {
            for taken in [&mut by_hand, &mut by_asking] {
                assert_eq!(taken.at(), step);
                assert!(taken.task().is_some());
                taken.update(Event::Next);
                assert_eq!(taken.at(), step, "not before it is done");
            }
            activate(
                &mut by_hand,
                &clicks(lesson, step, lesson.solution(step).unwrap()),
            );
            by_asking.update(Event::Show);
            assert!(matches!(by_hand.answer(), Some(LessonFeedback::Right(_))));
            assert!(matches!(by_asking.answer(), Some(LessonFeedback::Shown(_))));
            assert_eq!(position(&by_hand), position(&by_asking));
            for taken in [&mut by_hand, &mut by_asking] {
                // A step that is done rests.
                let rested = position(taken);
                taken.update(Event::Show);
                taken.update(Event::Activate("pass".to_owned()));
                assert_eq!(position(taken), rested);
                taken.update(Event::Next);
            }
        }
        for taken in [&mut by_hand, &mut by_asking] {
            assert_eq!((taken.at(), taken.task()), (n_steps, None));
            assert!(taken.sitting().is_none() && !taken.may_act());
            assert_eq!(taken.progress(), lesson.steps().join(" "));
            for event in [Event::Next, Event::Show, Event::TakeBack, Event::GoTo(99)] {
                taken.update(event);
                assert_eq!(taken.at(), n_steps);
            }
            taken.update(Event::GoTo(0));
            assert_eq!(taken.at(), 0);
            assert_eq!(taken.progress(), lesson.steps().join(" "), "kept");
        }
    }
}

#[test]
fn a_step_can_be_done_again() {
    let lesson = lessons::find("nonaga").unwrap();
    let mut taken = Lesson::new(lesson, "", None);
    let (before, board) = (position(&taken), taken.n_boards());
    taken.update(Event::Show);
    taken.update(Event::Again);
    assert_eq!((position(&taken), taken.answer()), (before, None));
    assert_ne!(taken.n_boards(), board);
    assert_eq!(taken.progress(), "slide");
}

#[test]
fn lessons_go_on_where_they_were_left() {
    let lesson = lessons::find("takeover").unwrap();
    let at = |progress: &str, at| Lesson::new(lesson, progress, at).at();
    assert_eq!(at("", None), 0);
    assert_eq!(at("duplicate", None), 1);
    assert_eq!(at("jump duplicate", None), 2);
    assert_eq!(at("jump", None), 0);
    assert_eq!(at("jump", Some(4)), 4);
    assert_eq!(at(&lesson.steps().join(" "), None), 0, "once more");
    // Nonsense from outside is ignored.
    assert_eq!(at("nonsense \0 jump,duplicate  ", None), 0);
    assert_eq!(at("", Some(usize::MAX)), 0);
    assert_eq!(Lesson::new(lesson, "x jump", None).progress(), "jump");
}

/// The last steps of every lesson are about how a match ends: some step wins.
#[test]
fn every_lesson_shows_a_win() {
    for lesson in LESSONS {
        let wins = (0..lesson.steps().len()).filter(|&step| {
            let mut record = lesson.start(step).unwrap();
            record.play(lesson.solution(step).unwrap()).unwrap();
            let ending = record.ending().map(|ending| ending.outcome);
            ending == Some(Outcome::Win(Player::First))
        });
        assert!(wins.count() > 0, "{}", lesson.game());
    }
}

/// The pictures of the rule sheet are legal, and belong to rules that there are.
#[test]
fn figures_can_be_drawn() {
    let [words, _] = words();
    for lesson in LESSONS {
        assert!(!lesson.figures().is_empty());
        for figure in lesson.figures() {
            let rule = format!("{}.rule.{}", lesson.game(), figure.rule);
            assert!(names(&words).contains(&*rule), "{rule}");
            let scene = lesson.scene(figure, &Look::new(&words));
            assert!(scene.is_some_and(|scene| !scene.nodes.is_empty()), "{rule}");
        }
    }
}
