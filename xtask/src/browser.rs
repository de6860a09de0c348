//! Tests in a real browser, which is installed if it is missing.

use std::fs;

use crate::{
    circumstances::circumstances,
    install,
    run::{load_average, program, root},
    web,
};

/// Plays all games in Chromium, and audits accessibility if requested.
pub(crate) fn test(has_audit: bool) -> anyhow::Result<()> {
    install::chromium()?;
    let audit = has_audit.then(install::audit).transpose()?;
    web::test(audit)
}

const FIGURES: &str = "docs/page-figures.md";

/// How the figures mark a row that misses its target.
const MISSED: &str = "**missed:**";

/// Measures the page in Chromium and writes the figures to the document. Fails, once they are
/// written, if some miss their targets.
pub(crate) fn measure() -> anyhow::Result<()> {
    install::chromium()?;
    let part = root().join("target/page-figures.md");
    let circumstances = circumstances()?;
    let before = load_average();
    web::measure(&part)?;
    let load = format!("load {before} before and {} after", load_average());
    let figures = fs::read_to_string(part)?;
    let text = format!(
        "# Figures of the page\n\n\
         Written by `cargo xtask figures`, which plays in a real browser with a real mouse and reads its trace.\n\n\
         {circumstances}, {load}. {figures}"
    );
    fs::write(root().join(FIGURES), &text)?;
    let n_missed = text.matches(MISSED).count();
    anyhow::ensure!(
        n_missed == 0,
        "{n_missed} rows of {FIGURES} miss their targets"
    );
    Ok(())
}

/// Draws the preview picture of links to the page, from the pictures of the
/// documents.
pub(crate) fn draw_card() -> anyhow::Result<()> {
    draw("docs/pictures/card.svg", "card.png", [1200, 630])
}

/// Draws the icons that devices without drawings of their own want as pixels.
pub(crate) fn draw_icons() -> anyhow::Result<()> {
    for (drawing, size) in [
        ("app", 192),
        ("app", 512),
        ("maskable", 512),
        // Apple's devices round its corners.
        ("touch", 180),
    ] {
        let source = if drawing == "touch" {
            "maskable"
        } else {
            drawing
        };
        let source = format!("crates/web/page/{source}.svg");
        draw(&source, &format!("{drawing}-{size}.png"), [size, size])?;
    }
    Ok(())
}

/// Draws a picture of the page's folder from a drawing.
fn draw(drawing: &str, picture: &str, [width, height]: [u32; 2]) -> anyhow::Result<()> {
    let browser = install::chromium()?;
    let drawing = root().join(drawing);
    let picture = root().join("crates/web/page").join(picture);
    let folder = root().join("target/card");
    program(
        browser,
        &[
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--default-background-color=00000000",
            &format!("--window-size={width},{height}"),
            &format!("--user-data-dir={}", folder.display()),
            &format!("--screenshot={}", picture.display()),
            &format!("file://{}", drawing.display()),
        ],
    )
    .check()
}
