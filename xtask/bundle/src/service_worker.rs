//! The service worker, which keeps the page for when there is no network.

use crate::{Bundle, filled, hash};

/// Its name, which never changes: browsers look there for a new version.
pub(crate) const NAME: &str = "sw.js";

impl Bundle<'_> {
    /// Writes the service worker, which names all files that the page needs.
    ///
    /// Its version follows from the contents: most files have a hash in their names, and the others
    /// are hashed here.
    pub(crate) fn add_service_worker(&mut self) -> anyhow::Result<()> {
        let template = self.read(NAME)?;
        let mut content = template.clone().into_bytes();
        for name in &self.offline {
            content.extend(name.as_bytes());
            if !name.contains('-') {
                content.extend(std::fs::read(self.out.join(name))?);
            }
        }
        let version = format!("{:016x}", hash(&content));
        let names = self.offline.iter().map(|name| match name.as_str() {
            "index.html" => "\"./\"".to_owned(),
            name => format!("\"{name}\""),
        });
        let files = format!("[{}]", names.collect::<Vec<_>>().join(","));
        let script = filled(
            NAME,
            template,
            &[("{version}", &version), ("{files}", &files)],
        )?;
        self.write(NAME.to_owned(), script.as_bytes())?;
        Ok(())
    }
}
