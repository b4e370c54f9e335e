import { stringifySetCookie } from 'cookie';

import type { CallContext } from '../sdk/index.js';

import type { AccountSide } from './sign-in-side.js';

import { SESSION_SECONDS } from './session-service.js';

/** Name of each side's session cookie. Source: docs/panel-api.md "Signing in". */
export const SESSION_COOKIES: Readonly<Record<AccountSide, string>> = {
  admin: 'admin_token',
  user: 'user_token',
  customer: 'account_token',
};

/** `Set-Cookie` line of a session. */
export function sessionCookie(scope: AccountSide, token: string, secure: boolean): string {
  return cookieLine(SESSION_COOKIES[scope], token, SESSION_SECONDS, secure);
}

/** `Set-Cookie` line that deletes the session cookie. */
export function endedSessionCookie(scope: AccountSide, secure: boolean): string {
  return cookieLine(SESSION_COOKIES[scope], '', 0, secure);
}

/** Returns whether the public URL uses TLS: then cookies are sent over TLS only. */
export function isSecure({ baseUrl }: Pick<CallContext, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

/** `Set-Cookie` line of an HTTP-only cookie. @param maxAge seconds */
export function cookieLine(name: string, value: string, maxAge: number, secure: boolean): string {
  return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', maxAge, secure });
}
