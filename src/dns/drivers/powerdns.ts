import { translate } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';

import { type DnsCall, type DnsDriver, MOST_ZONES_SHOWN } from './dns-driver.js';
import { askProvider, bare, idOf, listOf, objectOf, ownField, plainName, textOf } from './provider-call.js';

/** Whose notes the panel's are. */
const ACCOUNT = 'svc-panel';
const USUAL_TTL = 600;

/** PowerDNS Authoritative Server, HTTP API v1. A record has no id there: it is one of a set of its type. Source: doc.powerdns.com/authoritative/http-api */
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
    return zones.filter((zone) => name === null || zone.name === name).slice(0, MOST_ZONES_SHOWN);
  },
  async records(call, zone, name) {
    const query = new URLSearchParams({ rrset_name: `${name}.` });
    const { body } = await ask(call, 'GET', `/zones/${encodeURIComponent(zone.id)}?${query.toString()}`);
    // Servers before 4.6 answer with the whole zone.
    const sets = listOf(objectOf(body).rrsets).filter((set) => plainName(set.name) === name);
    return sets.flatMap((set) => {
      const type = textOf(set.type);
      const notes = Array.isArray(set.comments) ? set.comments.map(objectOf) : [];
      const mark = notes.length === 0 ? {} : { mark: notes.map(({ content }) => String(content)).join(' ') };
      return listOf(set.records).map(({ content }) => ({ id: type, type, name, value: textOf(content), ...mark }));
    });
  },
  async put(call, zone, { type, name, value, ttl, mark }) {
    const content = type === 'CNAME' ? `${value}.` : value;
    const comments = [{ content: mark, account: ACCOUNT }];
    await change(call, zone.id, { name: `${name}.`, type, ttl, changetype: 'REPLACE', records: [{ content, disabled: false }], comments });
    return type;
  },
  async remove(call, zone, { type, name, value }) {
    // A set goes as a whole: what somebody has added to it stays.
    const others = (await this.records(call, zone, name)).filter((record) => record.type === type && record.value !== value);
    const records = others.map((record) => ({ content: record.value, disabled: false }));
    const rest = others.length === 0 ? { changetype: 'DELETE' } : { changetype: 'REPLACE', ttl: USUAL_TTL, records, comments: [] };
    await change(call, zone.id, { name: `${name}.`, type, ...rest });
  },
};

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
