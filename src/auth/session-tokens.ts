/** Tokens of sessions, devices and links: 32 random bytes in base64url. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * When a session or a token was last seen is written at most once in this time, in milliseconds: a write on every request would cost as
 * much as the request.
 */
export const TOUCH_MS = 60_000;
