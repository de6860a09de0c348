//! Requests to the server.

use std::pin::Pin;

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

use super::json::Json;

/// Why a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// The status; 0 if there was no answer.
    pub(super) status: u16,
    /// The short code of the server.
    pub(super) code: String,
}

impl Failure {
    /// Whether the page comes from a server that knows nothing of online play.
    pub(super) fn is_no_server(&self) -> bool {
        self.code.is_empty() && matches!(self.status, 404 | 405 | 501)
    }
}

/// The answer to a request. It is boxed, or else it would be a part of the code of each that waits
/// for one.
type Answer<'a> = Pin<Box<dyn Future<Output = Result<Json, Failure>> + 'a>>;

/// Asks the server, with a body for all but `GET`.
pub(super) fn call<'a>(method: &'a str, path: &'a str, body: Option<&'a str>) -> Answer<'a> {
    Box::pin(ask(method, path, body))
}

async fn ask(method: &str, path: &str, body: Option<&str>) -> Result<Json, Failure> {
    let fail = |status: u16, code: String| Failure { status, code };
    let response = fetch(method, path, body).await;
    let response = response.map_err(|_| fail(0, String::new()))?;
    let text = match response.text() {
        Ok(promise) => JsFuture::from(promise).await.ok(),
        Err(_) => None,
    };
    let text = text.and_then(|text| text.as_string()).unwrap_or_default();
    let json = Json::parse(&text);
    if response.ok() {
        return Ok(json.unwrap_or(Json(JsValue::NULL)));
    }
    let code = json.map(|json| json.text("error"));
    Err(fail(response.status(), code.unwrap_or_default()))
}

async fn fetch(method: &str, path: &str, body: Option<&str>) -> Result<Response, JsValue> {
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = body {
        let headers = Headers::new()?;
        headers.set("content-type", "application/json")?;
        init.set_headers(&headers);
        init.set_body(&JsValue::from_str(body));
    }
    let promise = window().fetch_with_str_and_init(path, &init);
    JsFuture::from(promise).await?.dyn_into()
}
