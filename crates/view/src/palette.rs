/// A color theme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Light.
    #[default]
    Light,
    /// Dark.
    Dark,
    /// High contrast.
    Contrast,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Contrast];

    /// Its name in settings and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Contrast => "contrast",
        }
    }
}

/// The material of boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BoardStyle {
    /// Water, bone, soft squares, straw.
    #[default]
    Material,
    /// White paper and thin lines.
    Paper,
    /// Dark slate.
    Slate,
    /// As in the theme of the same name.
    Contrast,
}

impl BoardStyle {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Material, Self::Paper, Self::Slate, Self::Contrast];

    /// Its name in settings and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Paper => "paper",
            Self::Slate => "slate",
            Self::Contrast => "contrast",
        }
    }
}

/// The style of pieces. Names of colors stay true: red is red, only lighter or darker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PieceStyle {
    /// With light and shade.
    #[default]
    Buttons,
    /// Without.
    Flat,
    /// One player light, the other dark: for eyes that tell few colors apart.
    Clear,
}

impl PieceStyle {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Buttons, Self::Flat, Self::Clear];

    /// Its name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Buttons => "buttons",
            Self::Flat => "flat",
            Self::Clear => "clear",
        }
    }
}

/// All that decides what a [`Color`] looks like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Palette {
    /// How light the room is.
    pub theme: Theme,
    /// The material of boards.
    pub board: BoardStyle,
    /// The style of pieces.
    pub pieces: PieceStyle,
}

impl From<Theme> for Palette {
    fn from(theme: Theme) -> Self {
        Self {
            theme,
            ..Self::default()
        }
    }
}

impl Palette {
    /// Its name, with letters that identifiers may have.
    #[must_use]
    pub fn name(self) -> String {
        let (theme, board, pieces) = (self.theme.name(), self.board.name(), self.pieces.name());
        if (self.board, self.pieces) == Default::default() {
            theme.to_owned()
        } else {
            format!("{theme}-{board}-{pieces}")
        }
    }
}

macro_rules! palette {
    ($($(#[$doc:meta])* $name:ident: $light:literal $dark:literal $contrast:literal,)*) => {
        /// A color by its purpose. The theme decides what it looks like.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Color {
            $($(#[$doc])* $name,)*
        }

        impl Color {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The color in CSS notation.
            #[must_use]
            pub fn css(self, palette: impl Into<Palette>) -> &'static str {
                let Palette {
                    theme,
                    board,
                    pieces,
                } = palette.into();
                let color = match pieces {
                    PieceStyle::Flat => self.without_shade(),
                    PieceStyle::Buttons | PieceStyle::Clear => self,
                };
                let clear = match pieces {
                    PieceStyle::Clear => color.clear(),
                    PieceStyle::Buttons | PieceStyle::Flat => None,
                };
                let (of_board, theme) = match board {
                    BoardStyle::Material => (None, theme),
                    BoardStyle::Paper => (color.on_paper(), theme),
                    BoardStyle::Slate => (color.on_slate(), theme),
                    BoardStyle::Contrast if color.is_board() => (None, Theme::Contrast),
                    BoardStyle::Contrast => (None, theme),
                };
                clear.or(of_board).unwrap_or_else(|| color.in_theme(theme))
            }

            fn in_theme(self, theme: Theme) -> &'static str {
                match self {
                    $(Self::$name => match theme {
                        Theme::Light => $light,
                        Theme::Dark => $dark,
                        Theme::Contrast => $contrast,
                    },)*
                }
            }
        }
    };
}

impl Color {
    /// The face of a piece for its head, its side and the like.
    fn without_shade(self) -> Self {
        match self {
            Self::TileFirstSide => Self::TileFirst,
            Self::TileSecondSide => Self::TileSecond,
            Self::SquareFirstHead | Self::SquareFirstSide => Self::SquareFirst,
            Self::SquareSecondHead | Self::SquareSecondSide => Self::SquareSecond,
            Self::StoneSheen => Self::StoneInk,
            Self::StoneShade | Self::StoneGrowth => Self::StoneShell,
            color => color,
        }
    }

    /// Light and dark instead of two colors that are equally light.
    fn clear(self) -> Option<&'static str> {
        Some(match self {
            Self::PondFirst | Self::TileSecond | Self::PondFirstRing => "#0b3a8a",
            Self::PondSecond | Self::TileFirst | Self::PondSecondRing => "#f2603c",
            Self::TileSecondSide => "#061f4e",
            Self::TileFirstSide => "#9c2f12",
            Self::SquareFirst | Self::SquareFirstHead => "#075e42",
            Self::SquareFirstSide => "#03281c",
            Self::SquareSecond | Self::SquareSecondHead => "#ffd84d",
            _ => return None,
        })
    }

    fn on_paper(self) -> Option<&'static str> {
        Some(match self {
            Self::PondMiddle | Self::PondRim | Self::Wood | Self::WoodGrain => "#fbfaf6",
            Self::PondRipple => "#f1eee6",
            Self::PondEdge | Self::WoodLine => "#6f6a60",
            Self::Pad | Self::TileTop | Self::TileBevel | Self::SquareCell => "#ffffff",
            Self::PadShade | Self::TileFoot => "#f6f4ee",
            Self::PadVein | Self::PadNotch => "#e3dfd4",
            Self::PadNumber | Self::WoodLabel | Self::SquareLabel => "#3f3b34",
            Self::PadHalo => "#ffffff00",
            Self::TileTable | Self::SquareBase => "#e8e4da",
            Self::TileSide => "#a39c8e",
            Self::TileGrip => "#7d766a",
            Self::SquareHole => "#d6d1c5",
            Self::SquareCross => "#6f6a60",
            _ => return None,
        })
    }

    fn on_slate(self) -> Option<&'static str> {
        Some(match self {
            Self::PondMiddle => "#33404a",
            Self::PondRim => "#29343d",
            Self::PondRipple => "#3e4c57",
            Self::PondEdge => "#91a2af",
            Self::Pad => "#b3bec6",
            Self::PadShade => "#9dabb5",
            Self::PadVein => "#7a8994",
            Self::PadNotch => "#55636e",
            Self::PadNumber => "#14191d",
            Self::PadHalo => "#dbe6ee57",
            Self::PondFirstTrail => "#8fb9f7",
            Self::PondSecondTrail => "#ff9ea6",
            Self::TileTable => "#262f36",
            Self::TileTop => "#c6d0d8",
            Self::TileFoot => "#b0bcc5",
            Self::TileBevel => "#dbe3e9",
            Self::TileSide => "#5f6d78",
            Self::TileGrip => "#5f6d78",
            Self::SquareBase => "#1e252b",
            Self::SquareCell => "#2f3941",
            Self::SquareHole => "#161b20",
            Self::SquareCross => "#94a3af",
            Self::SquareLabel => "#a9b7c2",
            Self::SquareFirst => "#2b9a62",
            Self::SquareFirstHead => "#35a76d",
            Self::SquareFirstSide => "#0c3d25",
            Self::Wood => "#8d9ca7",
            Self::WoodGrain => "#8695a0",
            Self::WoodLine => "#3a454e",
            Self::WoodLabel => "#1a2126",
            _ => return None,
        })
    }

    /// Whether it is part of a board, and not of the room or of a piece.
    fn is_board(self) -> bool {
        matches!(
            self,
            Self::PondMiddle
                | Self::PondRim
                | Self::PondRipple
                | Self::PondEdge
                | Self::Pad
                | Self::PadShade
                | Self::PadVein
                | Self::PadNotch
                | Self::PadNumber
                | Self::PadNumberLit
                | Self::PadLine
                | Self::PadHalo
                | Self::PondFirstSoft
                | Self::PondSecondSoft
                | Self::PondFirstVein
                | Self::PondSecondVein
                | Self::PondFirstTrail
                | Self::PondSecondTrail
                | Self::TileTable
                | Self::TileTop
                | Self::TileFoot
                | Self::TileBevel
                | Self::TileSide
                | Self::TileGrip
                | Self::SquareBase
                | Self::SquareCell
                | Self::SquareHole
                | Self::SquareCross
                | Self::SquareLabel
                | Self::SquareFirst
                | Self::SquareFirstHead
                | Self::SquareFirstSide
                | Self::Wood
                | Self::WoodGrain
                | Self::WoodLine
                | Self::WoodLabel
        )
    }
}

palette! {
    /// Pure black.
    Black: "#000000" "#000000" "#000000",
    /// Pure white.
    White: "#ffffff" "#ffffff" "#ffffff",
    /// Highlights: the selection and its destinations.
    Lamp: "#ffd400" "#ffd400" "#ffd400",
    /// Lines and marks on highlights.
    OnLamp: "#1a1500" "#1a1500" "#1a1500",
    /// The accent color of the interface.
    Accent: "#6b3a82" "#d9afec" "#f0c4ff",
    /// Marks on the accent.
    OnAccent: "#ffffff" "#2b1338" "#000000",
    /// Text and strong lines.
    Ink: "#1f1a24" "#f2eef5" "#ffffff",
    /// Quieter text and lines.
    Ink2: "#584f61" "#bab1c4" "#ffffff",
    /// The ground of cards.
    Surface: "#ffffff" "#1e1a23" "#000000",
    /// The focus ring.
    Focus: "#6b3a82" "#e3c1f2" "#ffffff",
    /// The gap inside the focus ring.
    FocusGap: "#ffffff" "#151218" "#000000",

    /// The pond in the middle.
    PondMiddle: "#d6e8e3" "#16302d" "#000000",
    /// The pond at its rim.
    PondRim: "#c3dcd5" "#10231f" "#000000",
    /// Rings in the water.
    PondRipple: "#eef7f4" "#224540" "#000000",
    /// A line between two circles.
    PondEdge: "#64716d" "#7b8f8a" "#c9c9c9",
    /// A pad, lit side.
    Pad: "#ccd1cf" "#b0b7b4" "#d9d9d9",
    /// A pad, shaded side.
    PadShade: "#b9c0bd" "#9aa29f" "#d9d9d9",
    /// Veins of a pad.
    PadVein: "#959d9a" "#6f7875" "#d9d9d9",
    /// The cut in a pad.
    PadNotch: "#cfe3dd" "#4d5c58" "#bdbdbd",
    /// The number on a pad.
    PadNumber: "#3d4543" "#141917" "#000000",
    /// The number on a colored or lit pad.
    PadNumberLit: "#1c2422" "#1c2422" "#000000",
    /// The border of every circle.
    PadLine: "#0b0f0e" "#000000" "#000000",
    /// The hairline outside that border.
    PadHalo: "#ffffff00" "#d6ebe657" "#ffffff",
    /// A pad that may be moved to.
    PadLit: "#ffe12ead" "#ffe12ead" "#ffe12ead",
    /// First's start and pieces.
    PondFirst: "#1d5cc0" "#1f60c9" "#0b4fd0",
    /// Second's start and pieces.
    PondSecond: "#c41f31" "#c62336" "#c4001d",
    /// Neighbors of First's start.
    PondFirstSoft: "#bcd8f7" "#a6c9f0" "#c9e2ff",
    /// Neighbors of Second's start.
    PondSecondSoft: "#fac9d2" "#f0b4bf" "#ffd3dc",
    /// Veins and rings of First's spots.
    PondFirstVein: "#5f8fc6" "#5f8fc6" "#c9e2ff",
    /// Veins and rings of Second's spots.
    PondSecondVein: "#c97c8b" "#c97c8b" "#ffd3dc",
    /// The ring in First's spots.
    PondFirstRing: "#1d5cc0" "#1d5cc0" "#0b4fd0",
    /// The rings in Second's spots.
    PondSecondRing: "#b51c2d" "#b51c2d" "#c4001d",
    /// First's last move.
    PondFirstTrail: "#1b56b4" "#8fb9f7" "#a9ccff",
    /// Second's last move.
    PondSecondTrail: "#b31a2b" "#ff9ea6" "#ffb3ba",

    /// The table under the tiles.
    TileTable: "#d6cfdc" "#231e2a" "#000000",
    /// A tile's face, top.
    TileTop: "#f7f3ea" "#d8cfbf" "#ffffff",
    /// A tile's face, foot.
    TileFoot: "#eae3d5" "#c5baa6" "#ffffff",
    /// A tile's bevel.
    TileBevel: "#fffdf8" "#efe7d8" "#ffffff",
    /// A tile's side, and joints.
    TileSide: "#96876c" "#6d614d" "#8a8a8a",
    /// The grip of a tile that may be shifted.
    TileGrip: "#85785f" "#665b46" "#444444",
    /// First's pieces.
    TileFirst: "#c4263a" "#c4263a" "#c4263a",
    /// Their side.
    TileFirstSide: "#7e1220" "#7e1220" "#7e1220",
    /// Second's pieces.
    TileSecond: "#2257b8" "#2257b8" "#2257b8",
    /// Their side.
    TileSecondSide: "#123470" "#123470" "#123470",

    /// The board under the squares.
    SquareBase: "#d6dcd2" "#1d2420" "#000000",
    /// A square.
    SquareCell: "#f4f7f1" "#2c352e" "#2b2b2b",
    /// An obstacle.
    SquareHole: "#c3cbbd" "#141916" "#000000",
    /// The obstacle's X.
    SquareCross: "#5f6a5a" "#97a597" "#ffffff",
    /// Files and ranks.
    SquareLabel: "#4b5547" "#a9b5a9" "#ffffff",
    /// First's pieces, foot.
    SquareFirst: "#1c7a4b" "#27905b" "#0c8647",
    /// First's pieces, head.
    SquareFirstHead: "#2c9962" "#309c66" "#0c8647",
    /// First's pieces, side.
    SquareFirstSide: "#0d4b2c" "#0c3d25" "#ffffff",
    /// Second's pieces, foot.
    SquareSecond: "#f2bb1d" "#f2bb1d" "#ffd21a",
    /// Second's pieces, head.
    SquareSecondHead: "#fbd35a" "#fbd35a" "#ffd21a",
    /// Second's pieces, side.
    SquareSecondSide: "#7d5600" "#5b3e00" "#ffffff",
    /// The dots on Second's pieces.
    SquareSecondDot: "#3d2b00" "#3d2b00" "#3d2b00",

    /// The board of stones.
    Wood: "#e9d7ae" "#b39b6d" "#c9a96b",
    /// Its grain.
    WoodGrain: "#e1cc9d" "#a68d5f" "#c9a96b",
    /// Its lines.
    WoodLine: "#6d5932" "#47371a" "#1d1300",
    /// Its coordinates.
    WoodLabel: "#5c4a27" "#2f230d" "#1d1300",
    /// Black stones.
    StoneInk: "#15161b" "#15161b" "#000000",
    /// Their sheen.
    StoneSheen: "#55565f" "#55565f" "#000000",
    /// White stones.
    StoneShell: "#ffffff" "#f6f3ea" "#ffffff",
    /// Their shade.
    StoneShade: "#d5d1c6" "#c4bfb1" "#ffffff",
    /// Their outline.
    StoneRim: "#4c4534" "#4c4534" "#000000",
    /// Their growth lines.
    StoneGrowth: "#b9b2a0" "#b9b2a0" "#ffffff",
    /// Inside a black fort.
    FortFirst: "#1c1e3057" "#12122075" "#00000080",
    /// The walls of a black fort.
    FortFirstWall: "#1c1e3026" "#12122033" "#00000038",
    /// Inside a white fort.
    FortSecond: "#ffffffb8" "#ffffff8c" "#ffffffbf",
    /// The walls of a white fort.
    FortSecondWall: "#ffffff61" "#ffffff42" "#ffffff59",
    /// The dots in a white fort.
    FortSecondDot: "#7a6a45" "#5d4c26" "#1d1300",
}

/// How strongly two opaque colors differ, from 1 to 21 (WCAG 2).
#[cfg(test)]
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |css: &str| {
        let channel = |at: usize| {
            let value = u8::from_str_radix(&css[at..at + 2], 16).unwrap();
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::{BoardStyle, Color, Palette, PieceStyle, Theme, contrast};

    fn palettes() -> impl Iterator<Item = Palette> {
        Theme::ALL.into_iter().flat_map(|theme| {
            BoardStyle::ALL.into_iter().flat_map(move |board| {
                PieceStyle::ALL.into_iter().map(move |pieces| Palette {
                    theme,
                    board,
                    pieces,
                })
            })
        })
    }

    #[test]
    fn colors_are_written_in_full() {
        for &color in Color::ALL {
            for palette in palettes() {
                let css = color.css(palette);
                let digits = css.strip_prefix('#').unwrap();
                assert!(matches!(digits.len(), 6 | 8), "{color:?}: {css}");
                assert!(u32::from_str_radix(digits, 16).is_ok(), "{color:?}: {css}");
            }
        }
    }

    #[test]
    fn texts_and_marks_can_be_read() {
        use Color::*;
        let texts = [
            (Ink, Surface),
            (Ink2, Surface),
            (PadNumber, Pad),
            (PadNumberLit, PondFirstSoft),
            (PadNumberLit, PondSecondSoft),
            (SquareLabel, SquareBase),
            (WoodLabel, Wood),
            (OnAccent, Accent),
        ];
        let marks = [
            (White, PondFirst),
            (White, PondSecond),
            (White, TileFirst),
            (White, TileSecond),
            (White, SquareFirst),
            (SquareSecondDot, SquareSecond),
            (OnLamp, Lamp),
            (SquareCross, SquareHole),
        ];
        let pairs = texts.map(|pair| (pair, 4.5)).into_iter();
        for ((a, b), least) in pairs.chain(marks.map(|pair| (pair, 3.0))) {
            for palette in palettes() {
                let contrast = contrast(a.css(palette), b.css(palette));
                assert!(
                    contrast >= least,
                    "{a:?} on {b:?}, {palette:?}: {contrast:.2}"
                );
            }
        }
    }

    /// Lightness alone tells the colors apart.
    #[test]
    fn clear_pieces_differ_in_lightness() {
        use Color::*;
        for palette in palettes().filter(|palette| palette.pieces == PieceStyle::Clear) {
            for (a, b) in [
                (PondFirst, PondSecond),
                (TileFirst, TileSecond),
                (SquareFirst, SquareSecond),
                (StoneInk, StoneShell),
            ] {
                let contrast = contrast(a.css(palette), b.css(palette));
                assert!(contrast >= 3.0, "{a:?} and {b:?}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn what_is_not_chosen_is_as_the_theme_has_it() {
        for theme in Theme::ALL {
            assert_eq!(Palette::from(theme).name(), theme.name());
            for &color in Color::ALL {
                assert_eq!(color.css(theme), color.in_theme(theme));
            }
        }
    }
}
