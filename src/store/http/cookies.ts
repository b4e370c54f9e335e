import { parseCookie } from 'cookie';

/** Cookies of a request by name; a value that is no valid escape is left as it is. */
export function cookiesOf(header: string | undefined): Record<string, string | undefined> {
  return header ? parseCookie(header) : {};
}
