//! Passwords, hashed with Argon2id: 19 MiB and two passes, one at a time per core.

use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier, password_hash::SaltString};

use crate::{error::ApiError, hub::Hub, secret};

async fn compute<T: Send + 'static>(
    hub: &Hub,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let permit = hub.hashing.acquire().await;
    let _permit = permit.map_err(|_| ApiError::Internal)?;
    let computed = tokio::task::spawn_blocking(work).await;
    computed.map_err(|_| ApiError::Internal)
}

pub(super) async fn hash(hub: &Hub, password: &str) -> Result<String, ApiError> {
    let password = password.to_owned();
    let hashed = compute(hub, move || {
        let salt = SaltString::encode_b64(&secret::bytes::<16>())?;
        let hash = Argon2::default().hash_password(password.as_bytes(), &salt)?;
        Ok::<_, argon2::password_hash::Error>(hash.to_string())
    });
    hashed.await?.map_err(|_| ApiError::Internal)
}

/// Verifies a password. Without a hash it takes as long, and returns `false`.
pub(super) async fn is_right(
    hub: &Hub,
    password: &str,
    hash: Option<String>,
) -> Result<bool, ApiError> {
    // The hash of an unknown password, so that a missing account takes as long.
    const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$\
                          AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let password = password.to_owned();
    let is_known = hash.is_some();
    let checked = compute(hub, move || {
        let text = hash.as_deref().unwrap_or(NOBODY);
        let parsed = PasswordHash::new(text);
        parsed.is_ok_and(|parsed| {
            let verified = Argon2::default().verify_password(password.as_bytes(), &parsed);
            verified.is_ok()
        })
    });
    Ok(checked.await? && is_known)
}
