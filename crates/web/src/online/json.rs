//! JSON by the browser's own parser, which costs no bytes.

use js_sys::{Array, JSON, Object, Reflect};
use wasm_bindgen::JsValue;

/// A value of parsed JSON.
#[derive(Clone, Debug)]
pub(super) struct Json(pub(super) JsValue);

impl Json {
    /// Parses a text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }

    /// A field, unless it is missing or null.
    pub(super) fn get(&self, name: &str) -> Option<Self> {
        let value = Reflect::get(&self.0, &name.into()).ok()?;
        (!value.is_null() && !value.is_undefined()).then_some(Self(value))
    }

    /// A field that is a text; empty if it is none.
    pub(super) fn text(&self, name: &str) -> String {
        self.get(name)
            .and_then(|it| it.0.as_string())
            .unwrap_or_default()
    }

    /// A field that is a number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.0.as_f64()
    }

    /// A field that is a whole number; 0 if it is none.
    pub(super) fn count(&self, name: &str) -> u64 {
        self.number(name).unwrap_or(0.0) as u64
    }

    /// Whether a field is true.
    pub(super) fn is(&self, name: &str) -> bool {
        self.get(name).is_some_and(|it| it.0.is_truthy())
    }

    /// The items of a field that is a list.
    pub(super) fn list(&self, name: &str) -> Vec<Self> {
        let list = self.get(name);
        let list = list.filter(|list| Array::is_array(&list.0));
        let items = list.map(|list| Array::from(&list.0).iter().map(Self).collect());
        items.unwrap_or_default()
    }

    /// The items of a field that is a list of texts.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let items = self.list(name).into_iter();
        items.filter_map(|it| it.0.as_string()).collect()
    }

    /// The names and texts of a field that is an object.
    pub(super) fn pairs(&self, name: &str) -> Vec<(String, String)> {
        let Some(object) = self.get(name) else {
            return Vec::new();
        };
        let keys = Object::keys(&Object::from(object.0.clone()));
        let keys = keys.iter().filter_map(|key| key.as_string());
        keys.map(|key| {
            let value = object.text(&key);
            (key, value)
        })
        .collect()
    }
}

/// An object as text.
pub(super) fn object(fields: &[(&str, JsValue)]) -> String {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &(*name).into(), value).ok();
    }
    let text = JSON::stringify(&object)
        .ok()
        .and_then(|text| text.as_string());
    text.unwrap_or_else(|| "{}".to_owned())
}

/// An object of texts.
pub(super) fn texts(fields: &[(String, String)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &name.into(), &value.into()).ok();
    }
    object.into()
}
