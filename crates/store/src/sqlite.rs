use std::{
    fs::{File, OpenOptions, TryLockError},
    future::Future,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    pin::pin,
    sync::Mutex,
    task::{Context, Poll, Waker},
    thread::{self, JoinHandle},
    time::Duration,
};

use async_trait::async_trait;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, ToSql, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};
use tokio::sync::{mpsc, oneshot};

use crate::{
    Millis, StoreError,
    clock::system_now,
    sql::{
        Access, Database, Operation, Result, schema,
        tx::{Row, Tx, Value},
    },
};

/// A store in one SQLite file, for one server.
///
/// One thread writes. It runs all queued operations in one transaction (group commit), so that they
/// share the cost of a sync to disk, and reports success afterwards. A second thread reads.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Worker,
    reader: Worker,
    /// Locked as long as the store is open. The system unlocks it when the process ends, however it
    /// does.
    _lock: File,
}

/// The length of a worker's queue; further callers wait for a place in it.
const QUEUE: usize = 1024;
/// The largest number of operations in one commit.
const BATCH: usize = 256;
/// The time to wait for a file that another process has locked.
const PATIENCE: Duration = Duration::from_secs(5);

impl SqliteStore {
    /// Opens the store in a file, which is created if it is not there.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError`] if the file can't be opened, is not a store, or another server uses
    /// it: each would take the other for one that died.
    pub fn open(path: &Path) -> std::result::Result<Self, StoreError> {
        Self::open_with(path, PATIENCE)
    }

    /// Opens a file, and waits up to `patience` for another process to unlock it.
    fn open_with(path: &Path, patience: Duration) -> Result<Self> {
        create(path).map_err(|e| StoreError::Unavailable(e.to_string()))?;
        let lock = lock(path)?;
        let mut connection = Connection::open(path).map_err(error)?;
        connection.busy_timeout(patience).map_err(error)?;
        // A commit is on disk when it returns, also after a power failure.
        let pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
        connection.execute_batch(pragmas).map_err(error)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        control(&connection, "BEGIN IMMEDIATE")?;
        at_once(schema::migrate(&mut SqliteTx(&mut connection)))?;
        control(&connection, "COMMIT")?;

        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags).map_err(error)?;
        reader.busy_timeout(patience).map_err(error)?;
        reader.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self {
            writer: Worker::start("store-writer", connection, "BEGIN IMMEDIATE")?,
            reader: Worker::start("store-reader", reader, "BEGIN")?,
            _lock: lock,
        })
    }
}

/// Creates the file if it is not there. It holds hashes of passwords, so only its owner may
/// read it; the other files of SQLite get the same permissions.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Locks the store against other servers, with a file beside it: SQLite itself locks ranges of the
/// file, and closing any handle of it would release them.
fn lock(path: &Path) -> Result<File> {
    let mut beside = path.as_os_str().to_owned();
    beside.push("-lock");
    let file = create(Path::new(&beside)).map_err(|e| StoreError::Unavailable(e.to_string()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Unavailable(
            "another server uses this file; servers that share a store need Postgres".to_owned(),
        )),
        Err(TryLockError::Error(e)) => Err(StoreError::Unavailable(e.to_string())),
    }
}

/// The number of prepared statements cached by a connection: enough for all of ours.
const STATEMENTS: usize = 128;

#[async_trait]
impl Database for SqliteStore {
    const IS_SHARED: bool = false;

    async fn now(&self) -> Result<Millis> {
        Ok(system_now())
    }

    async fn run<T: Send + 'static>(&self, access: Access, operation: Operation<T>) -> Result<T> {
        let worker = match access {
            Access::Write => &self.writer,
            Access::Query | Access::Snapshot => &self.reader,
        };
        worker.run(operation).await
    }
}

/// A thread with a connection.
#[derive(Debug)]
struct Worker {
    /// `None` once the store is dropped.
    queue: Option<mpsc::Sender<Job>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Runs an operation and returns whether to keep what it wrote, and what to call with the
/// result of the commit.
type Job = Box<dyn FnOnce(&mut Connection) -> (bool, Answer) + Send>;
type Answer = Box<dyn FnOnce(Result<()>)>;

impl Worker {
    fn start(name: &str, mut connection: Connection, begin: &'static str) -> Result<Self> {
        let (sender, mut receiver) = mpsc::channel::<Job>(QUEUE);
        let work = move || {
            let mut jobs = Vec::new();
            while receiver.blocking_recv_many(&mut jobs, BATCH) > 0 {
                run_batch(&mut connection, begin, &mut jobs);
            }
        };
        let builder = thread::Builder::new().name(name.to_owned());
        let thread = builder.spawn(work);
        let thread = thread.map_err(|e| StoreError::Unavailable(e.to_string()))?;
        Ok(Self {
            queue: Some(sender),
            thread: Mutex::new(Some(thread)),
        })
    }

    async fn run<T: Send + 'static>(&self, operation: Operation<T>) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let run = || at_once(operation(&mut SqliteTx(connection)));
            let result = catch_unwind(AssertUnwindSafe(run))
                .unwrap_or_else(|_| Err(StoreError::Broken("an operation panicked".to_owned())));
            let is_kept = result.is_ok();
            let answer = move |committed: Result<()>| {
                // The caller may have been cancelled.
                let _ = sender.send(committed.and(result));
            };
            (is_kept, Box::new(answer))
        });
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(job).await.map_err(|_| stopped())?;
        receiver.await.map_err(|_| stopped())?
    }
}

impl Drop for Worker {
    /// Waits for running operations.
    fn drop(&mut self) {
        self.queue = None;
        let thread = self.thread.get_mut().ok().and_then(Option::take);
        // An operation may hold the last reference to its own store.
        let is_own = |thread: &JoinHandle<()>| thread.thread().id() == thread::current().id();
        if let Some(thread) = thread.filter(|thread| !is_own(thread)) {
            // A panic was reported by the thread itself.
            let _ = thread.join();
        }
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable("the database did not answer".to_owned())
}

/// Runs jobs in one transaction, each in a savepoint of its own, and answers them once it
/// is committed.
fn run_batch(connection: &mut Connection, start: &str, jobs: &mut Vec<Job>) {
    let begun = control(connection, start);
    let mut failed = begun.err();
    let mut answers = Vec::with_capacity(jobs.len());
    for job in jobs.drain(..) {
        if failed.is_some() {
            // Dropping the job reports to its caller that it did not run.
            continue;
        }
        match run_in_savepoint(connection, job) {
            Ok(answer) => answers.push(answer),
            Err(e) => failed = Some(e),
        }
    }
    if failed.is_none() {
        failed = control(connection, "COMMIT").err();
    }
    if failed.is_some() && !connection.is_autocommit() {
        // If this fails as well, so will the next transaction.
        let _ = control(connection, "ROLLBACK");
    }
    for answer in answers {
        answer(failed.clone().map_or(Ok(()), Err));
    }
}

fn run_in_savepoint(connection: &mut Connection, job: Job) -> Result<Answer> {
    control(connection, "SAVEPOINT operation")?;
    let (is_kept, answer) = job(connection);
    if !is_kept {
        control(connection, "ROLLBACK TO operation")?;
    }
    control(connection, "RELEASE operation")?;
    Ok(answer)
}

/// Begins or ends a transaction or a savepoint.
fn control(connection: &Connection, sql: &str) -> Result<()> {
    let mut statement = connection.prepare_cached(sql).map_err(error)?;
    statement.execute([]).map_err(error)?;
    Ok(())
}

/// The result of a future that is always ready.
fn at_once<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(StoreError::Broken("an operation waited".to_owned())),
    }
}

struct SqliteTx<'c>(&'c mut Connection);

#[async_trait]
impl Tx for SqliteTx<'_> {
    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>> {
        self.query_now(sql, parameters).map_err(error)
    }

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64> {
        self.execute_now(sql, parameters).map_err(error)
    }
}

impl SqliteTx<'_> {
    fn query_now(&mut self, sql: &str, parameters: &[Value]) -> rusqlite::Result<Vec<Row>> {
        let mut statement = self.0.prepare_cached(&dialect(sql))?;
        let n_columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(parameters))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let columns = (0..n_columns).map(|i| row.get_ref(i).map(value));
            found.push(Row::new(columns.collect::<rusqlite::Result<_>>()?));
        }
        Ok(found)
    }

    fn execute_now(&mut self, sql: &str, parameters: &[Value]) -> rusqlite::Result<u64> {
        let mut statement = self.0.prepare_cached(&dialect(sql))?;
        let n_rows = statement.execute(params_from_iter(parameters))?;
        Ok(u64::try_from(n_rows).unwrap_or(u64::MAX))
    }
}

/// Translates to SQLite's dialect: parameters are numbered with `?`, and there are no row locks,
/// as there is one writer.
fn dialect(sql: &str) -> String {
    let sql = sql.split(" FOR UPDATE").next().unwrap_or(sql);
    sql.replace('$', "?")
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::Text(String::from_utf8_lossy(text).into_owned())
        }
    }
}

/// Errors caused by the statement itself are bugs; all others come from the disk or the file.
fn error(e: rusqlite::Error) -> StoreError {
    match e.sqlite_error_code() {
        None | Some(ErrorCode::Unknown | ErrorCode::ConstraintViolation | ErrorCode::ApiMisuse) => {
            StoreError::Broken(e.to_string())
        }
        Some(_) => StoreError::Unavailable(e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{MakeMatch, PoolEntry, Seek, Sought, Store};

    fn seek(player: &str) -> Seek {
        Seek {
            player: player.to_owned(),
            node: "node".to_owned(),
            pools: vec![PoolEntry {
                pool: "pool".to_owned(),
                rating: 1500.0,
            }],
            now: 1,
        }
    }

    #[tokio::test]
    async fn a_file_that_another_process_holds_is_unavailable_for_so_long() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let store = SqliteStore::open_with(&path, Duration::ZERO).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        for _ in 0..2 {
            let error = store.create_guest("a", "Guest", 1).await.unwrap_err();
            assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
            assert_eq!(store.player("a").await, Ok(None), "reading works");
        }
        other.execute_batch("COMMIT").unwrap();
        store.create_guest("a", "Guest", 1).await.unwrap();
        assert!(store.player("a").await.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_panic_in_an_operation_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("store")).unwrap();
        let make: MakeMatch = Arc::new(|_, _, _| panic!("as the test wants it"));
        let waiting = store.seek(seek("a"), Arc::clone(&make)).await;
        assert_eq!(waiting, Ok(Sought::Waiting));
        let error = store.seek(seek("b"), make).await.unwrap_err();
        assert!(matches!(error, StoreError::Broken(_)), "{error:?}");
        assert_eq!(store.unseek("a").await, Ok(None), "a was not paired");
    }

    #[test]
    fn an_operation_may_hold_the_last_reference_to_its_store() {
        struct OnDrop(std::sync::mpsc::Sender<bool>);
        impl Drop for OnDrop {
            fn drop(&mut self) {
                self.0.send(!thread::panicking()).unwrap();
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(&folder.path().join("store")).unwrap());
        let (sender, dropped) = std::sync::mpsc::channel();
        let held = (Arc::clone(&store), OnDrop(sender));
        let make: MakeMatch = Arc::new(move |_, _, _| {
            let _all_of_it = &held;
            panic!("nobody else waits")
        });
        let mut call = Box::pin(async move { store.seek(seek("a"), make).await });
        // The caller is cancelled once the operation is in the queue.
        let _ = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        drop(call);
        assert!(dropped.recv().unwrap(), "nothing panicked");
    }

    #[tokio::test]
    async fn what_was_stored_is_there_after_opening_it_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        for i in 0..3 {
            let store = SqliteStore::open(&path).unwrap();
            let id = i.to_string();
            store.create_guest(&id, "Guest", i).await.unwrap();
            for before in 0..=i {
                let player = store.player(&before.to_string()).await.unwrap();
                assert_eq!(player.unwrap().created, before);
            }
        }
    }

    #[tokio::test]
    async fn a_second_server_on_the_same_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let store = SqliteStore::open(&path).unwrap();
        let error = SqliteStore::open(&path).unwrap_err();
        assert!(error.to_string().contains("another server"), "{error}");
        store.create_guest("a", "Guest", 1).await.unwrap();
        drop(store);
        let store = SqliteStore::open(&path).unwrap();
        assert!(store.player("a").await.unwrap().is_some());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let text = "not a database ".repeat(100);
        std::fs::write(&path, &text).unwrap();
        assert!(SqliteStore::open(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert!(SqliteStore::open(folder.path()).is_err(), "a folder");
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let _store = SqliteStore::open(&folder.path().join("store")).unwrap();
        let files = std::fs::read_dir(folder.path()).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        assert!(files.len() > 1, "{files:?}");
        for file in files {
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file:?}");
        }
    }
}
