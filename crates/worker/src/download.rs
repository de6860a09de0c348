use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, DedicatedWorkerGlobalScope, ReadableStreamDefaultReader, RequestCache,
    RequestInit, Response,
};

/// A download that brings nothing for this long has failed, in milliseconds. The page takes a
/// worker that is silent for twice as long for dead.
const LONGEST_STALL: i32 = 10_000;

/// The download of a file that is beside the worker's script.
pub(crate) struct Download<'a> {
    scope: &'a DedicatedWorkerGlobalScope,
    name: &'a str,
    /// Whether caches are bypassed.
    is_again: bool,
}

impl<'a> Download<'a> {
    pub(crate) fn new(
        scope: &'a DedicatedWorkerGlobalScope,
        name: &'a str,
        is_again: bool,
    ) -> Self {
        Self {
            scope,
            name,
            is_again,
        }
    }

    /// Returns the content; `report` is called with the number of bytes so far.
    ///
    /// # Errors
    ///
    /// Returns what went wrong if there is no such file, or it does not arrive.
    pub(crate) async fn run(self, report: impl Fn(usize)) -> Result<Vec<u8>, JsValue> {
        let abort = AbortController::new()?;
        let init = RequestInit::new();
        init.set_signal(Some(&abort.signal()));
        if self.is_again {
            init.set_cache(RequestCache::Reload);
        }
        let stall = Stall::new(self.scope, &abort)?;
        let response = self.scope.fetch_with_str_and_init(self.name, &init);
        let response: Response = JsFuture::from(response).await?.dyn_into()?;
        if !response.ok() {
            return Err(JsValue::from(response.status()));
        }
        let body = response.body().ok_or(JsValue::NULL)?;
        let reader: ReadableStreamDefaultReader = body.get_reader().dyn_into()?;
        let mut content = Vec::new();
        loop {
            stall.restart()?;
            let part = JsFuture::from(reader.read()).await?;
            if Reflect::get(&part, &"done".into())?.is_truthy() {
                return Ok(content);
            }
            let bytes: Uint8Array = Reflect::get(&part, &"value".into())?.dyn_into()?;
            content.extend(bytes.to_vec());
            report(content.len());
        }
    }
}

/// Aborts a download that stalls.
struct Stall<'a> {
    scope: &'a DedicatedWorkerGlobalScope,
    abort: Closure<dyn FnMut()>,
    timer: std::cell::Cell<i32>,
}

impl<'a> Stall<'a> {
    fn new(
        scope: &'a DedicatedWorkerGlobalScope,
        abort: &AbortController,
    ) -> Result<Self, JsValue> {
        let abort = abort.clone();
        let stall = Self {
            scope,
            abort: Closure::new(move || abort.abort()),
            timer: std::cell::Cell::new(0),
        };
        stall.restart()?;
        Ok(stall)
    }

    /// Something has arrived.
    fn restart(&self) -> Result<(), JsValue> {
        self.scope.clear_timeout_with_handle(self.timer.get());
        let abort = self.abort.as_ref().unchecked_ref();
        let timer = self
            .scope
            .set_timeout_with_callback_and_timeout_and_arguments_0(abort, LONGEST_STALL)?;
        self.timer.set(timer);
        Ok(())
    }
}

impl Drop for Stall<'_> {
    fn drop(&mut self) {
        self.scope.clear_timeout_with_handle(self.timer.get());
    }
}
