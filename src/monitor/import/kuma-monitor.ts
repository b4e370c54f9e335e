import type { TextParams, TextRef } from '../../common/index.js';
import { RECORD_TYPES } from '../checks/index.js';

import { asRecord, type KumaRecord } from './kuma-file.js';

/** An Uptime-Kuma monitor as fields of `monitor_save`, or why it cannot be converted. */
export interface Converted {
  readonly name: string;
  /** Kind in Uptime-Kuma. */
  readonly kind: string;
  /** Null if there is a {@link reason}. */
  readonly fields: Readonly<Record<string, string>> | null;
  /** Differences from the original. */
  readonly notes: readonly TextRef[];
  readonly reason: TextRef | null;
}

/** Thrown for a monitor that cannot be converted. */
class Unfit extends Error {
  constructor(readonly reason: TextRef) {
    super(reason.key);
  }
}

const text = (key: string, params: TextParams = {}): TextRef => ({ key: `monitor.import.${key}`, params });

/** Converts all monitors of a file together, because groups are referenced by number. */
export function convertAll(records: readonly KumaRecord[]): Converted[] {
  const groups = new Map(records.filter(({ type }) => type === 'group').map((record) => [record.id, wordsOf(record.name)]));
  return records.map((record, at) => {
    const notes: TextRef[] = [];
    const name = wordsOf(record.name).slice(0, 250) || `#${at + 1}`;
    const kind = wordsOf(record.type).slice(0, 40);
    try {
      return { name, kind, fields: convert(record, groups, notes), notes, reason: null };
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      return { name, kind, fields: null, notes: [], reason: error.reason };
    }
  });
}

type Fields = Record<string, string>;
type KindFields = (record: KumaRecord, notes: TextRef[]) => Fields;

/** Supported kinds; others are rejected by name. */
const OF_KIND: Readonly<Record<string, KindFields>> = {
  http: webFields,
  keyword: (record, notes) => ({
    ...webFields(record, notes),
    content_rule: isOn(record.invertKeyword) ? 'not_contains' : 'contains',
    content_value: typeof record.keyword === 'string' ? record.keyword.toWellFormed() : '',
  }),
  'json-query': (record, notes) => ({ ...webFields(record, notes), content_rule: 'json', content_value: jsonRuleOf(record) }),
  port: ({ hostname, port }) => ({ task_type: 'tcp', url: hostPort(wordsOf(hostname), wordsOf(port)) }),
  dns: dnsFields,
  push: (_record, notes) => {
    notes.push(text('note_push'));
    return { task_type: 'push' };
  },
};

function convert(record: KumaRecord, groups: ReadonlyMap<unknown, string>, notes: TextRef[]): Fields {
  const type = wordsOf(record.type);
  if (type === 'group') throw new Unfit(text('no_group'));
  if (!Object.hasOwn(OF_KIND, type)) throw new Unfit(text('no_kind', { kind: type.slice(0, 40) || '–' }));
  if (Array.isArray(record.conditions) && record.conditions.length > 0) throw new Unfit(text('no_conditions'));
  const group = groups.get(record.parent);
  if (group) notes.push(text('note_group', { tag: group }));
  const interval = bounded(record.interval, 60, [15, 86_400], notes, 'note_interval');
  const retries = bounded(record.maxretries, 0, [0, 99], notes, 'note_retries');
  const retry = retries === 0 ? 0 : bounded(record.retryInterval, interval, [5, 3_600], notes, 'note_retry');
  return {
    ...OF_KIND[type]!(record, notes),
    name: wordsOf(record.name),
    interval_seconds: String(interval),
    // Uptime-Kuma has no grace period for push monitors. Before 1.22 the timeout of other kinds was 80 % of the interval.
    ...(type !== 'push' && {
      timeout_seconds: String(bounded(numberOf(record.timeout) || interval * 0.8, 10, [1, 30], notes, 'note_timeout')),
    }),
    fail_threshold: String(retries + 1),
    cs_jg: String(retry === interval ? 0 : retry),
    cf_jg: String(bounded(record.resendInterval, 0, [0, 10_000], notes, 'note_repeat')),
    upside_down: String(isOn(record.upsideDown)),
    enabled: String(record.active === undefined || isOn(record.active)),
    tags: tagsOf(record, group),
  };
}

function webFields(record: KumaRecord, notes: TextRef[]): Fields {
  const method = (wordsOf(record.method) || 'GET').toUpperCase();
  if (!['GET', 'HEAD', 'POST'].includes(method)) throw new Unfit(text('no_method', { method: method.slice(0, 20) }));
  if (wordsOf(record.body) !== '' && method === 'POST') throw new Unfit(text('no_body'));
  if (isOn(record.ignoreTls)) notes.push(text('note_tls'));
  if (isOn(record.expiryNotification)) notes.push(text('note_certificate'));
  if (numberOf(record.proxyId)) notes.push(text('note_proxy'));
  const redirects = numberOf(record.maxredirects);
  if (redirects !== null && redirects < 3) notes.push(text('note_redirects', { from: redirects }));
  return { task_type: 'url', url: wordsOf(record.url), method, headers: headersOf(record), ...statusOf(record.accepted_statuscodes) };
}

function dnsFields(record: KumaRecord, notes: TextRef[]): Fields {
  const type = (wordsOf(record.dns_resolve_type) || 'A').toUpperCase();
  if (!(RECORD_TYPES as readonly string[]).includes(type)) throw new Unfit(text('no_record', { record: type.slice(0, 20) }));
  const server = wordsOf(record.dns_resolve_server);
  if (server) notes.push(text('note_dns', { server: server.slice(0, 100) }));
  return { task_type: 'dns', url: wordsOf(record.hostname), record_type: type };
}

/** Returns `Name: value` lines from the JSON headers and from the basic auth credentials. */
function headersOf(record: KumaRecord): string {
  const method = wordsOf(record.authMethod);
  if (method !== '' && method !== 'null' && method !== 'basic') throw new Unfit(text('no_auth', { method: method.slice(0, 20) }));
  let given: KumaRecord = {};
  try {
    given = typeof record.headers === 'string' && record.headers.trim() ? asRecord(JSON.parse(record.headers)) : asRecord(record.headers);
  } catch {
    throw new Unfit(text('no_headers'));
  }
  const headers = Object.entries(given).map(([name, value]) => [name.trim(), wordsOf(value)] as const);
  const user = wordsOf(record.basic_auth_user);
  if (user) {
    const pair = Buffer.from(`${user}:${wordsOf(record.basic_auth_pass)}`).toString('base64');
    headers.push(['Authorization', `Basic ${pair}`]);
  }
  if (headers.some(([name, value]) => name === '' || /[\r\n]/.test(name + value))) throw new Unfit(text('no_headers'));
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** Merges adjacent status ranges; several separate ranges become a list. */
function statusOf(given: unknown): Fields {
  const codes: unknown[] = Array.isArray(given) && given.length > 0 ? given : ['200-299'];
  const unfit = (): Unfit => new Unfit(text('no_statuses', { statuses: codes.map(wordsOf).join(', ').slice(0, 100) }));
  const ranges = codes.map((code) => {
    const [, from, to = from] = /^(\d{3})(?:-(\d{3}))?$/.exec(wordsOf(code)) ?? [];
    if (from === undefined || Number(to) < Number(from)) throw unfit();
    return { from: Number(from), to: Number(to) };
  });
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  const [{ from, to }] = merged as [{ from: number; to: number }];
  if (merged.length === 1)
    return from === to ? { status_rule: 'eq', status_value: String(from) } : { status_rule: 'range', status_value: `${from}-${to}` };
  const list = merged.flatMap((range) => Array.from({ length: range.to - range.from + 1 }, (_value, at) => range.from + at)).join(',');
  if (list.length > 100) throw unfit();
  return { status_rule: 'in', status_value: list };
}

/** Converts a JSONata path such as `data.list[0].state` to `data.list.0.state`; expressions are not supported. */
function jsonRuleOf(record: KumaRecord): string {
  const path = wordsOf(record.jsonPath).replace(/^\$\./, '');
  const operator = wordsOf(record.jsonPathOperator) || '==';
  if (operator !== '==' || !/^[\w-]+(\.[\w-]+|\[\d+\])*$/.test(path)) throw new Unfit(text('no_json', { path: path.slice(0, 100) || '–' }));
  return `${path.replace(/\[(\d+)\]/g, '.$1')}=${wordsOf(record.expectedValue)}`;
}

const hostPort = (host: string, port: string): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Returns tags with their values, and the group as a tag. */
function tagsOf({ tags }: KumaRecord, group: string | undefined): string {
  const own = (Array.isArray(tags) ? tags : [])
    .map(asRecord)
    .map(({ name, value }) => [name, value].map(wordsOf).filter(Boolean).join(':'));
  return [...(group ? [group] : []), ...own].map((tag) => tag.replace(/[,，]/g, ' ')).join(',');
}

/** Clamps a number to its bounds and adds a note if it changed. */
function bounded(value: unknown, fallback: number, [min, max]: readonly [number, number], notes: TextRef[], note: string): number {
  const given = numberOf(value) ?? fallback;
  const taken = Math.min(max, Math.max(min, Math.round(given)));
  if (taken !== Math.round(given)) notes.push(text(note, { from: Math.round(given), to: taken }));
  return taken;
}

const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
const wordsOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).toWellFormed().trim() : '';
const isOn = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';
