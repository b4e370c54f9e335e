import { legacyTime } from '../../common/index.js';

/** A request parsed from a log line. All texts are untrusted. */
export interface LogEntry {
  readonly address: string;
  /** `YYYY-MM-DDThh:mm:ss` in the time zone of the installation, because servers may use other time zones. */
  readonly time: string;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
  readonly referrer: string;
  readonly agent: string;
}

/** Maximum length of a line that is parsed, in characters. */
const MAX_LINE_LENGTH = 8_192;
/**
 * A quote inside of a quoted text is escaped, so the pattern matches in only one way and cannot backtrack:
 * https://httpd.apache.org/docs/current/mod/mod_log_config.html#formats
 */
const LINE =
  /^(\S{1,45}) \S+ \S+ \[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;
const MONTHS: Readonly<Record<string, string>> = {
  Jan: '01',
  Feb: '02',
  Mar: '03',
  Apr: '04',
  May: '05',
  Jun: '06',
  Jul: '07',
  Aug: '08',
  Sep: '09',
  Oct: '10',
  Nov: '11',
  Dec: '12',
};
/** Known methods; anything else was made up by the client. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'CONNECT', 'TRACE', 'PROPFIND']);

/** Parses a line of the combined format; null if it is invalid. @param zone of the installation */
export function readLogLine(line: string, zone: string): LogEntry | null {
  if (line.length > MAX_LINE_LENGTH) return null;
  const [, address, day, month, year, clock, hours, minutes, request, status, bytes, referrer, agent] = LINE.exec(line) ?? [];
  if (address === undefined) return null;
  const moment = new Date(`${year}-${MONTHS[month!]}-${day}T${clock}${hours}:${minutes}`);
  if (Number.isNaN(moment.getTime())) return null;
  const [method = '-', url = '-'] = request!.split(' ');
  return {
    address,
    time: legacyTime(moment, zone).replace(' ', 'T'),
    method: METHODS.has(method) ? method : '-',
    url,
    status: Number(status),
    bytes: bytes === '-' ? 0 : Number(bytes),
    referrer: referrer!,
    agent: agent!,
  };
}
