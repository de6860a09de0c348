use std::{
    fs::{self, File},
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, bail};
use tempfile::TempDir;

use crate::program::{folder_with, free_port, wait_until};

/// A Postgres server of its own, with an empty database.
///
/// It does not wait for the disk: what is committed survives its own crash, but not that of
/// the machine.
#[derive(Debug)]
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    user: Option<User>,
    port: u16,
    is_tls: bool,
    child: Option<Child>,
}

impl Postgres {
    /// Creates a database and starts the server.
    ///
    /// # Errors
    ///
    /// Returns an error if Debian's package `postgresql` is not installed or the server does
    /// not start.
    pub fn start() -> anyhow::Result<Self> {
        Self::start_with(false)
    }

    /// As [`start`](Self::start), with a certificate for `localhost` that an
    /// [authority](Self::authority) of its own has signed.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start), and if `openssl` is not installed.
    pub fn start_with_tls() -> anyhow::Result<Self> {
        Self::start_with(true)
    }

    fn start_with(is_tls: bool) -> anyhow::Result<Self> {
        let programs = folder_with(&PROGRAMS, &installed())
            .context("Postgres is missing; it is in Debian's package postgresql")?;
        let folder = tempfile::tempdir()?;
        let user = User::for_servers(folder.path())?;
        if let Some(user) = user {
            chown(folder.path(), Some(user.uid), Some(user.gid))?;
        }
        let mut postgres = Self {
            folder,
            programs,
            user,
            port: free_port()?,
            is_tls,
            child: None,
        };
        let data = postgres.data();
        postgres.run(
            "initdb",
            &["--auth", "trust", "--username", "postgres", "--no-sync"],
            &["--encoding", "UTF8", "--locale", "C", "--pgdata", &data],
        )?;
        if is_tls {
            postgres.make_certificates()?;
        }
        postgres.restart()?;
        Ok(postgres)
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The file with the certificate of the authority that has signed its own.
    #[must_use]
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    fn make_certificates(&self) -> anyhow::Result<()> {
        const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
        fs::write(
            self.folder.path().join("names"),
            "subjectAltName=DNS:localhost",
        )?;
        for command in [
            format!("req -x509 {KEY} -subj /CN=Test -keyout authority.key -out authority.pem"),
            format!("req {KEY} -subj /CN=localhost -keyout server.key -out server.csr"),
            "x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
             -days 2 -extfile names -out server.pem"
                .to_owned(),
        ] {
            let mut openssl = Command::new("openssl");
            openssl.args(command.split_whitespace());
            let output = self.as_user(openssl).output();
            let output = output.context("openssl can't be run")?;
            if !output.status.success() {
                bail!("openssl: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
        Ok(())
    }

    /// Its URL, without a password.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Stops it as a crash would; all connections break, and what was committed is recovered
    /// at the next start.
    pub fn kill(&mut self) {
        let Some(mut child) = self.child.take() else {
            return;
        };
        let data = self.data();
        let stop = self.run(
            "pg_ctl",
            &["stop", "--mode", "immediate"],
            &["--pgdata", &data],
        );
        if stop.is_err() {
            // It may have ended by itself.
            let _ = child.kill();
        }
        let _ = child.wait();
    }

    /// Starts it again on the same port.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.kill();
        let log = self.folder.path().join("log");
        let folder = self.folder.path().to_string_lossy().into_owned();
        let port = self.port.to_string();
        let mut child = self
            .command("postgres")
            .args(["-D", &self.data(), "-k", &folder, "-p", &port])
            .args(["-h", "127.0.0.1", "-c", "fsync=off"])
            .args(if self.is_tls { &TLS[..] } else { &[] })
            .stdin(Stdio::null())
            .stdout(File::create(&log)?)
            .stderr(File::options().append(true).open(&log)?)
            .spawn()?;
        let is_ready = || {
            let args = ["--quiet", "--host", "127.0.0.1", "--port", &port];
            let status = self.command("pg_isready").args(args).status();
            status.is_ok_and(|status| status.success())
        };
        let started = wait_until(is_ready, &mut child, &log);
        self.child = Some(child);
        started.context("postgres does not start")
    }

    fn data(&self) -> String {
        let data = self.folder.path().join("data");
        data.to_string_lossy().into_owned()
    }

    /// One of its programs, under the user that it runs as.
    fn command(&self, name: &str) -> Command {
        self.as_user(Command::new(self.programs.join(name)))
    }

    fn as_user(&self, mut command: Command) -> Command {
        // Others can't look into the folder that the test runs in.
        command.current_dir(self.folder.path());
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid);
        }
        command
    }

    fn run(&self, name: &str, options: &[&str], more: &[&str]) -> anyhow::Result<()> {
        let output = self.command(name).args(options).args(more).output();
        let output = output.with_context(|| format!("{name} can't be run"))?;
        if !output.status.success() {
            bail!("{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How its certificate is used. Paths are relative to the data.
const TLS: [&str; 6] = [
    "-c",
    "ssl=on",
    "-c",
    "ssl_cert_file=../server.pem",
    "-c",
    "ssl_key_file=../server.key",
];

const PROGRAMS: [&str; 4] = ["initdb", "pg_ctl", "pg_isready", "postgres"];

/// Where Debian has the programs, the newest version first.
fn installed() -> Vec<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let versions = versions.flatten().map(|version| version.path());
    let mut versions: Vec<PathBuf> = versions.collect();
    versions.sort_by_key(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        std::cmp::Reverse(name.and_then(|name| name.parse::<u32>().ok()))
    });
    versions.iter().map(|version| version.join("bin")).collect()
}

#[derive(Clone, Copy, Debug)]
struct User {
    uid: u32,
    gid: u32,
}

impl User {
    /// Another user if this is root, as whom Postgres refuses to run.
    fn for_servers(own_folder: &Path) -> anyhow::Result<Option<Self>> {
        use std::os::unix::fs::MetadataExt;
        if fs::metadata(own_folder)?.uid() != 0 {
            return Ok(None);
        }
        let users = fs::read_to_string("/etc/passwd")?;
        let user = ["postgres", "nobody"].into_iter().find_map(|name| {
            let mut fields = users
                .lines()
                .map(|line| line.split(':'))
                .find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))?;
            let uid = fields.nth(1)?.parse().ok()?;
            let gid = fields.next()?.parse().ok()?;
            Some(Self { uid, gid })
        });
        user.map(Some)
            .context("there is no user postgres or nobody to run Postgres as")
    }
}
