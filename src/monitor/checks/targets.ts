import { domainToASCII } from 'node:url';

import type { MonitorKind } from '../entities/index.js';

/** A host and port. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*\.?$/i;

/** Internal names, which must not be probed. */
const INTERNAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|arpa)\.?$/i;

/** Converts a name to ASCII: `例子.测试` becomes `xn--fsqu00a.xn--0zwm56d`. */
export const asciiName = (name: string): string => (/^[\x21-\x7e]*$/.test(name) ? name : domainToASCII(name));

/** Parses `host:port`, `[address]:port`, or a host alone if there is a default port; null for anything else. */
export function parseHostPort(text: string, usualPort: number | null = null): HostPort | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/@?#]+))(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  const host = bracketed ?? asciiName(plain ?? '');
  const number = port === undefined ? usualPort : Number(port);
  if (host === '' || (bracketed === undefined && !HOST.test(host))) return null;
  return number !== null && number >= 1 && number <= 65_535 ? { host, port: number } : null;
}

/** Returns the host a monitor of this kind connects to; null if it does not connect. */
export function hostOfTarget(kind: MonitorKind, url: string): string | null {
  if (kind === 'url') return new URL(url).hostname.replace(/^\[|\]$/g, '');
  return kind === 'tcp' || kind === 'cert' ? (parseHostPort(url, 443)?.host ?? null) : null;
}

/** Whether a name is a public Internet name, such as `www.example.com`. */
export function isPublicName(text: string): boolean {
  const name = asciiName(text);
  return HOST.test(name) && /\.[a-z0-9-]*[a-z][a-z0-9-]*\.?$/i.test(name) && !INTERNAL_NAME.test(name);
}
