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
    /// A field of the body is invalid.
    #[error("{field}: {reason}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// Why it is invalid.
        reason: String,
    },
    /// The body is not the JSON that was expected.
    #[error("the body has to be {0}")]
    Body(&'static str),
    /// The body is too long.
    #[error("the body is too long")]
    TooLong,
    /// The body did not arrive in time.
    #[error("the body takes too long")]
    TooSlow,
    /// The caller is not signed in.
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
    /// There is no such player, match or other object.
    #[error("there is no such {0}")]
    Unknown(&'static str),
    /// It is already taken, such as a name.
    #[error("{0}")]
    Taken(&'static str),
    /// It no longer exists.
    #[error("this challenge was withdrawn or is too old")]
    Gone,
    /// Too many requests.
    #[error("too many requests: try again in a minute")]
    SlowDown,
    /// The request is not a WebSocket handshake.
    #[error("this address is for WebSockets: {0}")]
    NoHandshake(String),
    /// The method is not available here.
    #[error("this method is not available here")]
    Method,
    /// The store did not carry something out.
    #[error("{}", without_details(.0))]
    Store(StoreError),
    /// The store is slow, or the server is shutting down.
    #[error("the server is not available right now: try again")]
    Unavailable,
    /// A bug of ours.
    #[error("something went wrong here; it is not your fault")]
    Internal,
}

/// What the sender of a request learns about an error of the store.
fn without_details(error: &StoreError) -> ApiError {
    match error {
        StoreError::Unavailable(_) => ApiError::Unavailable,
        StoreError::Broken(_) => ApiError::Internal,
    }
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
            Self::SlowDown => (StatusCode::TOO_MANY_REQUESTS, "slow-down"),
            Self::NoHandshake(_) => (StatusCode::BAD_REQUEST, "handshake"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method"),
            Self::Store(error) => without_details(error).status(),
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
        Self::Store(error)
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
