use std::io::Write;

use anyhow::bail;
use catalog::{AnyGame, GAMES};
use lilypads::{Board, Circle, Lilypads};
use lilypads_solver::{Certificate, fair};
use puzzles::FairOpening;
use rules::{Game, Player, Values};
use serde_json::{Value, json};
use takeover::{FairBoard, Setup, Takeover};

use crate::{
    args::BoardArgs,
    solve::{show, solving_bar},
};

/// Prints a board, or the certificate of a fair one, as one line of JSON.
pub(crate) fn run(args: &BoardArgs, out: &mut impl Write) -> anyhow::Result<()> {
    // The name is checked first, for a better message.
    let game = catalog::find(&args.game)?;
    let board = match (number_option(game), args.number) {
        (None, Some(_)) => {
            let numbered = GAMES
                .into_iter()
                .filter(|game| number_option(*game).is_some());
            let names: Vec<_> = numbered.map(AnyGame::name).collect();
            let expected = names.join(" or ");
            bail!(
                "{} has no numbered boards; expected {expected}",
                game.name()
            );
        }
        (Some(_), Some(number)) if game.name() == Lilypads::NAME => lilypads_board(number),
        (Some(option), Some(number)) => {
            let text = number.to_string();
            let table = game.start(&[(option, &text)])?;
            json!({ "number": number, "fen": table.position() })
        }
        (_, None) => {
            let from = args.from.unwrap_or_default();
            match game.name() {
                Lilypads::NAME => fair_board(from)?,
                Takeover::NAME => fair_takeover_board(from)?,
                _ => fair_opening(game, from)?,
            }
        }
    };
    writeln!(out, "{board}")?;
    Ok(())
}

/// The option that determines the board.
fn number_option(game: &dyn AnyGame) -> Option<&'static str> {
    let options = game.options().into_iter();
    let mut numbers = options.filter(|option| option.values == Values::Number);
    numbers.next().map(|option| option.name)
}

fn lilypads_board(number: u64) -> Value {
    let board = Board::new(number);
    let circle = |circle| {
        let disc = board.disc(circle);
        json!({ "x": disc.center.x, "y": disc.center.y, "r": disc.radius })
    };
    let circles: Vec<_> = Circle::all().map(circle).collect();
    let edges: Vec<_> = board.edges().map(|(a, b)| [a.index(), b.index()]).collect();
    let starts = Player::BOTH.map(|player| board.graph().start(player).index());
    json!({ "number": number, "circles": circles, "edges": edges, "starts": starts })
}

/// The certificate of the first fair board from number `from` on.
fn fair_board(from: u64) -> anyhow::Result<Value> {
    let progress = solving_bar()?;
    let (_, certificate) = fair::find(from, |number, solved| {
        progress.set_message(format!("board {number}"));
        show(&progress, solved)
    })?;
    progress.finish_and_clear();
    let Certificate {
        number,
        rules_version,
        first_begins,
        second_begins,
        deepest,
        hash,
        balance,
    } = certificate;
    Ok(json!({
        "number": number,
        "rules_version": rules_version,
        "first_begins": first_begins.name(),
        "second_begins": second_begins.name(),
        "deepest": deepest,
        "hash": format!("{hash:016x}"),
        "middling": {
            "first": balance.first,
            "draws": balance.draws,
            "second": balance.second,
        },
    }))
}

/// The first board of Takeover from number `from` on that was measured to be fair, with
/// its figures.
fn fair_takeover_board(from: u64) -> anyhow::Result<Value> {
    let Some(board) = FairBoard::all().find(|board| board.number >= from) else {
        let last = FairBoard::all().last();
        let last = last.map_or(0, |board| board.number);
        bail!("no fair board is known from {from} on; expected a number up to {last}");
    };
    let number = board.number;
    let start = Takeover::start(&Setup {
        board: number,
        ..Setup::default()
    })?;
    Ok(json!({
        "number": number,
        "fen": start.to_string(),
        "rules_version": Takeover::RULES_VERSION,
        "engine": {
            "first": board.first,
            "draws": board.draws,
            "second": board.second,
        },
    }))
}

/// The first opening from number `from` on that was measured to be fair, with its figures.
fn fair_opening(game: &dyn AnyGame, from: u64) -> anyhow::Result<Value> {
    let openings = FairOpening::all(game.name());
    let Some(last) = openings.last() else {
        bail!("{} has no fair boards", game.name());
    };
    let Some(opening) = openings.iter().find(|opening| opening.number >= from) else {
        bail!(
            "no fair opening is known from {from} on; expected a number up to {}",
            last.number
        );
    };
    Ok(json!({
        "number": opening.number,
        "fen": opening.position,
        "rules_version": game.rules_version(),
        "engine": {
            "first": opening.first,
            "draws": opening.draws,
            "second": opening.second,
        },
    }))
}
