//! Serves the files of a folder.

use std::{
    convert::Infallible,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use anyhow::Context;
use axum::{
    Router,
    body::Body,
    http::Request,
    response::sse::{Event, KeepAlive, Sse},
    routing::{any, get},
};
use futures_util::stream::{self, Stream};
use page::File;

/// The polling interval while a browser is connected.
const INTERVAL: Duration = Duration::from_millis(200);

const INDEX: &str = "index.html";

/// The script that is added to the page, and the tag before which it goes.
const SCRIPT: &str = "reload.js";
const SCRIPT_TAG: &str = "<script src=\"reload.js\"></script>\n</body>";

/// What a browser finds where an earlier visit got its service worker.
const SERVICE_WORKER: &str = "sw.js";

/// The service for `folder`, which has to have a page now.
pub(crate) fn app(folder: PathBuf) -> anyhow::Result<Router> {
    let build = Build::read(&folder)
        .with_context(|| format!("there is no page in {}", folder.display()))?;
    let folder = Arc::new(Folder {
        path: folder,
        build: Mutex::new(Arc::new(build)),
    });
    let answer = {
        let folder = Arc::clone(&folder);
        move |request: Request<Body>| async move { page::answer(&folder.current().files, &request) }
    };
    let reload = move || async move { Sse::new(versions(folder)).keep_alive(KeepAlive::default()) };
    Ok(Router::new()
        .route("/reload", get(reload))
        .fallback(any(answer)))
}

/// The current version of the page, and then every new one.
fn versions(folder: Arc<Folder>) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((folder, None), |(folder, last)| async move {
        loop {
            let version = folder.current().version;
            if last != Some(version) {
                let stamp = version
                    .duration_since(SystemTime::UNIX_EPOCH)
                    .unwrap_or_default();
                let event = Event::default().data(stamp.as_nanos().to_string());
                return Some((Ok(event), (folder, Some(version))));
            }
            tokio::time::sleep(INTERVAL).await;
        }
    })
}

/// A folder with a page, and the files read last.
struct Folder {
    path: PathBuf,
    build: Mutex<Arc<Build>>,
}

impl Folder {
    /// The page in the folder now, or the last one while it is being replaced.
    fn current(&self) -> Arc<Build> {
        let mut build = self.build.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = |version| version != build.version;
        if version(&self.path).is_ok_and(is_old)
            && let Ok(new) = Build::read(&self.path)
        {
            *build = Arc::new(new);
        }
        Arc::clone(&build)
    }
}

/// A build of the page.
struct Build {
    /// The modification time of its index, which is written last.
    version: SystemTime,
    files: Vec<File>,
}

fn version(folder: &Path) -> io::Result<SystemTime> {
    fs::metadata(folder.join(INDEX))?.modified()
}

impl Build {
    fn read(folder: &Path) -> io::Result<Self> {
        let version = version(folder)?;
        let mut files = vec![
            file(SCRIPT.to_owned(), include_str!("reload.js").into()),
            file(SERVICE_WORKER.to_owned(), include_str!("leave.js").into()),
        ];
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let mut content = fs::read(&path)?;
            if name == INDEX {
                let text = String::from_utf8_lossy(&content);
                content = text.replace("</body>", SCRIPT_TAG).into_bytes();
            }
            files.push(file(name.into_owned(), content));
        }
        Ok(Self { version, files })
    }
}

fn file(name: String, content: Vec<u8>) -> File {
    File {
        name: name.into(),
        whole: content.into(),
        small: None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use std::{
        fs,
        path::PathBuf,
        pin::pin,
        sync::{Arc, Mutex},
        time::{Duration, SystemTime},
    };

    use axum::{
        body::{Body, to_bytes},
        http::Request,
    };
    use futures_util::StreamExt;
    use tower::ServiceExt;

    use super::{Build, Folder, app, versions};

    /// A folder with a page, removed at the end.
    struct Page(PathBuf);

    impl Page {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("parlour-{}-{name}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let page = Self(folder);
            page.write("<body>old</body>", 1);
            page
        }

        /// Writes the index with a modification time of this many seconds after
        /// 1970.
        fn write(&self, text: &str, seconds: u64) {
            let path = self.0.join("index.html");
            fs::write(&path, text).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            let file = fs::File::options().append(true).open(path).unwrap();
            file.set_modified(time).unwrap();
        }
    }

    impl Drop for Page {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    fn wait<T>(future: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn the_page_of_now_is_answered_with_a_script_that_reloads_it() {
        let page = Page::new("answer");
        let app = app(page.0.clone()).unwrap();
        let ask = |path: &str| {
            let request = Request::builder().uri(path).header("host", "localhost");
            let request = request.body(Body::empty()).unwrap();
            let response = wait(app.clone().oneshot(request)).unwrap();
            let body = wait(to_bytes(response.into_body(), 1 << 20)).unwrap();
            String::from_utf8(body.to_vec()).unwrap()
        };
        let tag = "<script src=\"reload.js\"></script>\n</body>";
        assert_eq!(ask("/"), format!("<body>old{tag}"));
        assert!(ask("/reload.js").contains("location.reload()"));
        assert!(ask("/sw.js").contains("registration.unregister()"));
        page.write("<body>new</body>", 2);
        assert_eq!(ask("/"), format!("<body>new{tag}"));
    }

    #[test]
    fn those_who_listen_hear_of_every_new_page() {
        let page = Page::new("reload");
        let build = Build::read(&page.0).unwrap();
        let folder = Arc::new(Folder {
            path: page.0.clone(),
            build: Mutex::new(Arc::new(build)),
        });
        wait(async {
            let mut versions = pin!(versions(Arc::clone(&folder)));
            assert!(versions.next().await.is_some());
            page.write("<body>new</body>", 2);
            assert!(versions.next().await.is_some());
            assert_eq!(
                folder.current().version,
                SystemTime::UNIX_EPOCH + Duration::from_secs(2)
            );
            // An incomplete page is not served.
            fs::remove_file(page.0.join("index.html")).unwrap();
            assert_eq!(folder.current().files.len(), 3);
        });
    }
}
