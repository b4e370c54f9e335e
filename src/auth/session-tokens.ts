/** Format of session, device and link tokens: 32 random bytes in base64url. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Minimum interval between updates of a last-seen time, in milliseconds: a write on every request would double its cost. */
export const TOUCH_MS = 60_000;
