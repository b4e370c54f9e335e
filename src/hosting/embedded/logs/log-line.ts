import ipaddr from 'ipaddr.js';

/** A request, as recorded in an access log. */
export interface LoggedVisit {
  /** Address of the visitor. */
  readonly address: string;
  /** In the format of {@link logTime}. */
  readonly time: string;
  readonly method: string;
  /** As requested, with its query. */
  readonly url: string;
  readonly httpVersion: string;
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  readonly referrer: string | undefined;
  readonly agent: string | undefined;
}

/** Maximum length of the fields of a line, in characters; longer values are truncated. */
const MAX_LENGTHS = { method: 20, url: 2_000, referrer: 1_000, agent: 500 } as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Formats a line of the combined log format. Quotes, backslashes and everything but printable ASCII are written as `\xNN`, as nginx does,
 * so that visitor input cannot break out of its field or line. Contains no credentials: neither cookies nor `Authorization`.
 */
export function logLine({ address, time, method, url, httpVersion, status, bytes, referrer, agent }: LoggedVisit): string {
  const request = `${field(method, MAX_LENGTHS.method)} ${field(url, MAX_LENGTHS.url)} HTTP/${httpVersion}`;
  const client = `"${field(referrer, MAX_LENGTHS.referrer)}" "${field(agent, MAX_LENGTHS.agent)}"`;
  return `${address} - - [${time}] "${request}" ${status} ${bytes} ${client}\n`;
}

function field(text: string | undefined, maxLength: number): string {
  if (text === undefined || text === '') return '-';
  const cut = text.length > maxLength ? text.slice(0, maxLength) : text;
  return cut.replace(/[^ !#-[\]-~]/g, (character) => `\\x${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** Formats a time for access logs, such as `23/Nov/2026:16:05:09 +0800`. @param local the local time, `YYYY-MM-DD hh:mm:ss` */
export function logTime(moment: Date, local: string): string {
  const ahead = Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - moment.getTime()) / 60_000);
  const zone = `${ahead < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(ahead) / 60))}${twoDigits(Math.abs(ahead) % 60)}`;
  return `${local.slice(8, 10)}/${MONTHS[Number(local.slice(5, 7)) - 1]}/${local.slice(0, 4)}:${local.slice(11)} ${zone}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Anonymizes an address to its network: zeroes the last 8 bits of IPv4 and the last 80 bits of IPv6. */
export function anonymized(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6) return new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
  return new ipaddr.IPv4([...parsed.octets.slice(0, 3), 0]).toString();
}
