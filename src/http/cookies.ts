import type { IncomingHttpHeaders } from 'node:http';

import { parse } from 'cookie';

const NONE: Readonly<Record<string, string | undefined>> = Object.freeze({});

/** Cookies of a request by name; a value that is no valid escape is left as it is. */
export function cookiesOf(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  return headers.cookie ? parse(headers.cookie) : NONE;
}
