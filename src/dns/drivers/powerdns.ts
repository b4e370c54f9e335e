import { translate } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';
import { dotted, isSameValue, plainValue, quoted } from '../record-values.js';

import { type DnsCall, type DnsDriver, MAX_ZONES_SHOWN } from './dns-driver.js';
import { askProvider, bare, idOf, listOf, objectOf, ownField, plainName, textOf } from './provider-call.js';

/** Account name of the panel's comments. */
const ACCOUNT = 'svc-panel';
const DEFAULT_TTL = 600;

/**
 * PowerDNS Authoritative Server, HTTP API v1. Records have no ids; they are grouped in RRsets by type. Source:
 * doc.powerdns.com/authoritative/http-api
 */
export const powerdns: DnsDriver = {
  type: 'powerdns',
  plugin: '',
  fields: [ownField('address'), ownField('api_key', { isSecret: true }), ownField('server', { standard: 'localhost' })],
  title: (locale) => translate(locale, 'dns.kind_powerdns'),
  help: (locale) => translate(locale, 'dns.help_powerdns'),
  async zones(call, name) {
    const query = name === null ? '' : `?${new URLSearchParams({ zone: `${name}.` }).toString()}`;
    const { body } = await ask(call, 'GET', `/zones${query}`);
    const zones = listOf(body).map((zone) => ({ id: idOf(zone.id), name: plainName(zone.name) }));
    return zones.filter((zone) => name === null || zone.name === name).slice(0, MAX_ZONES_SHOWN);
  },
  async records(call, zone, name) {
    return (await setsOf(call, zone.id, name)).flatMap(({ type, contents, notes }) => {
      const mark = notes.length === 0 ? {} : { mark: notes.map(({ content }) => String(content)).join(' ') };
      return contents.map((content) => ({ id: `${type} ${content}`, type, name, value: plainValue(type, content), ...mark }));
    });
  },
  async put(call, zone, { id, type, name, value, ttl, mark }) {
    // An RRset is replaced as a whole, so its other values are included.
    const present = (await setsOf(call, zone.id, name)).find((set) => set.type === type);
    const content = contentOf(type, value);
    const kept = (present?.contents ?? []).filter(
      (other) => `${type} ${other}` !== id && !isSameValue(type, plainValue(type, other), value),
    );
    const notes = (present?.notes ?? []).filter((note) => note.content !== mark);
    const records = [...kept, content].map((each) => ({ content: each, disabled: false }));
    const comments = [...notes, { content: mark, account: ACCOUNT }];
    await change(call, zone.id, { name: `${name}.`, type, ttl, changetype: 'REPLACE', records, comments });
    return `${type} ${content}`;
  },
  async remove(call, zone, { type, name, value }) {
    // Foreign values of the RRset stay, with its comments.
    const present = (await setsOf(call, zone.id, name)).find((set) => set.type === type);
    const others = (present?.contents ?? []).filter((content) => !isSameValue(type, plainValue(type, content), value));
    const records = others.map((content) => ({ content, disabled: false }));
    const rest = others.length === 0 ? { changetype: 'DELETE' } : { changetype: 'REPLACE', ttl: present?.ttl ?? DEFAULT_TTL, records };
    await change(call, zone.id, { name: `${name}.`, type, ...rest });
  },
};

/** An RRset: all records of a name and type. */
interface RecordSet {
  readonly type: string;
  readonly ttl: number;
  readonly contents: readonly string[];
  readonly notes: readonly Readonly<Record<string, unknown>>[];
}

async function setsOf(call: DnsCall, zone: string, name: string): Promise<RecordSet[]> {
  const query = new URLSearchParams({ rrset_name: `${name}.` });
  const { body } = await ask(call, 'GET', `/zones/${encodeURIComponent(zone)}?${query.toString()}`);
  // Servers before 4.6 return the whole zone.
  const sets = listOf(objectOf(body).rrsets).filter((set) => plainName(set.name) === name);
  return sets.map((set) => ({
    type: textOf(set.type),
    ttl: Number(set.ttl) || DEFAULT_TTL,
    contents: listOf(set.records).map(({ content }) => textOf(content)),
    notes: Array.isArray(set.comments) ? set.comments.map(objectOf) : [],
  }));
}

/** Formats a value for zone files. */
function contentOf(type: string, value: string): string {
  return type === 'TXT' ? quoted(value) : dotted(type, value);
}

const change = (call: DnsCall, zone: string, set: Readonly<Record<string, unknown>>) =>
  ask(call, 'PATCH', `/zones/${encodeURIComponent(zone)}`, { rrsets: [set] });

async function ask(
  call: DnsCall,
  method: 'GET' | 'PATCH',
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<{ readonly body: unknown }> {
  const { address = '', api_key = '', server = '' } = call.settings;
  const url = `${bare(address).replace(/\/api(\/v1)?$/, '')}/api/v1/servers/${encodeURIComponent(server)}${path}`;
  const reply = await askProvider(call, { url, method, headers: { 'X-API-Key': api_key }, ...(body ? { body } : {}) });
  if (reply.status < 300) return reply;
  const { error } = objectOf(reply.body);
  const words = DnsProblem.reply(typeof error === 'string' ? error : `HTTP ${reply.status}`);
  throw new DnsProblem(reply.status === 401 || reply.status === 403 ? 'denied' : 'refused', words);
}
