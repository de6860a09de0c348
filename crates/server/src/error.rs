use axum::{
    body::Body,
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use protocol::ErrorBody;
use store::StoreError;

/// Error of a request, with its status and short code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ApiError {
    /// A field of the body is wrong.
    #[error("{field}: {reason}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The body is not the JSON that was expected.
    #[error("the body has to be {0}")]
    Body(&'static str),
    /// The body is too long.
    #[error("the body is too long")]
    TooLong,
    /// The body does not come.
    #[error("the body takes too long")]
    TooSlow,
    /// Nobody is signed in.
    #[error("create a guest with POST /api/guests first, or sign in")]
    NobodyYet,
    /// The name or the password is wrong.
    #[error("the name or the password is wrong")]
    Wrong,
    /// A guest may not do this.
    #[error("this needs an account")]
    NeedsAccount,
    /// One of the players blocks the other.
    #[error("you can't play with this player")]
    Blocked,
    /// The request comes from another website.
    #[error("the Origin header has to be that of this server")]
    ForeignOrigin,
    /// The request is for another host.
    #[error("this server has another name")]
    ForeignHost,
    /// There is no such thing.
    #[error("there is no such {0}")]
    Unknown(&'static str),
    /// Somebody else has it.
    #[error("{0}")]
    Taken(&'static str),
    /// It is no longer there.
    #[error("this challenge was withdrawn or is too old")]
    Gone,
    /// It is the player's own.
    #[error("this is your own challenge: send the link to somebody else")]
    Own,
    /// Too many requests.
    #[error("too many requests: try again in a minute")]
    SlowDown,
    /// The method is not available here.
    #[error("this method is not available here")]
    Method,
    /// The store does not answer, or the server is leaving.
    #[error("the server is not available right now: try again")]
    Unavailable,
    /// A bug of ours.
    #[error("something went wrong here; it is not your fault")]
    Internal,
}

impl ApiError {
    fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Field { .. } => (StatusCode::BAD_REQUEST, "bad-field"),
            Self::Body(_) => (StatusCode::BAD_REQUEST, "bad-body"),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, "too-slow"),
            Self::TooLong => (StatusCode::PAYLOAD_TOO_LARGE, "too-long"),
            Self::NobodyYet => (StatusCode::UNAUTHORIZED, "nobody"),
            Self::Wrong => (StatusCode::UNAUTHORIZED, "wrong"),
            Self::NeedsAccount => (StatusCode::FORBIDDEN, "needs-account"),
            Self::Blocked => (StatusCode::FORBIDDEN, "blocked"),
            Self::ForeignOrigin => (StatusCode::FORBIDDEN, "origin"),
            Self::ForeignHost => (StatusCode::MISDIRECTED_REQUEST, "host"),
            Self::Unknown(_) => (StatusCode::NOT_FOUND, "unknown"),
            Self::Taken(_) => (StatusCode::CONFLICT, "taken"),
            Self::Gone => (StatusCode::GONE, "gone"),
            Self::Own => (StatusCode::CONFLICT, "own"),
            Self::SlowDown => (StatusCode::TOO_MANY_REQUESTS, "slow-down"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method"),
            Self::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    pub(crate) fn field(field: &'static str, reason: impl ToString) -> Self {
        Self::Field {
            field,
            reason: reason.to_string(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::Unavailable,
            StoreError::Broken(_) => Self::Internal,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let (status, error) = self.status();
        let body = ErrorBody {
            error: error.to_owned(),
            message: self.to_string(),
        };
        let body = serde_json::to_string(&body).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (status, kind, body).into_response()
    }
}
