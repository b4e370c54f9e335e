import type { IncomingHttpHeaders } from 'node:http';

import { parse, stringifySetCookie } from 'cookie';

const NONE: Readonly<Record<string, string | undefined>> = Object.freeze({});

/** Returns the cookies of a request by name; a value that is not a valid escape sequence is kept unchanged. */
export function cookiesOf(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  return headers.cookie ? parse(headers.cookie) : NONE;
}

/** Returns the `Set-Cookie` line of a visitor's preference, readable by scripts. @param maxAge seconds */
export function choiceCookie(name: string, value: string, maxAge: number): string {
  return stringifySetCookie({ name, value, path: '/', sameSite: 'lax', maxAge });
}
