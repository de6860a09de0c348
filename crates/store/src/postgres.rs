use std::{error::Error as _, time::Duration};

use async_trait::async_trait;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use tokio_postgres::{
    Config, NoTls,
    error::SqlState,
    types::{FromSql, IsNull, ToSql, Type, WrongType, private::BytesMut, to_sql_checked},
};

use crate::{
    Millis, StoreError,
    sql::{
        Access, Database, Operation, Result, schema,
        tx::{Row, Tx, Value},
    },
    tls::{Tls, TlsOptions},
};

/// A store in a Postgres database that many servers share.
///
/// Each operation is a transaction, which is retried after a serialization failure or deadlock.
/// Broken connections are replaced when they are next needed.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    pool: Pool,
}

/// The size of the connection pool. Operations take about a millisecond each.
const CONNECTIONS: usize = 16;
/// The timeout of an operation, including the wait for a connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// The timeout for opening a connection.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);
/// The number of attempts of an operation that conflicts with others.
const TRIES: u32 = 10;
/// The advisory lock held during migrations.
const MIGRATION_LOCK: i64 = 0x7061_726c_6f75_7201;

impl PostgresStore {
    /// Connects to a database, and creates the tables that are missing. With `sslmode=require`,
    /// `verify-ca` or `verify-full` it speaks TLS, and verifies certificate and host in any
    /// case: against the authorities of the system, or those in the file `sslrootcert`.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::Broken`] if the URL is not one of Postgres, and
    /// [`StoreError::Unavailable`] if the database can't be reached.
    pub async fn connect(url: &str) -> std::result::Result<Self, StoreError> {
        let (url, tls) = TlsOptions::split(url);
        let mut config: Config = url.parse().map_err(error)?;
        config
            .connect_timeout(CONNECT_PATIENCE)
            .keepalives_idle(Duration::from_secs(30))
            .tcp_user_timeout(PATIENCE);
        if config.get_application_name().is_none() {
            config.application_name("parlour");
        }
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let manager = match tls {
            Some(options) => Manager::from_config(config, Tls::new(&options)?, recycling),
            None => Manager::from_config(config, NoTls, recycling),
        };
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(CONNECT_PATIENCE))
            .recycle_timeout(Some(CONNECT_PATIENCE))
            .build()
            .map_err(|e| StoreError::Broken(e.to_string()))?;
        let store = Self { pool };
        let migrate: Operation<()> = Box::new(|tx| Box::pin(migrate(tx)));
        store.run(Access::Write, migrate).await?;
        Ok(store)
    }

    /// Runs an operation once.
    async fn attempt<T>(&self, access: Access, operation: &Operation<T>) -> Attempt<T> {
        let lease = Lease(Some(self.pool.get().await.map_err(pool_error)?));
        let client = lease.0.as_ref().expect("it was leased above");
        let mut tx = PostgresTx {
            client,
            begin: match access {
                Access::Query => None,
                Access::Snapshot => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                Access::Write => Some("BEGIN ISOLATION LEVEL READ COMMITTED"),
            },
            is_begun: false,
            is_conflict: false,
        };
        let result = operation(&mut tx).await;
        let result = tx.end(result).await;
        lease.give_back();
        result
    }
}

/// The outcome of one attempt of an operation.
type Attempt<T> = std::result::Result<T, Failure>;

enum Failure {
    /// A conflict with other transactions; another attempt may succeed.
    Conflict(StoreError),
    Final(StoreError),
}

impl From<StoreError> for Failure {
    fn from(e: StoreError) -> Self {
        Self::Final(e)
    }
}

impl From<tokio_postgres::Error> for Failure {
    fn from(e: tokio_postgres::Error) -> Self {
        if is_conflict(&e) {
            Self::Conflict(error(e))
        } else {
            Self::Final(error(e))
        }
    }
}

/// A connection that is closed when dropped, unless it is returned to the pool: the caller may
/// have been cancelled in the middle of a transaction.
struct Lease(Option<Object>);

impl Lease {
    fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            drop(Object::take(client));
        }
    }
}

#[async_trait]
impl Database for PostgresStore {
    const IS_SHARED: bool = true;

    async fn now(&self) -> Result<Millis> {
        self.run(Access::Query, Box::new(|tx| Box::pin(now(tx))))
            .await
    }

    async fn run<T: Send + 'static>(&self, access: Access, operation: Operation<T>) -> Result<T> {
        let attempts = async {
            let mut tries = 1;
            loop {
                match self.attempt(access, &operation).await {
                    Ok(value) => return Ok(value),
                    Err(Failure::Conflict(_)) if tries < TRIES => tries += 1,
                    Err(Failure::Conflict(e) | Failure::Final(e)) => return Err(e),
                }
            }
        };
        let timed = tokio::time::timeout(PATIENCE, attempts).await;
        timed.unwrap_or_else(|_| {
            let why = format!("no answer within {} s", PATIENCE.as_secs());
            Err(StoreError::Unavailable(why))
        })
    }
}

async fn migrate(tx: &mut dyn Tx) -> Result<()> {
    let lock = "SELECT CAST(pg_advisory_xact_lock($1) AS TEXT)";
    tx.query(lock, &[Value::Integer(MIGRATION_LOCK)]).await?;
    schema::migrate(tx).await
}

async fn now(tx: &mut dyn Tx) -> Result<Millis> {
    let select = "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)";
    let rows = tx.query(select, &[]).await?;
    let first = rows.into_iter().next();
    let mut row = first.ok_or_else(|| StoreError::Broken("there is no time".to_owned()))?;
    row.take()
}

struct PostgresTx<'c> {
    client: &'c Object,
    /// The statement that begins the transaction. It is sent with the first statement, which saves
    /// a round trip.
    begin: Option<&'static str>,
    is_begun: bool,
    /// Whether a statement failed because of a conflict with another transaction.
    is_conflict: bool,
}

type PostgresResult<T> = std::result::Result<T, tokio_postgres::Error>;

impl PostgresTx<'_> {
    /// Commits if the operation succeeded, otherwise rolls back.
    async fn end<T>(&self, result: Result<T>) -> Attempt<T> {
        match result {
            Ok(value) => {
                if self.is_begun {
                    self.client.batch_execute("COMMIT").await?;
                }
                Ok(value)
            }
            Err(e) => {
                if self.is_begun {
                    // If the connection is broken, the server rolls back by itself.
                    let _ = self.client.batch_execute("ROLLBACK").await;
                }
                Err(if self.is_conflict {
                    Failure::Conflict(e)
                } else {
                    Failure::Final(e)
                })
            }
        }
    }

    fn failed(&mut self, e: tokio_postgres::Error) -> StoreError {
        self.is_conflict |= is_conflict(&e);
        error(e)
    }

    /// Awaits a statement, and begins the transaction before the first one.
    async fn begin_with<T>(
        &mut self,
        statement: impl Future<Output = PostgresResult<T>>,
    ) -> PostgresResult<T> {
        let Some(begin) = self.begin.take() else {
            return statement.await;
        };
        self.is_begun = true;
        // Both are sent when they are first polled, in this order.
        let (begun, answer) = tokio::join!(biased; self.client.batch_execute(begin), statement);
        begun?;
        answer
    }

    async fn query_rows(
        &mut self,
        sql: &str,
        parameters: &[Value],
    ) -> PostgresResult<Vec<tokio_postgres::Row>> {
        let client = self.client;
        let statement = client.prepare_cached(sql).await?;
        let parameters = borrowed(parameters);
        self.begin_with(client.query(&statement, &parameters)).await
    }

    async fn execute_rows(&mut self, sql: &str, parameters: &[Value]) -> PostgresResult<u64> {
        let client = self.client;
        let statement = client.prepare_cached(sql).await?;
        let parameters = borrowed(parameters);
        self.begin_with(client.execute(&statement, &parameters))
            .await
    }
}

#[async_trait]
impl Tx for PostgresTx<'_> {
    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>> {
        let rows = self.query_rows(sql, parameters).await;
        let rows = rows.map_err(|e| self.failed(e))?;
        rows.iter().map(read_row).collect()
    }

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64> {
        let n_rows = self.execute_rows(sql, parameters).await;
        n_rows.map_err(|e| self.failed(e))
    }
}

fn borrowed(parameters: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    let parameters = parameters.iter();
    parameters
        .map(|value| value as &(dyn ToSql + Sync))
        .collect()
}

fn read_row(row: &tokio_postgres::Row) -> Result<Row> {
    let columns = (0..row.len()).map(|i| row.try_get(i).map_err(error));
    Ok(Row::new(columns.collect::<Result<_>>()?))
}

type SqlResult<T> = std::result::Result<T, Box<dyn std::error::Error + Sync + Send>>;

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> SqlResult<IsNull> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql_checked(ty, out),
            Self::Real(number) => number.to_sql_checked(ty, out),
            // Postgres rejects NUL in texts.
            Self::Text(text) if text.contains('\0') => {
                text.replace('\0', "\u{fffd}").to_sql_checked(ty, out)
            }
            Self::Text(text) => text.to_sql_checked(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        is_known(ty)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> SqlResult<Self> {
        match *ty {
            Type::INT8 => i64::from_sql(ty, raw).map(Self::Integer),
            Type::FLOAT8 => f64::from_sql(ty, raw).map(Self::Real),
            _ => String::from_sql(ty, raw).map(Self::Text),
        }
    }

    fn from_sql_null(_: &Type) -> SqlResult<Self> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        is_known(ty)
    }
}

/// Whether our tables have columns of this type.
fn is_known(ty: &Type) -> bool {
    [Type::INT8, Type::FLOAT8, Type::TEXT].contains(ty)
}

fn is_conflict(e: &tokio_postgres::Error) -> bool {
    let conflicts = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
    ];
    e.code().is_some_and(|code| conflicts.contains(code))
}

fn pool_error(e: PoolError) -> Failure {
    match e {
        PoolError::Backend(e) => e.into(),
        e => Failure::Final(StoreError::Unavailable(e.to_string())),
    }
}

/// Errors caused by the statement itself are bugs; all others come from the connection or the state
/// of the server.
fn error(e: tokio_postgres::Error) -> StoreError {
    let source = e.source().map(ToString::to_string).unwrap_or_default();
    let text = format!("{e}: {source}");
    let is_ours = match e.code() {
        // Classes of SQLSTATE: data, integrity, syntax and limits.
        Some(code) => ["22", "23", "42", "54"].contains(&&code.code()[..2]),
        None => e.source().is_some_and(|source| source.is::<WrongType>()),
    };
    if is_ours {
        StoreError::Broken(text)
    } else {
        StoreError::Unavailable(text)
    }
}
