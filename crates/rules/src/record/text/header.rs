use super::TITLE;
use crate::record::{Problem, ReadError};

/// The lines `name: value` before the moves.
pub(super) struct Header<'a> {
    fields: Vec<Field<'a>>,
    n_taken: usize,
    /// The number of lines, title and empty line included.
    pub(super) n_lines: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) line: usize,
    name: &'a str,
    pub(super) value: &'a str,
}

impl Field<'_> {
    pub(super) fn wrong(&self, problem: Problem) -> ReadError {
        at(self.line, problem)
    }
}

pub(super) fn at(line: usize, problem: Problem) -> ReadError {
    ReadError::Line { line, problem }
}

impl<'a> Header<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, ReadError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().is_none_or(|(title, _)| title != TITLE) {
            return Err(at(1, Problem::Expected(TITLE)));
        }
        let mut fields = Vec::new();
        let mut n_lines = 1;
        for (text, line) in lines {
            n_lines = line;
            if text.is_empty() {
                break;
            }
            let field = text.split_once(": ");
            let (name, value) = field
                .ok_or_else(|| at(line, Problem::Expected("a line such as \"game: nonaga\"")))?;
            fields.push(Field { line, name, value });
        }
        Ok(Self {
            fields,
            n_taken: 0,
            n_lines,
        })
    }

    /// The next field, if it has this name.
    pub(super) fn take(&mut self, name: &str) -> Option<Field<'a>> {
        let field = self.fields.get(self.n_taken)?;
        (field.name == name).then(|| {
            self.n_taken += 1;
            *field
        })
    }

    pub(super) fn require(&mut self, name: &'static str) -> Result<Field<'a>, ReadError> {
        if let Some(field) = self.take(name) {
            return Ok(field);
        }
        let rest = &self.fields[self.n_taken..];
        match rest.first() {
            Some(field) if rest.iter().any(|field| field.name == name) => {
                Err(field.wrong(Problem::Misplaced(field.name.to_owned())))
            }
            _ => Err(at(self.next_line(), Problem::Missing(name))),
        }
    }

    /// The number of the line where the next field is or would be.
    pub(super) fn next_line(&self) -> usize {
        let field = self.fields.get(self.n_taken);
        field.map_or(self.n_lines, |field| field.line)
    }

    pub(super) fn finish(&self) -> Result<(), ReadError> {
        match self.fields.get(self.n_taken) {
            Some(field) => Err(field.wrong(Problem::Misplaced(field.name.to_owned()))),
            None => Ok(()),
        }
    }
}
