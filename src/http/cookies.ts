import type { IncomingHttpHeaders } from 'node:http';

import { parse, stringifySetCookie } from 'cookie';

const NONE: Readonly<Record<string, string | undefined>> = Object.freeze({});

/** Cookies of a request by name; a value that is no valid escape is left as it is. */
export function cookiesOf(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  return headers.cookie ? parse(headers.cookie) : NONE;
}

/** `Set-Cookie` line of something a visitor chose, which scripts of pages may read. @param maxAge seconds */
export function choiceCookie(name: string, value: string, maxAge: number): string {
  return stringifySetCookie({ name, value, path: '/', sameSite: 'lax', maxAge });
}
