//! Comments on the last moves, from what an engine thinks of the positions before and after.
//!
//! The engine is asked while a person is to move, so no opponent waits for it, and a hint
//! goes first.

use std::fmt::Display;

use leptos::prelude::*;
use play::HintState;
use rules::{Player, record::NodeId};
use study::{Assessment, Comment, Commentary, Lines, Opinion, Remark, Standing, is_exact};

use crate::{driver::Stage, hint::sureness, room::Room, session::MatchSession};

/// There are comments on so many moves at most: one's own, and what the opponent answered.
const MOST: usize = 3;

/// A comment on a move.
#[derive(Clone, PartialEq, Eq)]
struct CommentText {
    player: Player,
    notation: String,
    text: String,
    sureness: String,
}

/// The judgments of a match so far, and the open question to the engine.
struct MatchJudgments {
    /// The number of the match.
    number: u32,
    commentary: Commentary,
    /// The number of the inquiry, and the position it is about.
    asked: Option<(u32, NodeId)>,
    lines: Lines,
    /// Where the match stood when the engine did not answer.
    failed_at: Option<NodeId>,
}

/// The comments.
#[component]
pub(crate) fn Comments(room: Room) -> impl IntoView {
    let known = StoredValue::new_local(None::<MatchJudgments>);
    let said = RwSignal::new(Vec::new());
    let refresh = move || {
        let new = room.with_session(|session| {
            let words = known.with_value(|known| {
                let known = known.as_ref().filter(|k| k.number == session.number)?;
                Some(comments(room, session, &known.commentary))
            });
            words.unwrap_or_default()
        });
        if said.with_untracked(|said| *said != new) {
            said.set(new);
        }
    };
    let changed = Trigger::new();
    // It lives as long as the comments are shown.
    let hear = Callback::new(move |opinion| {
        if take_in(room, known, opinion) {
            changed.notify();
        }
    });
    Effect::new(move |_| {
        changed.track();
        let is_open = room.driver.stage() == Some(Stage::Waiting)
            && !room.is_off_limits()
            && room.with_session(|session| {
                let is_asked = matches!(session.sitting.hint(), Some(HintState::Asked(_)));
                session.sitting.can_hint() && !is_asked
            });
        if is_open {
            ask(room, known, hear);
        }
        refresh();
    });
    on_cleanup(move || {
        let asked = known.try_with_value(|known| known.as_ref().and_then(|known| known.asked));
        if let Some(Some((number, _))) = asked
            && room.driver.is_inquiring(number)
        {
            room.driver.stop_inquiry();
        }
    });
    view! {
        <div class="remarks" aria-live="polite">
            <For
                each=move || said.get()
                key=|said| (said.player, said.notation.clone(), said.text.clone())
                children=|said| {
                    view! {
                        <p
                            class="remark"
                            class:p1=said.player == Player::First
                            class:p2=said.player == Player::Second
                        >
                            <b>{said.notation}</b>
                            " "
                            {said.text}
                            " "
                            <small>{said.sureness}</small>
                        </p>
                    }
                }
            />
        </div>
    }
}

/// Asks the engine about the next position, unless it is being asked.
fn ask(
    room: Room,
    known: StoredValue<Option<MatchJudgments>, LocalStorage>,
    hear: Callback<Opinion>,
) {
    let driver = room.driver;
    let inquiry = driver.with_untracked(|session| {
        let (record, live) = (session.record(), session.sitting.live());
        known
            .try_update_value(|known| {
                let is_other = |known: &mut MatchJudgments| known.number != session.number;
                known.take_if(is_other);
                let known = known.get_or_insert_with(|| MatchJudgments {
                    number: session.number,
                    commentary: Commentary::new(record, live),
                    asked: None,
                    lines: Lines::default(),
                    failed_at: None,
                });
                known.commentary.follow(record, live);
                let is_asked = known.asked.is_some_and(|(n, _)| driver.is_inquiring(n));
                if is_asked || known.failed_at == Some(live) {
                    return None;
                }
                let (node, inquiry) = known.commentary.next(record, n_moves(session))?;
                let n_legal = record.n_legal_moves_at(node);
                known.lines = Lines::new(inquiry.n_lines.min(n_legal));
                Some((node, inquiry))
            })
            .flatten()
    });
    let Some((node, inquiry)) = inquiry else {
        return;
    };
    let number = driver.inquire(inquiry, hear);
    known.update_value(|known| {
        if let Some(known) = known {
            known.asked = Some((number, node));
        }
    });
}

/// Takes in what the engine says. Returns whether it has said all.
fn take_in(
    room: Room,
    known: StoredValue<Option<MatchJudgments>, LocalStorage>,
    opinion: Opinion,
) -> bool {
    let (is_exact, live) = room.driver.with_untracked(|session| {
        let is_exact = is_exact(session.record().game());
        (is_exact, Some(session.sitting.live()))
    });
    let is_done = known.try_update_value(|known| {
        let known = known.as_mut()?;
        match opinion {
            Opinion::Line(line) => {
                known.lines.hear(line);
                return None;
            }
            Opinion::Weightless => return None,
            Opinion::Done => known.lines.end(),
            Opinion::Failed => known.lines = Lines::default(),
        }
        let (_, node) = known.asked.take()?;
        match Assessment::of_lines(known.lines.whole(), is_exact) {
            Some(assessment) => known.commentary.judge(node, assessment),
            None => known.failed_at = live,
        }
        Some(())
    });
    is_done.flatten().is_some()
}

/// How many moves there are to comment on: those since the last one of whoever is to move,
/// that one included.
fn n_moves(session: &MatchSession) -> usize {
    let record = session.record();
    let live = session.sitting.live();
    let turn = record.turn_at(live);
    let before = record.ancestors(live);
    let own = before.iter().position(|&node| record.turn_at(node) == turn);
    own.map_or(before.len(), |index| index + 1).min(MOST)
}

fn comments(room: Room, session: &MatchSession, commentary: &Commentary) -> Vec<CommentText> {
    let record = session.record();
    let remarks = commentary.remarks(record, n_moves(session)).into_iter();
    let said = remarks.filter_map(|remark| {
        Some(CommentText {
            player: remark.player,
            notation: record.notation(remark.node)?,
            text: text(room, session, &remark),
            sureness: match remark.comment {
                Comment::Forced => String::new(),
                _ => sureness(room, remark.depth),
            },
        })
    });
    said.collect()
}

/// One sentence.
fn text(room: Room, session: &MatchSession, remark: &Remark) -> String {
    let rival = || room.say(&format!("{}.{}", session.wish.game, !remark.player));
    if let Some(better) = &remark.better {
        return match &remark.comment {
            Comment::LetsWin { plies } => {
                let values: [(&str, &dyn Display); 3] =
                    [("who", &rival()), ("n", plies), ("move", better)];
                room.say_with("remark.lets-win.better", &values)
            }
            Comment::MissesWin => room.say_with("remark.misses-win.better", &[("move", better)]),
            Comment::Slip { is_grave: false } => {
                room.say_with("remark.slip.little.better", &[("move", better)])
            }
            _ => room.say_with("remark.slip.better", &[("move", better)]),
        };
    }
    match &remark.comment {
        Comment::Forced => room.say("remark.forced"),
        Comment::OnlyWin { plies } => room.say_with("remark.only-win", &[("n", plies)]),
        Comment::OnlyDraw => room.say("remark.only-draw"),
        Comment::Strong => room.say("remark.strong"),
        Comment::LetsWin { plies } => {
            room.say_with("remark.lets-win", &[("who", &rival()), ("n", plies)])
        }
        Comment::MissesWin => room.say("remark.misses-win"),
        Comment::Slip { is_grave: true } => room.say("remark.slip"),
        Comment::Slip { is_grave: false } => room.say("remark.slip.little"),
        Comment::Wins { plies } => room.say_with("remark.wins", &[("n", plies)]),
        Comment::Draws => room.say("remark.draws"),
        Comment::Loses { plies } => {
            room.say_with("remark.loses", &[("who", &rival()), ("n", plies)])
        }
        Comment::Stands(standing) => room.say(match standing {
            Standing::FarBehind => "remark.far-behind",
            Standing::Behind => "remark.behind",
            Standing::Even => "remark.even",
            Standing::Ahead => "remark.ahead",
            Standing::FarAhead => "remark.far-ahead",
        }),
    }
}
