import { translate } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';
import { dotted, mailOf, plainValue } from '../record-values.js';

import { type DnsCall, type DnsDriver, MAX_RECORDS, MAX_ZONES_SHOWN } from './dns-driver.js';
import { askProvider, bare, idOf, labelsBelow, listOf, objectOf, ownField, plainName, textOf, wholeName } from './provider-call.js';

/** Codes of `status` in responses. Source: github.com/DNSPod/dnspod-api-doc "共通返回" and each interface */
const DONE = '1';
const NONE_THERE = '10';
const RECORD_GONE = '8';
const DENIED = new Set(['-1', '-3', '-4', '-7', '83', '85', '10004']);
const BUSY = new Set(['-2', '-8']);
const DOWN = new Set(['-99', '2']);
/** Id of the default line (all visitors). */
const EVERYBODY = '0';

type Fields = Readonly<Record<string, string>>;

/** DNSPod over its token API, dnsapi.cn; not the Tencent Cloud API with SecretId and SecretKey. Source: github.com/DNSPod/dnspod-api-doc */
export const dnspod: DnsDriver = {
  type: 'dnspod',
  plugin: '',
  fields: [ownField('token_id'), ownField('token', { isSecret: true }), ownField('address', { standard: 'https://dnsapi.cn' })],
  title: (locale) => translate(locale, 'dns.kind_dnspod'),
  help: (locale) => translate(locale, 'dns.help_dnspod'),
  async zones(call, name) {
    const fields = { length: String(MAX_ZONES_SHOWN), ...(name === null ? {} : { keyword: name }) };
    const answer = await ask(call, 'Domain.List', fields, [NONE_THERE]);
    const zones = listOf(answer.domains ?? []).map(({ id, name: own, punycode }) => ({ id: idOf(id), name: plainName(punycode || own) }));
    return zones.filter((zone) => name === null || zone.name === name);
  },
  async records(call, zone, name) {
    const fields = { domain_id: zone.id, sub_domain: labelsBelow(name, zone.name), length: String(MAX_RECORDS) };
    const answer = await ask(call, 'Record.List', fields, [NONE_THERE]);
    const records = listOf(answer.records ?? []).map((record) => ({
      id: idOf(record.id),
      type: textOf(record.type),
      name: wholeName(plainName(record.name), zone.name),
      value: plainValue(textOf(record.type), textOf(record.value), record.type === 'MX' ? record.mx : undefined),
    }));
    return records.filter((record) => record.name === name);
  },
  async put(call, zone, { id, type, name, value, ttl }) {
    const fields = {
      domain_id: zone.id,
      sub_domain: labelsBelow(name, zone.name),
      record_type: type,
      record_line_id: EVERYBODY,
      ...(type === 'MX' ? { value: `${mailOf(value).host}.`, mx: String(mailOf(value).priority) } : { value: dotted(type, value) }),
      ttl: String(ttl),
    };
    const answer = await (id === null ? ask(call, 'Record.Create', fields) : ask(call, 'Record.Modify', { ...fields, record_id: id }));
    return idOf(objectOf(answer.record).id);
  },
  async remove(call, zone, { id }) {
    await ask(call, 'Record.Remove', { domain_id: zone.id, record_id: id }, [RECORD_GONE]);
  },
};

async function ask(call: DnsCall, name: string, fields: Fields, fine: readonly string[] = []): Promise<Readonly<Record<string, unknown>>> {
  const { token_id = '', token = '', address = '' } = call.settings;
  const body = new URLSearchParams({ login_token: `${token_id},${token}`, format: 'json', lang: 'en', error_on_empty: 'no', ...fields });
  const reply = await askProvider(call, { url: `${bare(address)}/${name}`, method: 'POST', body });
  const answer = objectOf(reply.body);
  const { code, message } = objectOf(answer.status);
  if (typeof code !== 'string' && typeof code !== 'number') throw new DnsProblem('unclear', { status: reply.status });
  const status = String(code);
  if (status === DONE || fine.includes(status)) return answer;
  if (BUSY.has(status)) throw new DnsProblem('busy');
  if (DOWN.has(status)) throw new DnsProblem('down', { status: status });
  throw new DnsProblem(DENIED.has(status) ? 'denied' : 'refused', DnsProblem.reply(`${status} ${String(message)}`));
}
