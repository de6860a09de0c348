//! Comments, and the arrows in them.

use view::Mark;

use super::{Effect, Study};

impl Study {
    /// Draws an arrow from `from` to `target`, or removes it; or begins one there.
    pub(super) fn draw(&mut self, from: Option<String>, target: &str) -> Vec<Effect> {
        let Some(from) = from else {
            self.drawing = Some(Some(target.to_owned()));
            return Vec::new();
        };
        let comment = self.record.comment_at(self.record.cursor());
        let (mut arrows, text) = split_comment(comment);
        let text = text.to_owned();
        let drawn = Drawn {
            from,
            to: target.to_owned(),
        };
        match arrows.iter().position(|known| *known == drawn) {
            Some(index) => drop(arrows.remove(index)),
            None => arrows.push(drawn),
        }
        self.record.set_comment(&join_comment(&arrows, &text));
        vec![Effect::Save]
    }
}

/// An arrow drawn by hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Drawn {
    from: String,
    to: String,
}

impl Drawn {
    pub(super) fn into_mark(self) -> Mark {
        let Self { from, to } = self;
        if from == to {
            Mark::Ring(to)
        } else {
            Mark::Arrow {
                from,
                to,
                is_quiet: false,
            }
        }
    }
}

/// The arrows at the start of a comment, written `[arrow a1 b2]`, and the text after them.
pub(super) fn split_comment(comment: &str) -> (Vec<Drawn>, &str) {
    let mut arrows = Vec::new();
    let mut rest = comment;
    while let Some((places, after)) = rest
        .strip_prefix("[arrow ")
        .and_then(|rest| rest.split_once(']'))
    {
        let Some((from, to)) = places.split_once(' ') else {
            break;
        };
        arrows.push(Drawn {
            from: from.to_owned(),
            to: to.to_owned(),
        });
        rest = after.trim_start();
    }
    (arrows, rest)
}

pub(super) fn join_comment(arrows: &[Drawn], text: &str) -> String {
    let arrows = arrows.iter();
    let arrows: String = arrows
        .map(|Drawn { from, to }| format!("[arrow {from} {to}] "))
        .collect();
    arrows + text
}
