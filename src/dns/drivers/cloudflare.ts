import { translate } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';
import { authorityOf, mailOf, plainValue, quoted, serviceOf } from '../record-values.js';

import { type DnsCall, type DnsDriver, MAX_RECORDS, MAX_ZONES_SHOWN } from './dns-driver.js';
import { askProvider, bare, idOf, listOf, objectOf, ownField, plainName, textOf } from './provider-call.js';

/** Error codes of an invalid, expired or insufficient token. Source: developers.cloudflare.com/fundamentals/api/troubleshooting */
const DENIED = new Set([6003, 6111, 9103, 9106, 9107, 9109, 10000, 10001]);
/** Error code of a missing record. */
const GONE = 81044;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Cloudflare API v4, with an API token that may edit DNS. Source: developers.cloudflare.com/api/resources/dns */
export const cloudflare: DnsDriver = {
  type: 'cloudflare',
  plugin: '',
  fields: [ownField('token', { isSecret: true }), ownField('address', { standard: 'https://api.cloudflare.com/client/v4' })],
  title: (locale) => translate(locale, 'dns.kind_cloudflare'),
  help: (locale) => translate(locale, 'dns.help_cloudflare'),
  async zones(call, name) {
    const query = new URLSearchParams({ per_page: String(MAX_ZONES_SHOWN), ...(name === null ? {} : { name }) });
    const { result } = await ask(call, 'GET', `/zones?${query.toString()}`);
    return listOf(result).map((zone) => ({ id: idOf(zone.id), name: plainName(zone.name) }));
  },
  async records(call, zone, name) {
    const query = new URLSearchParams({ name, per_page: String(MAX_RECORDS) });
    const { result } = await ask(call, 'GET', `${recordsOf(zone.id)}?${query.toString()}`);
    return listOf(result).map((record) => ({
      id: idOf(record.id),
      type: textOf(record.type),
      name: plainName(record.name),
      value: valueOf(record),
      mark: typeof record.comment === 'string' ? record.comment : '',
    }));
  },
  async put(call, zone, { id, type, name, value, ttl, mark }) {
    // Not proxied: the host needs its own certificates and the visitors' addresses.
    const body = { type, name, ...contentOf(type, value), ttl, proxied: false, comment: mark };
    const path = recordsOf(zone.id);
    const { result } = await (id === null ? ask(call, 'POST', path, body) : ask(call, 'PUT', `${path}/${encodeURIComponent(id)}`, body));
    return idOf(objectOf(result).id);
  },
  async remove(call, zone, { id }) {
    await ask(call, 'DELETE', `${recordsOf(zone.id)}/${encodeURIComponent(id)}`, undefined, GONE);
  },
};

/** Returns the content of a record; structured types are split into fields. */
function contentOf(type: string, value: string): Readonly<Record<string, unknown>> {
  switch (type) {
    case 'MX': {
      const { priority, host } = mailOf(value);
      return { content: host, priority };
    }
    case 'SRV': {
      const { host, ...numbers } = serviceOf(value);
      return { data: { ...numbers, target: host } };
    }
    case 'CAA':
      return { data: authorityOf(value) };
    case 'TXT':
      return { content: quoted(value) };
    default:
      return { content: value };
  }
}

/** Inverse of {@link contentOf}. */
function valueOf({ type, content, priority, data }: Readonly<Record<string, unknown>>): string {
  if (type !== 'SRV') return plainValue(textOf(type), textOf(content), type === 'MX' ? priority : undefined);
  const { priority: first, weight, port, target } = objectOf(data);
  return plainValue('SRV', [first, weight, port, target].map(String).join(' '));
}

const recordsOf = (zone: string): string => `/zones/${encodeURIComponent(zone)}/dns_records`;

async function ask(
  call: DnsCall,
  method: Method,
  path: string,
  body?: Readonly<Record<string, unknown>>,
  fine?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { token = '', address = '' } = call.settings;
  const headers = { Authorization: `Bearer ${token}` };
  const reply = await askProvider(call, { url: `${bare(address)}${path}`, method, headers, ...(body ? { body } : {}) });
  const answer = objectOf(reply.body);
  if (answer.success === true) return answer;
  if (answer.success !== false) throw new DnsProblem('unclear', { status: reply.status });
  const errors = Array.isArray(answer.errors) ? answer.errors.map(objectOf) : [];
  if (errors.some(({ code }) => code === fine && fine !== undefined)) return {};
  const isDenied = reply.status === 401 || reply.status === 403 || errors.some(({ code }) => DENIED.has(Number(code)));
  const words = errors.map(({ code, message }) => `${String(code)} ${String(message)}`).join(', ');
  throw new DnsProblem(isDenied ? 'denied' : 'refused', DnsProblem.reply(words || `HTTP ${reply.status}`));
}
