use std::io::Write;

use anyhow::bail;
use lilypads::{Board, Circle};
use rules::{Game, Player};
use serde_json::{Value, json};
use takeover::Takeover;

use crate::args::BoardArgs;

/// Prints a board as one line of JSON.
pub(crate) fn run(args: &BoardArgs, out: &mut impl Write) -> anyhow::Result<()> {
    // The name is checked first, for the better message.
    let game = catalog::find(&args.game)?;
    let board = match game.name() {
        lilypads::Lilypads::NAME => lilypads_board(args.number),
        Takeover::NAME => {
            let number = args.number.to_string();
            let table = game.start(&[("board", &number)])?;
            json!({ "number": args.number, "fen": table.position() })
        }
        name => bail!("{name} has no numbered boards; expected lilypads or takeover"),
    };
    writeln!(out, "{board}")?;
    Ok(())
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
