//! Where matches are kept: the browser's database, and what happens if there is none.
//!
//! A match is stored as text under its id. Concurrency is optimistic: a write names the
//! revision that it is based on; if another tab was faster, nothing is written and the stored
//! text is returned. Tabs notify each other of what they write.
//!
//! Matches that can't be stored are kept until the page is closed, with one notice.

use std::{
    collections::{HashMap, VecDeque},
    rc::Rc,
};

use idb::{Database, DatabaseEvent, Factory, ObjectStoreParams, Query, TransactionMode};
use leptos::{prelude::*, task::spawn_local};
use play::{Saved, SavedHead};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent};

/// The name of the database, and of the channel between tabs.
const NAME: &str = "parlour";

const MATCHES: &str = "matches";

const VERSION: u32 = 1;

/// Why matches can't be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The browser has no database for this page, or does not allow it.
    Forbidden,
    /// The device has no room left.
    Full,
}

/// A match that is kept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    pub(crate) id: String,
    /// The match, or why it can't be read.
    pub(crate) saved: Result<Saved, String>,
    /// As it is stored.
    pub(crate) text: String,
}

impl Entry {
    fn new(id: String, text: String) -> Self {
        let saved = text.parse::<Saved>().map_err(|error| error.to_string());
        Self { id, saved, text }
    }
}

/// A match as another tab stored it.
#[derive(Clone)]
pub(crate) struct News {
    pub(crate) id: String,
    pub(crate) text: String,
    /// Whether this tab wanted to write at the same time, and was too late.
    pub(crate) is_conflict: bool,
    /// Whether the match stands where this tab last knew it: it was studied elsewhere, not
    /// played.
    pub(crate) is_study: bool,
}

/// Receives what another tab wrote.
type OnNews = Callback<News>;

/// A match to be written.
struct Job {
    id: String,
    text: String,
    known: KnownVersion,
}

/// What is known of a stored match.
#[derive(Clone, Copy, PartialEq, Eq)]
struct KnownVersion {
    revision: u64,
    /// When it was played last.
    changed: u64,
}

impl KnownVersion {
    fn of_text(text: &str) -> Option<Self> {
        Some(Self::of_saved(&text.parse().ok()?))
    }

    fn of_saved(saved: &Saved) -> Self {
        let SavedHead {
            revision, changed, ..
        } = saved.head;
        Self { revision, changed }
    }
}

#[derive(Default)]
struct State {
    database: Option<Rc<Database>>,
    is_tried: bool,
    /// Matches that could not be stored.
    unstored: HashMap<String, String>,
    /// What was read or written last.
    known: HashMap<String, KnownVersion>,
    jobs: VecDeque<Job>,
    /// The id and the text of the match that is being written.
    being_written: Option<(String, String)>,
    is_writing: bool,
    channel: Option<BroadcastChannel>,
}

/// Where matches are kept. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Shelf {
    state: StoredValue<State, LocalStorage>,
    /// Why matches can't be stored, once that has shown.
    pub(crate) trouble: RwSignal<Option<Trouble>>,
    /// Changes whenever a match does, in whatever tab.
    pub(crate) version: RwSignal<u32>,
    on_news: StoredValue<Option<OnNews>>,
    on_study_news: StoredValue<Option<OnNews>>,
}

fn trouble_of(error: &idb::Error) -> Trouble {
    let is_full = error.to_string().contains("QuotaExceeded");
    if is_full {
        Trouble::Full
    } else {
        Trouble::Forbidden
    }
}

async fn open_database() -> Result<Database, idb::Error> {
    let mut request = Factory::new()?.open(NAME, Some(VERSION))?;
    request.on_upgrade_needed(|event| {
        if let Ok(database) = event.database() {
            database
                .create_object_store(MATCHES, ObjectStoreParams::new())
                .ok();
        }
    });
    let mut database = request.await?;
    // A newer version of the page may need another form.
    database.on_version_change(|event| {
        if let Ok(database) = event.database() {
            database.close();
        }
    });
    Ok(database)
}

fn key(id: &str) -> Query {
    Query::Key(JsValue::from_str(id))
}

/// How a write went.
enum Written {
    Done,
    /// Another tab was faster: this is what it wrote.
    Conflict(String),
}

/// Writes a match, unless its stored revision is not `base`.
async fn write(database: &Database, job: &Job, base: Option<u64>) -> Result<Written, idb::Error> {
    let transaction = database.transaction(&[MATCHES], TransactionMode::ReadWrite)?;
    let store = transaction.object_store(MATCHES)?;
    let stored = store.get(key(&job.id))?.await?;
    let stored = stored.and_then(|text| text.as_string());
    if let Some(stored) = stored
        && let Some(known) = KnownVersion::of_text(&stored)
        && Some(known.revision) != base
    {
        return Ok(Written::Conflict(stored));
    }
    let value = JsValue::from_str(&job.text);
    store
        .put(&value, Some(&JsValue::from_str(&job.id)))?
        .await?;
    transaction.await?;
    Ok(Written::Done)
}

async fn put(database: &Database, id: &str, text: Option<&str>) -> Result<(), idb::Error> {
    let transaction = database.transaction(&[MATCHES], TransactionMode::ReadWrite)?;
    let store = transaction.object_store(MATCHES)?;
    match text {
        Some(text) => {
            let key = JsValue::from_str(id);
            store.put(&JsValue::from_str(text), Some(&key))?.await?;
        }
        None => store.delete(key(id))?.await?,
    }
    transaction.await?;
    Ok(())
}

async fn get(database: &Database, id: &str) -> Result<Option<String>, idb::Error> {
    let transaction = database.transaction(&[MATCHES], TransactionMode::ReadOnly)?;
    let value = transaction.object_store(MATCHES)?.get(key(id))?.await?;
    Ok(value.and_then(|value| value.as_string()))
}

async fn get_all(database: &Database) -> Result<Vec<(String, String)>, idb::Error> {
    let transaction = database.transaction(&[MATCHES], TransactionMode::ReadOnly)?;
    let store = transaction.object_store(MATCHES)?;
    let keys = store.get_all_keys(None, None)?.await?;
    let values = store.get_all(None, None)?.await?;
    let pairs = keys.into_iter().zip(values);
    let texts = pairs.map(|(key, value)| (key.as_string(), value.as_string()));
    let text = |(key, value): (Option<String>, Option<String>)| {
        // Whatever is stored there instead of text is a match that can't be read.
        Some((key?, value.unwrap_or_default()))
    };
    Ok(texts.filter_map(text).collect())
}

impl Shelf {
    /// The shelf of this browser. Nothing is opened yet.
    pub(crate) fn new() -> Self {
        Self {
            state: StoredValue::new_local(State::default()),
            trouble: RwSignal::new(None),
            version: RwSignal::new(0),
            on_news: StoredValue::new(None),
            on_study_news: StoredValue::new(None),
        }
    }

    /// Sets who else receives what other tabs write: a study, as long as it is open.
    pub(crate) fn tell_study(self, on_news: Option<OnNews>) {
        self.on_study_news
            .try_update_value(|place| *place = on_news);
    }

    /// Listens to other tabs. `on_news` receives every match that changed elsewhere.
    pub(crate) fn listen(self, on_news: OnNews) {
        self.on_news.set_value(Some(on_news));
        let Ok(channel) = BroadcastChannel::new(NAME) else {
            return;
        };
        let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(id) = event.data().as_string() {
                self.heard_of(id);
            }
        });
        channel.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        // The page listens as long as it is open.
        heard.forget();
        self.state
            .update_value(|state| state.channel = Some(channel));
    }

    fn heard_of(self, id: String) {
        self.changed();
        let has_job = self
            .state
            .with_value(|state| state.jobs.iter().any(|job| job.id == id));
        if has_job {
            // Writing it will show who was faster.
            return;
        }
        spawn_local(async move {
            if let Some(text) = self.read(&id).await {
                self.tell_of(News {
                    id,
                    text,
                    is_conflict: false,
                    is_study: false,
                });
            }
        });
    }

    fn tell_of(self, news: News) {
        for listener in [self.on_news, self.on_study_news] {
            if let Some(Some(on_news)) = listener.try_get_value() {
                on_news.run(news.clone());
            }
        }
    }

    fn changed(self) {
        self.version.update(|version| *version += 1);
    }

    /// Tells other tabs, and whoever shows a list of matches here.
    fn announce(self, id: &str) {
        self.state.with_value(|state| {
            if let Some(channel) = &state.channel {
                channel.post_message(&JsValue::from_str(id)).ok();
            }
        });
        self.changed();
    }

    async fn database(self) -> Option<Rc<Database>> {
        let (database, is_tried) = self
            .state
            .with_value(|state| (state.database.clone(), state.is_tried));
        if is_tried {
            return database;
        }
        let opened = open_database().await;
        self.state.update_value(|state| state.is_tried = true);
        match opened {
            Ok(database) => {
                let database = Rc::new(database);
                let kept = Rc::clone(&database);
                self.state.update_value(|state| state.database = Some(kept));
                Some(database)
            }
            Err(error) => {
                self.report(&error);
                None
            }
        }
    }

    fn report(self, error: &idb::Error) {
        let trouble = trouble_of(error);
        if self.trouble.get_untracked() != Some(trouble) {
            self.trouble.set(Some(trouble));
        }
    }

    /// Writes a match soon. A later revision takes the place of one that waits.
    pub(crate) fn write(self, id: String, saved: &Saved) {
        let job = Job {
            id,
            text: saved.to_string(),
            known: KnownVersion::of_saved(saved),
        };
        let is_writing = self.state.try_update_value(|state| {
            state.jobs.retain(|waiting| waiting.id != job.id);
            state.jobs.push_back(job);
            std::mem::replace(&mut state.is_writing, true)
        });
        if is_writing == Some(false) {
            spawn_local(self.write_all());
        }
    }

    async fn write_all(self) {
        loop {
            let job = self.state.try_update_value(|state| {
                let job = state.jobs.pop_front();
                state.is_writing = job.is_some();
                let written = job.as_ref().map(|job| (job.id.clone(), job.text.clone()));
                state.being_written = written;
                job
            });
            let Some(Some(job)) = job else {
                return;
            };
            self.write_one(job).await;
        }
    }

    async fn write_one(self, job: Job) {
        let base = self
            .state
            .with_value(|state| state.known.get(&job.id).copied());
        let written = match self.database().await {
            Some(database) => write(&database, &job, base.map(|base| base.revision)).await,
            None => {
                self.keep_unstored(job);
                return;
            }
        };
        match written {
            Ok(Written::Done) => {
                self.know(&job.id, Some(job.known));
                self.state
                    .update_value(|state| drop(state.unstored.remove(&job.id)));
                self.announce(&job.id);
            }
            Ok(Written::Conflict(text)) => {
                self.state
                    .update_value(|state| state.jobs.retain(|waiting| waiting.id != job.id));
                let known = KnownVersion::of_text(&text);
                self.know(&job.id, known);
                let changed = |known: Option<KnownVersion>| known.map(|known| known.changed);
                self.tell_of(News {
                    id: job.id,
                    text,
                    is_conflict: true,
                    is_study: changed(known) == changed(base),
                });
            }
            Err(error) => {
                self.report(&error);
                self.keep_unstored(job);
            }
        }
    }

    fn keep_unstored(self, job: Job) {
        self.state.update_value(|state| {
            state.unstored.insert(job.id, job.text);
        });
        self.changed();
    }

    fn know(self, id: &str, known: Option<KnownVersion>) {
        self.state.update_value(|state| match known {
            Some(known) => drop(state.known.insert(id.to_owned(), known)),
            None => drop(state.known.remove(id)),
        });
    }

    /// The text of a match that is still to be written, or can't be.
    fn unwritten(self, id: &str) -> Option<String> {
        self.state.with_value(|state| {
            let waiting = state.jobs.iter().find(|job| job.id == id);
            let waiting = waiting.map(|job| job.text.clone());
            let being_written = || {
                let (other, text) = state.being_written.as_ref()?;
                (other == id).then(|| text.clone())
            };
            let unstored = || state.unstored.get(id).cloned();
            waiting.or_else(being_written).or_else(unstored)
        })
    }

    /// The text of a match.
    pub(crate) async fn read(self, id: &str) -> Option<String> {
        // What is still to be written is newer than what is stored.
        if let Some(newer) = self.unwritten(id) {
            return Some(newer);
        }
        let text = match get(&*self.database().await?, id).await {
            Ok(text) => text?,
            Err(error) => {
                self.report(&error);
                return None;
            }
        };
        // What this tab wrote meanwhile does not build on this text.
        if let Some(newer) = self.unwritten(id) {
            return Some(newer);
        }
        self.know(id, KnownVersion::of_text(&text));
        Some(text)
    }

    /// All matches, the one that changed last first, and of those that changed at the same time
    /// by their ids.
    pub(crate) async fn read_all(self) -> Vec<Entry> {
        let mut texts = HashMap::new();
        if let Some(database) = self.database().await {
            match get_all(&database).await {
                Ok(stored) => texts.extend(stored),
                Err(error) => self.report(&error),
            }
        }
        // What could not be stored is newer, even if that was found out while the others were read.
        texts.extend(self.state.with_value(|state| state.unstored.clone()));
        let entries = texts.into_iter().map(|(id, text)| Entry::new(id, text));
        let mut entries: Vec<_> = entries.collect();
        let changed = |entry: &Entry| entry.saved.as_ref().map_or(0, |saved| saved.head.changed);
        entries.sort_unstable_by(|a, b| changed(b).cmp(&changed(a)).then(a.id.cmp(&b.id)));
        entries
    }

    /// Stores matches as they are, such as imported ones.
    pub(crate) async fn put_all(self, entries: Vec<(String, String)>) {
        for (id, text) in entries {
            let stored = match self.database().await {
                Some(database) => put(&database, &id, Some(&text)).await,
                None => Ok(()),
            };
            let is_stored = stored.is_ok() && self.state.with_value(|s| s.database.is_some());
            if let Err(error) = stored {
                self.report(&error);
            }
            self.know(&id, KnownVersion::of_text(&text));
            if !is_stored {
                self.state
                    .update_value(|state| drop(state.unstored.insert(id.clone(), text)));
            }
            self.announce(&id);
        }
    }

    /// Deletes a match.
    pub(crate) async fn remove(self, id: &str) {
        self.state.update_value(|state| {
            state.unstored.remove(id);
            state.known.remove(id);
            state.jobs.retain(|job| job.id != id);
        });
        if let Some(database) = self.database().await
            && let Err(error) = put(&database, id, None).await
        {
            self.report(&error);
        }
        self.announce(id);
    }
}
