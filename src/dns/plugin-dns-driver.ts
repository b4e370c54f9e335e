import { PluginCallError, errorMessage, errorWithout, translateFor } from '../common/index.js';
import type { DnsDriverContext, DnsDriverRecord, DnsRecord, DnsZone } from '../sdk/index.js';
import { checkFields } from '../theme/index.js';
import { fieldOfPlugin } from '../web/index.js';

import { DnsProblem } from './dns-problem.js';
import { type DnsCall, type DnsDriver, MAX_RECORDS, MAX_ZONES_SHOWN } from './drivers/index.js';

const KIND = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const MAX_FIELDS = 12;
/** Maximum length of texts returned by a plugin. */
const MAX_TEXT = 1_000;
/** Shorter secrets are not masked, because they may occur as ordinary text. */
const MIN_SECRET = 4;
const FUNCTIONS = ['zones', 'records', 'put', 'remove'] as const;

type Part = (typeof FUNCTIONS)[number];

/** Wraps a call into a plugin with counting and a timeout. */
export type DnsCallGuard = <Result>(place: string, call: () => Result) => Result;

/** A plugin's registration and its environment. */
export interface PluginDnsParts {
  readonly slug: string;
  readonly kind: string;
  readonly record: DnsDriverRecord;
  readonly guard: DnsCallGuard;
  /** Reports an error in the plugin's code. */
  readonly failed: (place: string, error: unknown) => void;
  /** Aborted when the plugin is disabled. */
  readonly gone: AbortSignal;
}

/** Adapts a plugin's kind of DNS provider. @throws Error naming the plugin and the violated rule */
export function pluginDnsDriver({ slug, kind, record, guard, failed, gone }: PluginDnsParts): DnsDriver {
  checkRecord(slug, kind, record);
  const fields = record.fields.map((field) => fieldOfPlugin(slug, field));
  const secrets = fields.filter(({ type }) => type === 'password').map(({ key }) => key);
  const run = async <Result>(
    part: Part,
    call: DnsCall,
    work: (settings: Readonly<Record<string, string>>, ctx: DnsDriverContext) => unknown,
    read: (answer: unknown) => Result,
  ): Promise<Result> => {
    const place = `${part} of the DNS provider ${kind}`;
    const ending = new AbortController();
    const signal = AbortSignal.any([call.signal, gone, ending.signal]);
    try {
      return read(await guard(place, async () => work({ ...call.settings }, { signal })));
    } catch (thrown) {
      const values = secrets.map((key) => call.settings[key] ?? '').filter(({ length }) => length >= MIN_SECRET);
      if (thrown instanceof PluginCallError) throw new DnsProblem('plugin_silent', { plugin: slug });
      const error = errorWithout(values, thrown);
      failed(place, error);
      throw new DnsProblem('refused', DnsProblem.reply(errorMessage(error)));
    } finally {
      ending.abort();
    }
  };
  const { title, help = '' } = record;
  return {
    type: `${slug}:${kind}`,
    plugin: slug,
    fields,
    title: (locale) => translateFor(slug, locale, title),
    help: (locale) => translateFor(slug, locale, help),
    zones: (call, name) =>
      run(
        'zones',
        call,
        (settings, ctx) => record.zones(settings, name, ctx),
        (answer) => {
          const zones = listOf(answer, 'zones', MAX_ZONES_SHOWN).map(zoneOf);
          return zones.filter((zone) => name === null || zone.name === name);
        },
      ),
    records: (call, zone, name) =>
      run(
        'records',
        call,
        (settings, ctx) => record.records(settings, { ...zone }, name, ctx),
        (answer) => {
          const records = listOf(answer, 'records', MAX_RECORDS).map(recordOf);
          return records.filter((found) => found.name === name);
        },
      ),
    put: (call, zone, wanted) =>
      run(
        'put',
        call,
        (settings, ctx) => record.put(settings, { ...zone }, { ...wanted }, ctx),
        (answer) => textOf(answer, 'the id of the record'),
      ),
    remove: (call, zone, present) =>
      run(
        'remove',
        call,
        (settings, ctx) => record.remove(settings, { ...zone }, { ...present }, ctx),
        () => undefined,
      ),
  };
}

function listOf(answer: unknown, what: string, max: number): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(answer)) throw new TypeError(`The driver did not return a list of ${what}.`);
  return answer.slice(0, max).map((item: unknown) => (typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}));
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT)
    throw new TypeError(`The driver did not return a string of 1 to ${MAX_TEXT} characters for ${what}.`);
  return value;
}

const nameOf = (value: unknown): string => textOf(value, 'a name').toLowerCase().replace(/\.$/, '');
const zoneOf = ({ id, name }: Readonly<Record<string, unknown>>): DnsZone => ({ id: textOf(id, 'the id of a zone'), name: nameOf(name) });
const recordOf = ({ id, type, name, value, mark }: Readonly<Record<string, unknown>>): DnsRecord => ({
  id: textOf(id, 'the id of a record'),
  type: textOf(type, 'the type of a record').toUpperCase(),
  name: nameOf(name),
  value: textOf(value, 'the value of a record'),
  ...(typeof mark === 'string' ? { mark } : {}),
});

function checkRecord(slug: string, kind: string, record: DnsDriverRecord): void {
  const what = `the DNS provider ${JSON.stringify(kind)}`;
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw new Error(`${slug}: the kind of a DNS provider must be 1 to 32 of a-z 0-9 _ -, not ${JSON.stringify(kind)}.`);
  if (typeof record !== 'object' || record === null) throw new Error(`${slug}: ${what} needs a record with title, fields and functions.`);
  const { title, help, fields } = record;
  if (typeof title !== 'string' || title.trim() === '') throw new Error(`${slug}: ${what} needs a title.`);
  if (help !== undefined && typeof help !== 'string') throw new Error(`${slug}: the help of ${what} must be a text.`);
  for (const name of FUNCTIONS) if (typeof record[name] !== 'function') throw new Error(`${slug}: ${name} of ${what} must be a function.`);
  if (!Array.isArray(fields) || fields.length > MAX_FIELDS) throw new Error(`${slug}: ${what} has a list of at most ${MAX_FIELDS} fields.`);
  if (fields.length > 0) checkFields(fields, slug);
  for (const field of fields)
    if (field.required !== undefined && typeof field.required !== 'boolean')
      throw new Error(`${slug}: required of the field ${JSON.stringify(field.key)} must be true or false.`);
}
