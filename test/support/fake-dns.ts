import type { IncomingMessage, ServerResponse } from 'node:http';

import { aliyunSignature, tc3Authorization } from '../../src/dns/drivers/index.js';

import { type LoopbackServer, serveHttp } from './loopback-server.js';

/** DNS record stored by a fake. */
export interface KeptRecord {
  id: string;
  type: string;
  name: string;
  value: string;
  comment: string | null;
}

type Answer = { status?: number; body: unknown };
type Kind = 'cloudflare' | 'dnspod' | 'tencent' | 'aliyun' | 'powerdns';
type Json = Record<string, unknown>;

/** Record types whose value ends with a host name. */
const HAS_HOST = new Set(['CNAME', 'MX', 'SRV']);

/** Returns a value in Cloudflare's format. Source: developers.cloudflare.com/api/resources/dns/subresources/records */
function cloudflareParts(type: string, value: string): Json {
  const [first, second, third, last] = value.split(' ');
  const priority = Number(first);
  if (type === 'MX') return { content: second, priority };
  if (type === 'SRV') {
    const data = { priority, weight: Number(second), port: Number(third), target: last };
    return { content: `${second} ${third} ${last}`, priority, data };
  }
  if (type !== 'CAA') return { content: value };
  return { content: value, data: { flags: priority, tag: second, value: third!.slice(1, -1) } };
}

/** Converts a value from Cloudflare's format to the stored one. */
function cloudflareValue(type: string, { content, priority, data = {} }: { content?: string; priority?: unknown; data?: Json }): string {
  if (type === 'SRV') return [data.priority, data.weight, data.port, data.target].map(String).join(' ');
  if (type === 'CAA') return `${String(data.flags)} ${String(data.tag)} "${String(data.value)}"`;
  return type === 'MX' ? `${String(priority)} ${content!}` : content!;
}

/** Credentials accepted by every fake. */
export const FAKE_SETTINGS: Record<Kind, Record<string, string>> = {
  cloudflare: { token: 'cf-token-hidden-1' },
  dnspod: { token_id: '13490', token: 'dp-token-hidden-1' },
  tencent: { secret_id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3', secret_key: 'tc-hidden-1' },
  aliyun: { access_key: 'testid', access_secret: 'ali-hidden-1' },
  powerdns: { api_key: 'pdns-hidden-1', server: 'localhost' },
};

/** Fake DNS provider, written from the official documentation. It enforces the rules of DNS for records; tests can make it misbehave. */
export class FakeDns {
  readonly records: KeptRecord[] = [];
  /** Received calls: method and path, or action. */
  readonly asked: string[] = [];
  /** Handles a call instead of the fake if it returns true. */
  instead: ((req: IncomingMessage, res: ServerResponse, what: string) => boolean) | null = null;
  /** Returns whether a call is done without an answer. */
  silent: ((what: string) => boolean) | null = null;
  private next = 100;
  private server!: LoopbackServer;

  private constructor(
    readonly kind: Kind,
    readonly zones: string[],
  ) {}

  static async start(kind: Kind, zones = ['example.com']): Promise<FakeDns> {
    const fake = new FakeDns(kind, zones);
    fake.server = await serveHttp((req, res) => {
      const parts: Buffer[] = [];
      req.on('data', (part: Buffer) => parts.push(part));
      req.on('end', () => fake.serve(req, res, Buffer.concat(parts).toString()));
    });
    return fake;
  }

  get address(): string {
    return `http://127.0.0.1:${this.server.port}${this.kind === 'cloudflare' ? '/client/v4' : ''}`;
  }

  get settings(): Record<string, string> {
    return { ...FAKE_SETTINGS[this.kind], address: this.address };
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Adds a record, as another client does. */
  add(type: string, name: string, value: string): KeptRecord {
    const record = { id: String(this.next++), type, name, value, comment: null };
    this.records.push(record);
    return record;
  }

  /** Returns the types and values of a name's records, in order. */
  of(name: string): string[] {
    return this.records.filter((record) => record.name === name).map(({ type, value }) => `${type} ${value}`);
  }

  private serve(req: IncomingMessage, res: ServerResponse, raw: string): void {
    const url = new URL(req.url!, 'http://fake');
    const form = new URLSearchParams(raw);
    const action = this.kind === 'tencent' ? String(req.headers['x-tc-action']) : form.get('Action');
    const what = this.kind === 'aliyun' || this.kind === 'tencent' ? action! : `${req.method} ${url.pathname}`;
    this.asked.push(what);
    if (this.instead?.(req, res, what)) return;
    const { status = 200, body } = this[this.kind](req, url, raw, form);
    if (this.silent?.(what)) return;
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
  }

  /** @returns why a record conflicts with others; empty if it does not */
  private conflict(type: string, name: string, value: string, except?: string): string {
    const others = this.records.filter((record) => record.name === name && record.id !== except);
    if (others.some((other) => other.type === type && other.value === value)) return 'The record already exists.';
    if (others.some((other) => type === 'CNAME' || other.type === 'CNAME')) return 'A CNAME goes with no other record.';
    return '';
  }

  private keep(id: string | null, type: string, name: string, value: string, comment: string | null): string {
    const next = { id: id ?? String(this.next++), type, name, value: type === 'TXT' ? value : value.replace(/\.$/, ''), comment };
    const at = this.records.findIndex((record) => record.id === id);
    this.records.splice(at < 0 ? this.records.length : at, at < 0 ? 0 : 1, next);
    return next.id;
  }

  private drop(id: string): boolean {
    const at = this.records.findIndex((record) => record.id === id);
    if (at >= 0) this.records.splice(at, 1);
    return at >= 0;
  }

  private cloudflare(req: IncomingMessage, { pathname, searchParams }: URL, raw: string): Answer {
    const failed = (status: number, code: number, message: string): Answer => ({
      status,
      body: { success: false, errors: [{ code, message }], messages: [], result: null },
    });
    const done = (result: unknown): Answer => ({ body: { success: true, errors: [], messages: [], result } });
    const { authorization } = req.headers;
    if (authorization !== `Bearer ${FAKE_SETTINGS.cloudflare.token}`) return failed(403, 9109, 'Invalid access token');
    const [, , , zones, zone, , id] = pathname.split('/');
    if (zones !== 'zones') return failed(404, 7003, 'Could not route');
    if (!zone) {
      const name = searchParams.get('name');
      return done(this.zones.filter((own) => !name || own === name).map((own) => ({ id: `z-${own}`, name: own, status: 'active' })));
    }
    if (req.method === 'GET') {
      const found = this.records.filter(({ name }) => name === searchParams.get('name'));
      const shown = found.map(({ value, ...record }) => {
        return { ...record, ...cloudflareParts(record.type, value), proxied: false, ttl: 600 };
      });
      return done(shown);
    }
    if (req.method === 'DELETE') return this.drop(id!) ? done({ id }) : failed(404, 81044, 'Record does not exist.');
    const given = JSON.parse(raw) as Record<string, string> & { proxied: unknown; priority?: unknown; data?: Json };
    const { type, name, comment, proxied } = given;
    if (proxied !== false) return failed(400, 9004, 'It has to be said.');
    if (type === 'TXT' && !given.content!.startsWith('"')) return failed(400, 9005, 'Content for TXT has to be quoted.');
    if (type === 'MX' && typeof given.priority !== 'number') return failed(400, 9100, 'Priority is missing.');
    if ((type === 'SRV' || type === 'CAA') && !given.data) return failed(400, 9101, 'data is missing.');
    const content = cloudflareValue(type!, given);
    const wrong = this.conflict(type!, name!, content!, id);
    if (wrong) return failed(400, 81058, wrong);
    if (id && !this.records.some((record) => record.id === id)) return failed(404, 81044, 'Record does not exist.');
    return done({ id: this.keep(id ?? null, type!, name!, content!, comment ?? null) });
  }

  private dnspod(_req: IncomingMessage, { pathname }: URL, _raw: string, form: URLSearchParams): Answer {
    const answer = (code: string, message: string, more: Json = {}): Answer => ({ body: { status: { code, message }, ...more } });
    const { token_id, token } = FAKE_SETTINGS.dnspod;
    if (form.get('login_token') !== `${token_id},${token}`) return answer('-1', 'Login failed');
    const done = (more: Json): Answer => answer('1', 'Action completed successful', more);
    if (pathname === '/Domain.List') {
      const found = this.zones.filter((zone) => zone.includes(form.get('keyword') ?? ''));
      return done({ domains: found.map((zone) => ({ id: this.zones.indexOf(zone) + 1, name: zone, punycode: zone })) });
    }
    const zone = this.zones[Number(form.get('domain_id')) - 1];
    if (!zone) return answer('6', 'Domain id invalid');
    const sub = form.get('sub_domain') ?? '@';
    const name = sub === '@' ? zone : `${sub}.${zone}`;
    if (pathname === '/Record.List') {
      const found = this.records.filter((record) => record.name === name);
      if (found.length === 0 && form.get('error_on_empty') !== 'no') return answer('10', 'No records');
      const shown = found.map(({ value, type, ...record }) => {
        const [mx, host] = type === 'MX' ? value.split(' ') : ['0', value];
        return { ...record, type, name: sub, mx, value: HAS_HOST.has(type) ? `${host}.` : value };
      });
      return done({ records: shown.map((record) => ({ ...record, line: '默认', line_id: '0', enabled: '1' })) });
    }
    const id = form.get('record_id');
    if (pathname === '/Record.Remove') return this.drop(id!) ? done({}) : answer('8', 'Record id invalid');
    if (form.get('record_line_id') !== '0') return answer('26', 'Record line error');
    const type = form.get('record_type')!;
    const bare = type === 'TXT' ? form.get('value')! : form.get('value')!.replace(/\.$/, '');
    if (type === 'MX' && !form.get('mx')) return answer('30', 'MX priority is missing');
    const value = type === 'MX' ? `${form.get('mx')} ${bare}` : bare;
    const wrong = this.conflict(type, name, value, id ?? undefined);
    if (wrong) return answer('31', wrong);
    if (pathname === '/Record.Modify' && !this.records.some((record) => record.id === id)) return answer('8', 'Record id invalid');
    // The id is a number in answers of Record.Modify.
    const kept = this.keep(id, type, name, value, null);
    return done({ record: { id: pathname === '/Record.Modify' ? Number(kept) : kept, name: sub, status: 'enable' } });
  }

  private tencent(req: IncomingMessage, _url: URL, raw: string): Answer {
    const failed = (Code: string, Message: string): Answer => ({ body: { Response: { Error: { Code, Message }, RequestId: 'r' } } });
    const done = (more: Json): Answer => ({ body: { Response: { RequestId: 'e3a1b6a5', ...more } } });
    const { secret_id: secretId = '', secret_key: secretKey = '' } = FAKE_SETTINGS.tencent;
    const { authorization = '', host = '', 'content-type': contentType = '', 'x-tc-timestamp': time, 'x-tc-action': action } = req.headers;
    if (!authorization.includes(`Credential=${secretId}/`)) return failed('AuthFailure.SecretIdNotFound', 'The SecretId is not found.');
    const signed = { secretId, secretKey, service: 'dnspod', host, contentType, payload: raw, timestamp: Number(time) };
    if (authorization !== tc3Authorization(signed)) return failed('AuthFailure.SignatureFailure', 'The signature is not right.');
    if (req.headers['x-tc-version'] !== '2021-03-23') return failed('InvalidParameter', 'Version');
    const given = JSON.parse(raw) as Record<string, string | number>;
    const text = (field: string): string => String((given[field] as string | undefined) ?? '');
    if (action === 'DescribeDomainList') {
      const found = this.zones.filter((zone) => zone.includes(text('Keyword')));
      if (found.length === 0) return failed('ResourceNotFound.NoDataOfDomain', 'No data.');
      return done({ DomainList: found.map((zone, at) => ({ DomainId: at + 1, Name: zone, Punycode: zone })) });
    }
    const zone = text('Domain');
    if (!this.zones.includes(zone)) return failed('InvalidParameterValue.DomainNotExists', 'No such domain.');
    const sub = text(action === 'DescribeRecordList' ? 'Subdomain' : 'SubDomain') || '@';
    const name = sub === '@' ? zone : `${sub}.${zone}`;
    if (action === 'DescribeRecordList') {
      const found = this.records.filter((record) => record.name === name);
      if (found.length === 0) return failed('ResourceNotFound.NoDataOfRecord', 'No records.');
      const shown = found.map(({ id, type, value, comment }) => {
        const [mx, own] = type === 'MX' ? value.split(' ') : ['0', value];
        const dot = HAS_HOST.has(type) ? '.' : '';
        return { RecordId: Number(id), Type: type, Name: sub, Value: `${own}${dot}`, MX: Number(mx), Remark: comment ?? '', Line: '默认' };
      });
      return done({ RecordList: shown });
    }
    const id = given.RecordId === undefined ? null : text('RecordId');
    if (action === 'DeleteRecord') return this.drop(id!) ? done({}) : failed('InvalidParameter.RecordIdInvalid', 'Record id.');
    if (text('RecordLineId') !== '0') return failed('InvalidParameter.RecordLineInvalid', 'Line.');
    const type = text('RecordType');
    if (type === 'MX' && typeof given.MX !== 'number') return failed('InvalidParameter.MxInvalid', 'MX.');
    const bare = type === 'TXT' ? text('Value') : text('Value').replace(/\.$/, '');
    const value = type === 'MX' ? `${text('MX')} ${bare}` : bare;
    const wrong = this.conflict(type, name, value, id ?? undefined);
    if (wrong) return failed('InvalidParameter.DomainRecordExist', wrong);
    if (id !== null && !this.records.some((record) => record.id === id)) return failed('InvalidParameter.RecordIdInvalid', 'Record id.');
    return done({ RecordId: Number(this.keep(id, type, name, value, text('Remark'))) });
  }

  private aliyun(_req: IncomingMessage, _url: URL, _raw: string, form: URLSearchParams): Answer {
    const failed = (status: number, Code: string, Message: string): Answer => ({
      status,
      body: { RequestId: 'r', HostId: 'h', Code, Message },
    });
    const done = (more: Json): Answer => ({ body: { RequestId: '536E9CAD-DB30-4647-AC87-AA5CC38C5382', ...more } });
    const { Signature, ...fields } = Object.fromEntries(form);
    if (fields.AccessKeyId !== FAKE_SETTINGS.aliyun.access_key)
      return failed(404, 'InvalidAccessKeyId.NotFound', 'Specified access key is not found.');
    if (Signature !== aliyunSignature('POST', fields, FAKE_SETTINGS.aliyun.access_secret!))
      return failed(400, 'SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.');
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(fields.Timestamp ?? '')) return failed(400, 'InvalidTimeStamp.Format', 'Wrong.');
    const { Action, RR, Type, RecordId, Priority } = fields as Record<string, string>;
    if (Type === 'MX' && !Priority) return failed(400, 'MissingPriority', 'Wrong.');
    const Value = Type === 'MX' ? `${Priority} ${fields.Value}` : fields.Value;
    if (Action === 'DescribeDomains') {
      const found = this.zones.filter((zone) => !fields.KeyWord || zone === fields.KeyWord);
      return done({ TotalCount: found.length, Domains: { Domain: found.map((zone) => ({ DomainName: zone, PunyCode: zone })) } });
    }
    const below = (name: string): string => {
      const zone = this.zones.find((own) => name === own || name.endsWith(`.${own}`))!;
      return name === zone ? '@' : name.slice(0, -zone.length - 1);
    };
    if (Action === 'DescribeSubDomainRecords') {
      const found = this.records.filter(({ name }) => name === fields.SubDomain);
      const shown = found.map(({ id, type, name, value }) => {
        const [first, host] = type === 'MX' ? value.split(' ') : [];
        return {
          RecordId: id,
          Type: type,
          RR: below(name),
          Value: host ?? value,
          ...(host ? { Priority: Number(first) } : {}),
          Line: 'default',
        };
      });
      return done({ TotalCount: shown.length, DomainRecords: { Record: shown } });
    }
    if (Action === 'DeleteDomainRecord') {
      return this.drop(RecordId!) ? done({ RecordId }) : failed(400, 'DomainRecordNotBelongToUser', 'The record is not yours.');
    }
    const present = this.records.find(({ id }) => id === RecordId);
    if (Action === 'UpdateDomainRecord' && !present) return failed(400, 'DomainRecordNotBelongToUser', 'The record is not yours.');
    const name = present ? present.name : RR === '@' ? fields.DomainName! : `${RR}.${fields.DomainName}`;
    const wrong = this.conflict(Type!, name, Value!, RecordId);
    if (wrong) return failed(400, 'DomainRecordConflict', wrong);
    return done({ RecordId: this.keep(RecordId ?? null, Type!, name, Value!, null) });
  }

  private powerdns(req: IncomingMessage, { pathname, searchParams }: URL, raw: string): Answer {
    if (req.headers['x-api-key'] !== FAKE_SETTINGS.powerdns.api_key) return { status: 401, body: { error: 'Unauthorized' } };
    const base = '/api/v1/servers/localhost/zones';
    if (!pathname.startsWith(base)) return { status: 404, body: { error: 'Not Found' } };
    if (pathname === base) {
      const wanted = searchParams.get('zone');
      const found = this.zones.filter((zone) => !wanted || `${zone}.` === wanted);
      return { body: found.map((zone) => ({ id: `${zone}.`, name: `${zone}.`, kind: 'Native' })) };
    }
    if (req.method === 'GET') {
      const name = searchParams.get('rrset_name')!.replace(/\.$/, '');
      const types = [...new Set(this.records.filter((record) => record.name === name).map(({ type }) => type))];
      const rrsets = types.map((type) => {
        const own = this.records.filter((record) => record.name === name && record.type === type);
        const comments = own.flatMap(({ comment }) =>
          comment === null ? [] : [{ content: comment, account: 'svc-panel', modified_at: 1 }],
        );
        const dot = HAS_HOST.has(type) ? '.' : '';
        return { name: `${name}.`, type, ttl: 600, comments, records: own.map(({ value }) => ({ content: value + dot, disabled: false })) };
      });
      return { body: { name: `${this.zones[0]}.`, rrsets } };
    }
    type Set = { name: string; type: string; changetype: string; records?: { content: string }[]; comments?: { content: string }[] };
    const [set] = (JSON.parse(raw) as { rrsets: Set[] }).rrsets;
    const name = set!.name.replace(/\.$/, '');
    const others = this.records.filter((record) => record.name === name && record.type !== set!.type);
    if (set!.changetype === 'REPLACE' && others.some(({ type }) => type === 'CNAME' || set!.type === 'CNAME'))
      return { status: 422, body: { error: `RRset ${set!.name} IN ${set!.type}: Conflicts with pre-existing RRset` } };
    const before = this.records.filter((own) => own.name === name && own.type === set!.type);
    const isQuoted = set!.type !== 'TXT' || (set!.records ?? []).every(({ content }) => /^"/.test(content));
    if (!isQuoted) return { status: 422, body: { error: 'Data field in DNS should start with quote' } };
    if (new Set((set!.records ?? []).map(({ content }) => content)).size < (set!.records ?? []).length)
      return { status: 422, body: { error: 'Duplicate record in RRset' } };
    // Comments are kept if the request has none.
    const notes = set!.comments ? set!.comments.map(({ content }) => content).join(' ') || null : (before[0]?.comment ?? null);
    for (const record of before) this.drop(record.id);
    for (const { content } of set!.records ?? []) this.keep(null, set!.type, name, content, notes);
    return { status: 204, body: undefined };
  }
}
