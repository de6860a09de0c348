//! Pictures of games: scenes, selection of moves, animation plans, spoken labels.
//!
//! A [`Table`] is an interactive position. It draws itself as a [`Scene`], which the
//! canvas, SVG and the mirror for keyboards and screen readers all show; it narrows
//! the legal moves click by click; and it plans the animation of the last move.
//! Nothing here decides what is legal.
//!
//! ```
//! use rules::{Game, Position};
//! use view::{AnyTable, Click, Table};
//!
//! let position = nonaga::Nonaga::start(&nonaga::Setup::default())?;
//! let mut table = Table::new(position);
//! assert_eq!(table.click("0,0"), Click::Nothing, "no piece is there");
//! assert_eq!(table.click("2,-2"), Click::Picked);
//! assert_eq!(table.click("-1,1"), Click::Move("2,-2>-1,1".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod edit;
mod games;
mod geometry;
mod motion;
mod overlay;
mod palette;
mod picture;
mod presentation;
mod rulers;
mod scene;
mod shape;
mod sketch;
mod svg;
mod table;
mod words;

pub use crate::{
    choice::{Choice, Click},
    edit::{Edit, EditError, Tool},
    geometry::{Point, Rect, decimal, limited, sin_cos},
    motion::{Cue, Easing, Plan, Pose, Sound, Track},
    overlay::{Mark, Region, ValueKind},
    palette::{BoardStyle, Color, Palette, PieceStyle, Theme},
    picture::{Deed, Picture, PlayerStatus},
    presentation::{Presentation, Steps},
    rulers::Rulers,
    scene::{Direction, Key, Kind, Node, Outline, Scene, Target},
    shape::{Form, Paint, Segment, Shape, Stroke},
    sketch::{Look, Sketch},
    svg::{svg, svg_of},
    table::{AnyTable, Table},
    words::{Language, Words, match_phrases, more_phrases, value_key},
};
