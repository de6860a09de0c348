use catalog::{AnyMatch, Editing};
use rules::Player;
use view::{AnyTable, Edit, EditError, Mark, Tool};

/// An event that changes a [`SetUp`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetUpEvent {
    /// Another tool is chosen.
    Choose(Tool),
    /// The tool is used on this target of the board.
    Click(String),
    /// This player is to move.
    Turn(Player),
    /// The last change is undone.
    Undo,
    /// The selection is cleared.
    Clear,
}

/// The state of somebody who sets up a position by hand.
///
/// Every change leads to a legal position, or is refused with a reason and changes nothing.
///
/// ```
/// use study::{SetUp, SetUpEvent};
/// use view::Tool;
///
/// let record = catalog::find("takeover")?.start(&[("board", "1")])?;
/// let mut set_up = SetUp::new(&*record);
/// set_up.update(SetUpEvent::Choose(Tool::Remove));
/// set_up.update(SetUpEvent::Click("a6".to_owned()));
/// assert_ne!(set_up.record().position(), record.position());
/// assert!(set_up.refusal().is_none());
/// set_up.update(SetUpEvent::Undo);
/// assert_eq!(set_up.record().position(), record.position());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SetUp {
    record: Box<dyn AnyMatch>,
    table: Box<dyn AnyTable>,
    /// The matches before the changes, oldest first.
    earlier: Vec<Box<dyn AnyMatch>>,
    tool: Option<Tool>,
    /// The selected target, whose piece is being moved.
    taken: Option<String>,
    refusal: Option<EditError>,
}

impl SetUp {
    /// Begins with the position at the cursor of `record`.
    #[must_use]
    pub fn new(record: &dyn AnyMatch) -> Self {
        let tool = record.tools().first().copied();
        let record = record.boxed_clone();
        Self {
            table: still_table(&*record),
            record,
            earlier: Vec::new(),
            tool,
            taken: None,
            refusal: None,
        }
    }

    /// Applies `event`.
    pub fn update(&mut self, event: SetUpEvent) {
        self.refusal = None;
        match event {
            SetUpEvent::Choose(tool) => {
                self.taken = None;
                if self.record.tools().contains(&tool) {
                    self.tool = Some(tool);
                }
            }
            SetUpEvent::Click(target) => self.click(target),
            SetUpEvent::Turn(player) => {
                self.taken = None;
                self.edit(Edit::Turn(player));
            }
            SetUpEvent::Undo => {
                self.taken = None;
                if let Some(record) = self.earlier.pop() {
                    self.show(record);
                }
            }
            SetUpEvent::Clear => self.taken = None,
        }
    }

    fn click(&mut self, target: String) {
        let Some(tool) = self.tool else {
            return;
        };
        let Some(from) = self.taken.take() else {
            match tool.edit(&[target.as_str()]) {
                Some(edit) => self.edit(edit),
                // A target whose content can't be moved to its own place is empty.
                None => match self.record.edited(Edit::Move(&target, &target)) {
                    Ok(_) => self.taken = Some(target),
                    Err(refusal) => self.refusal = Some(refusal),
                },
            }
            return;
        };
        if from != target
            && let Some(edit) = tool.edit(&[from.as_str(), target.as_str()])
        {
            self.edit(edit);
        }
    }

    fn edit(&mut self, edit: Edit<&str>) {
        match self.record.edited(edit) {
            // An edit without an effect is not recorded for undo.
            Ok(record) if record.position() == self.record.position() => {}
            Ok(record) => {
                let before = std::mem::replace(&mut self.record, record);
                self.earlier.push(before);
                self.table = still_table(&*self.record);
            }
            Err(refusal) => self.refusal = Some(refusal),
        }
    }

    fn show(&mut self, record: Box<dyn AnyMatch>) {
        self.table = still_table(&*record);
        self.record = record;
    }

    /// A match that begins with the position as it stands.
    #[must_use]
    pub fn start(&self) -> Option<Box<dyn AnyMatch>> {
        let game = catalog::find(self.record.game()).ok()?;
        game.start_from(&self.record.position()).ok()
    }

    /// The match whose position at the cursor is the one that is set up.
    #[must_use]
    pub fn record(&self) -> &dyn AnyMatch {
        &*self.record
    }

    /// The position as a picture.
    #[must_use]
    pub fn table(&self) -> &dyn AnyTable {
        &*self.table
    }

    /// The tools to choose from.
    #[must_use]
    pub fn tools(&self) -> &'static [Tool] {
        self.record.tools()
    }

    /// The tool that clicks use.
    #[must_use]
    pub fn tool(&self) -> Option<Tool> {
        self.tool
    }

    /// The selected target.
    #[must_use]
    pub fn taken(&self) -> Option<&str> {
        self.taken.as_deref()
    }

    /// Whether a click on a target would select it.
    #[must_use]
    pub fn takes_up(&self, target: &str) -> bool {
        self.taken.is_none()
            && self.tool == Some(Tool::Move)
            && self.record.edited(Edit::Move(target, target)).is_ok()
    }

    /// Why the last change was refused, if it was.
    #[must_use]
    pub fn refusal(&self) -> Option<&EditError> {
        self.refusal.as_ref()
    }

    /// Whether there is a change to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// The marks on the board: the selected target.
    #[must_use]
    pub fn marks(&self) -> Vec<Mark> {
        self.taken.iter().cloned().map(Mark::Ring).collect()
    }
}

/// The position at the cursor as a picture that shows no last move.
fn still_table(record: &dyn AnyMatch) -> Box<dyn AnyTable> {
    let game = catalog::find(record.game());
    let still = game.and_then(|game| game.start_from(&record.position()));
    match still {
        Ok(still) => still.analysis_table(),
        Err(_) => record.analysis_table(),
    }
}
