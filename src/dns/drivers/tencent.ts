import { translate } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';
import { dotted, mailOf, plainValue } from '../record-values.js';

import { type DnsCall, type DnsDriver, MAX_RECORDS, MAX_ZONES_SHOWN } from './dns-driver.js';
import { askProvider, bare, idOf, labelsBelow, listOf, objectOf, ownField, plainName, textOf, wholeName } from './provider-call.js';
import { tc3Authorization } from './tc3-signature.js';

const SERVICE = 'dnspod';
const VERSION = '2021-03-23';
const CONTENT_TYPE = 'application/json; charset=utf-8';
/** Id of the default line (all visitors). */
const EVERYBODY = '0';
const NONE_THERE = ['ResourceNotFound.NoDataOfRecord', 'ResourceNotFound.NoDataOfDomain'];
const GONE = ['InvalidParameter.RecordIdInvalid', 'ResourceNotFound.NoDataOfRecord'];
const DENIED = /^(AuthFailure|UnauthorizedOperation|OperationDenied)/;
const BUSY = /^(RequestLimitExceeded|LimitExceeded\.RequestLimitExceeded)/;
const DOWN = /^InternalError/;

type Fields = Readonly<Record<string, string | number>>;

/** DNSPod over Tencent Cloud API 3.0, with SecretId and SecretKey. Source: cloud.tencent.com/document/api/1427 */
export const tencent: DnsDriver = {
  type: 'tencent',
  plugin: '',
  fields: [
    ownField('secret_id'),
    ownField('secret_key', { isSecret: true }),
    ownField('address', { standard: 'https://dnspod.tencentcloudapi.com' }),
  ],
  title: (locale) => translate(locale, 'dns.kind_tencent'),
  help: (locale) => translate(locale, 'dns.help_tencent'),
  async zones(call, name) {
    const which: Fields = name === null ? {} : { Keyword: name };
    const answer = await ask(call, 'DescribeDomainList', { Limit: MAX_ZONES_SHOWN, ...which }, NONE_THERE);
    const zones = listOf(answer.DomainList ?? []).map(({ Name, Punycode }) => ({ id: idOf(Name), name: plainName(Punycode || Name) }));
    return zones.filter((zone) => name === null || zone.name === name);
  },
  async records(call, zone, name) {
    const fields = { Domain: zone.id, Subdomain: labelsBelow(name, zone.name), Limit: MAX_RECORDS };
    const answer = await ask(call, 'DescribeRecordList', fields, NONE_THERE);
    const records = listOf(answer.RecordList ?? []).map((record) => ({
      id: idOf(record.RecordId),
      type: textOf(record.Type),
      name: wholeName(plainName(record.Name), zone.name),
      value: plainValue(textOf(record.Type), textOf(record.Value), record.Type === 'MX' ? record.MX : undefined),
      mark: typeof record.Remark === 'string' ? record.Remark : '',
    }));
    return records.filter((record) => record.name === name);
  },
  async put(call, zone, { id, type, name, value, ttl, mark }) {
    const mail = type === 'MX' ? mailOf(value) : null;
    const content: Fields = mail ? { Value: `${mail.host}.`, MX: mail.priority } : { Value: dotted(type, value) };
    const line = { RecordLine: '默认', RecordLineId: EVERYBODY };
    const fields = {
      Domain: zone.id,
      SubDomain: labelsBelow(name, zone.name),
      RecordType: type,
      ...line,
      ...content,
      TTL: ttl,
      Remark: mark,
    };
    const answer = await (id === null ? ask(call, 'CreateRecord', fields) : ask(call, 'ModifyRecord', { ...fields, RecordId: Number(id) }));
    return idOf(answer.RecordId);
  },
  async remove(call, zone, { id }) {
    await ask(call, 'DeleteRecord', { Domain: zone.id, RecordId: Number(id) }, GONE);
  },
};

async function ask(
  call: DnsCall,
  action: string,
  fields: Fields,
  fine: readonly string[] = [],
): Promise<Readonly<Record<string, unknown>>> {
  const { secret_id: secretId = '', secret_key: secretKey = '', address = '' } = call.settings;
  const url = `${bare(address)}/`;
  const payload = JSON.stringify(fields);
  const timestamp = Math.floor(call.now.getTime() / 1_000);
  const signed = { secretId, secretKey, service: SERVICE, host: new URL(url).host, contentType: CONTENT_TYPE, payload, timestamp };
  const headers = {
    Authorization: tc3Authorization(signed),
    'Content-Type': CONTENT_TYPE,
    'X-TC-Action': action,
    'X-TC-Version': VERSION,
    'X-TC-Timestamp': String(timestamp),
  };
  const reply = await askProvider(call, { url, method: 'POST', headers, body: payload });
  const answer = objectOf(objectOf(reply.body).Response);
  const { Code: code, Message: message } = objectOf(answer.Error);
  if (typeof code !== 'string') {
    if (typeof answer.RequestId !== 'string') throw new DnsProblem('unclear', { status: reply.status });
    return answer;
  }
  if (fine.includes(code)) return {};
  if (BUSY.test(code)) throw new DnsProblem('busy');
  if (DOWN.test(code)) throw new DnsProblem('down', { status: code });
  throw new DnsProblem(DENIED.test(code) ? 'denied' : 'refused', DnsProblem.reply(`${code} ${String(message)}`));
}
