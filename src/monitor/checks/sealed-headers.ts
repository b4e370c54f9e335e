import type { Secrets } from '../../config/index.js';

const PLACE = 'monitor.headers';

/** Encrypts headers for storage, because they may contain a password. */
export const sealHeaders = (secrets: Secrets, headers: Readonly<Record<string, string>>): string | null =>
  Object.keys(headers).length === 0 ? null : secrets.seal(JSON.stringify(headers), PLACE);

/** Decrypts headers; an empty object if the encryption key has changed. */
export function openHeaders(secrets: Secrets, sealed: string | null): Record<string, string> {
  const text = sealed === null ? null : secrets.open(sealed, PLACE);
  return text === null ? {} : (JSON.parse(text) as Record<string, string>);
}

/** Parses `Name: value` lines. @returns null if a line is invalid */
export function readHeaders(lines: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const line of lines.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):[ \t]*([\x20-\x7e]{0,1000})$/.exec(line.trim()) ?? [];
    if (name === undefined) return null;
    headers[name] = value ?? '';
  }
  return headers;
}
