use std::{collections::HashMap, fmt::Display};

/// A language of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// Its BCP 47 tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// The language of a tag such as `ja-JP`, if it is supported.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let name = tag.split('-').next().unwrap_or(tag);
        Self::ALL
            .into_iter()
            .find(|language| language.tag() == name)
    }
}

/// The key of the phrase for a value of an option, and the number in it.
///
/// The key is that of the option's label and the word before a colon: the value
/// `moves:200` of the option `simply-go.mode` has the phrase
/// `simply-go.mode.moves`, in which `{n}` is 200. A value that is nothing but a
/// number has the phrase `….number`.
///
/// ```
/// use view::value_key;
///
/// let (key, number) = value_key("nonaga.variant", "published");
/// assert_eq!((key.as_str(), number), ("nonaga.variant.published", ""));
/// let (key, number) = value_key("simply-go.mode", "moves:200");
/// assert_eq!((key.as_str(), number), ("simply-go.mode.moves", "200"));
/// let (key, number) = value_key("lilypads.board", "42");
/// assert_eq!((key.as_str(), number), ("lilypads.board.number", "42"));
/// ```
#[must_use]
pub fn value_key<'v>(label: &str, value: &'v str) -> (String, &'v str) {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let (word, number) = if is_number {
        ("number", value)
    } else {
        value.split_once(':').unwrap_or((value, ""))
    };
    (format!("{label}.{word}"), number)
}

/// The phrases of one language.
///
/// A file of phrases has lines `name = phrase`; empty lines and those that
/// begin with `#` are skipped. In a phrase `{x}` stands for a value, and
/// `{x?one|many}` for the first text if that value is 1 and else for the
/// second, in which `#` is the value.
///
/// ```
/// use view::Words;
///
/// let words = Words::new(&["pads = {n?one pad|# pads} on {board}"]);
/// assert_eq!(words.say("pads", &[("n", &1), ("board", &"#7")]), "one pad on #7");
/// assert_eq!(words.say("pads", &[("n", &3), ("board", &"#7")]), "3 pads on #7");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    phrases: HashMap<String, String>,
}

impl Words {
    /// The phrases that this crate needs, in the given language.
    #[must_use]
    pub fn of(language: Language) -> Self {
        Self::new(&[match_phrases(language), more_phrases(language)])
    }

    /// The phrases of these files. The last definition of a name wins.
    #[must_use]
    pub fn new(files: &[&str]) -> Self {
        let lines = files.iter().flat_map(|file| file.lines());
        let phrases = lines.filter_map(|line| {
            let (name, phrase) = line.split_once(" = ")?;
            (!name.starts_with('#')).then(|| (name.trim().to_owned(), phrase.trim().to_owned()))
        });
        Self {
            phrases: phrases.collect(),
        }
    }

    /// The phrases that this crate needs, and those of a file, in the given
    /// language.
    #[must_use]
    pub fn with(language: Language, file: &str) -> Self {
        Self::of(language).and(file)
    }

    /// Adds the phrases of another file.
    #[must_use]
    pub fn and(mut self, file: &str) -> Self {
        self.phrases.extend(Self::new(&[file]).phrases);
        self
    }

    /// The names of all phrases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.phrases.keys().map(String::as_str)
    }

    /// Whether there is a phrase called `name`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.phrases.contains_key(name)
    }

    /// The phrase called `name`, with values filled in. Falls back to the name
    /// itself if there is no such phrase.
    #[must_use]
    pub fn say(&self, name: &str, values: &[(&str, &dyn Display)]) -> String {
        let phrase = self.phrases.get(name).map_or(name, String::as_str);
        let mut said = String::with_capacity(phrase.len());
        let mut rest = phrase;
        while let Some((before, after)) = rest.split_once('{') {
            said.push_str(before);
            let Some((place, after)) = after.split_once('}') else {
                rest = after;
                break;
            };
            let (name, forms) = match place.split_once('?') {
                Some((name, forms)) => (name, forms.split_once('|')),
                None => (place, None),
            };
            let value = values.iter().find(|(given, _)| *given == name);
            let value = value.map_or_else(String::new, |(_, value)| value.to_string());
            match forms {
                None => said.push_str(&value),
                Some((one, _)) if value == "1" => said.push_str(one),
                Some((_, many)) => said.push_str(&many.replace('#', &value)),
            }
            rest = after;
        }
        said.push_str(rest);
        said
    }

    /// The name of the value of an option, by the [key](value_key) of its phrase;
    /// `label` is the key of the option's own phrase.
    ///
    /// ```
    /// use view::{Language, Words};
    ///
    /// let words = Words::of(Language::English);
    /// assert_eq!(words.say("simply-go.mode", &[]), "Ends");
    /// assert_eq!(words.say_value("simply-go.mode", "moves:200"), "after 200 moves");
    /// assert_eq!(words.say_value("lilypads.board", "42"), "#42");
    /// ```
    #[must_use]
    pub fn say_value(&self, label: &str, value: &str) -> String {
        let (key, number) = value_key(label, value);
        self.say(&key, &[("n", &number)])
    }
}

/// The file of phrases that a match needs.
#[must_use]
pub const fn match_phrases(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../text/en.txt"),
        Language::Japanese => include_str!("../text/ja.txt"),
    }
}

/// The file of the other phrases of this crate: for rule sheets, and for positions that are set
/// up by hand.
#[must_use]
pub const fn more_phrases(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../text/more.en.txt"),
        Language::Japanese => include_str!("../text/more.ja.txt"),
    }
}
