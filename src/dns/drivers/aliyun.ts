import { randomUUID } from 'node:crypto';

import { translate } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';
import { mailOf, plainValue } from '../record-values.js';

import { type AliyunFields, aliyunSignature } from './aliyun-signature.js';
import { type DnsCall, type DnsDriver, MAX_RECORDS, MAX_ZONES_SHOWN } from './dns-driver.js';
import { askProvider, bare, idOf, labelsBelow, listOf, objectOf, ownField, plainName, textOf, wholeName } from './provider-call.js';

const GONE = ['InvalidRecordId.NotFound', 'DomainRecordNotBelongToUser', 'InvalidRR.NoExist'];
const DENIED = /^(InvalidAccessKey|SignatureDoesNotMatch|IncompleteSignature|Forbidden|InvalidTimeStamp|NoPermission|InvalidSecurityToken)/;
const BUSY = /^Throttling/;

/** Aliyun DNS over its RPC API of 2015-01-09, with an AccessKey. Source: help.aliyun.com/document_detail/29740.html */
export const aliyun: DnsDriver = {
  type: 'aliyun',
  plugin: '',
  fields: [
    ownField('access_key'),
    ownField('access_secret', { isSecret: true }),
    ownField('address', { standard: 'https://alidns.aliyuncs.com' }),
  ],
  title: (locale) => translate(locale, 'dns.kind_aliyun'),
  help: (locale) => translate(locale, 'dns.help_aliyun'),
  async zones(call, name) {
    const which: AliyunFields = name === null ? {} : { KeyWord: name, SearchMode: 'EXACT' };
    const answer = await ask(call, { Action: 'DescribeDomains', PageSize: String(MAX_ZONES_SHOWN), ...which });
    const zones = listOf(objectOf(answer.Domains).Domain).map(({ DomainName, PunyCode }) => ({
      id: idOf(DomainName),
      name: plainName(PunyCode || DomainName),
    }));
    return zones.filter((zone) => name === null || zone.name === name);
  },
  async records(call, zone, name) {
    const fields = { Action: 'DescribeSubDomainRecords', SubDomain: name, DomainName: zone.id, PageSize: String(MAX_RECORDS) };
    const answer = await ask(call, fields);
    const records = listOf(objectOf(answer.DomainRecords).Record).map(({ RecordId, Type, RR, Value, Priority }) => ({
      id: idOf(RecordId),
      type: textOf(Type),
      name: wholeName(plainName(RR), zone.name),
      value: plainValue(textOf(Type), textOf(Value), Type === 'MX' ? Priority : undefined),
    }));
    return records.filter((record) => record.name === name);
  },
  async put(call, zone, { id, type, name, value, ttl }) {
    const mail = type === 'MX' ? mailOf(value) : null;
    const content: AliyunFields = mail ? { Value: mail.host, Priority: String(mail.priority) } : { Value: value };
    const what = { RR: labelsBelow(name, zone.name), Type: type, ...content, TTL: String(ttl) };
    const which: AliyunFields =
      id === null ? { Action: 'AddDomainRecord', DomainName: zone.id } : { Action: 'UpdateDomainRecord', RecordId: id };
    return idOf((await ask(call, { ...which, ...what })).RecordId);
  },
  async remove(call, _zone, { id }) {
    await ask(call, { Action: 'DeleteDomainRecord', RecordId: id }, GONE);
  },
};

async function ask(call: DnsCall, fields: AliyunFields, fine: readonly string[] = []): Promise<Readonly<Record<string, unknown>>> {
  const { access_key = '', access_secret = '', address = '' } = call.settings;
  const whole = {
    Format: 'JSON',
    Version: '2015-01-09',
    AccessKeyId: access_key,
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: randomUUID(),
    Timestamp: call.now.toISOString().replace(/\.\d+Z$/, 'Z'),
    ...fields,
  };
  const body = new URLSearchParams({ ...whole, Signature: aliyunSignature('POST', whole, access_secret) });
  const reply = await askProvider(call, { url: `${bare(address)}/`, method: 'POST', body });
  const answer = objectOf(reply.body);
  const { Code: code, Message: message, RequestId: id } = answer;
  if (typeof code !== 'string') {
    if (reply.status !== 200 || typeof id !== 'string') throw new DnsProblem('unclear', { status: reply.status });
    return answer;
  }
  if (fine.includes(code)) return {};
  if (BUSY.test(code)) throw new DnsProblem('busy');
  throw new DnsProblem(DENIED.test(code) ? 'denied' : 'refused', DnsProblem.reply(`${code} ${String(message)}`));
}
