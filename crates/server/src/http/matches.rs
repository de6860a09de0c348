use std::sync::Arc;

use axum::{
    http::{StatusCode, header},
    response::IntoResponse,
};

use super::ApiResult;
use crate::{
    error::ApiError,
    live::Live,
    request::{Caller, json},
};

async fn find(caller: &Caller, id: &str) -> Result<Arc<Live>, ApiError> {
    let live = caller.hub.live(id).await?;
    live.ok_or(ApiError::Unknown("match"))
}

pub(super) async fn show(caller: &Caller, id: &str) -> ApiResult {
    let live = find(caller, id).await?;
    Ok(json(StatusCode::OK, &live.info(&caller.hub).await?))
}

pub(super) async fn record(caller: &Caller, id: &str) -> ApiResult {
    let live = find(caller, id).await?;
    let record = live.record(&caller.hub).await?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, record).into_response())
}
