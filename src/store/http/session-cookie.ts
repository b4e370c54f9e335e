import { cookieLine } from '../../auth/index.js';

/** Name of the store's session cookie. Source: docs/store-api.md "Signing in". */
export const SESSION_COOKIE = 'connect.sid';
/** Lifetime of a session, in seconds: 24 hours. */
export const STORE_SESSION_SECONDS = 24 * 3600;

/** Builds the `Set-Cookie` line of a session. @param token null deletes the cookie */
export function storeSessionCookie(token: string | null, secure: boolean): string {
  return cookieLine(SESSION_COOKIE, token ?? '', token === null ? 0 : STORE_SESSION_SECONDS, secure);
}
