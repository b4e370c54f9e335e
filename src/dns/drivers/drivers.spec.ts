import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FakeDns } from '../../../test/support/fake-dns.js';
import { OutboundHttp } from '../../common/index.js';
import { DnsProblem } from '../dns-problem.js';

import { aliyunSignature, type DnsCall, type DnsDriver, OWN_DRIVERS, tc3Authorization } from './index.js';

const KINDS = ['cloudflare', 'dnspod', 'tencent', 'aliyun', 'powerdns'] as const;
const NAME = 'shop.names.example.com';
const MARK = 'svc-panel 5f1c';

const callOf = (settings: Record<string, string>): DnsCall => ({
  settings,
  http: new OutboundHttp({ allowCidrs: ['127.0.0.1/32'] }),
  now: new Date('2026-11-24T12:00:00.123Z'),
  signal: new AbortController().signal,
});

describe('an Aliyun signature', () => {
  // Source: help.aliyun.com/document_detail/29819.html and 25492.html
  it.each([
    [
      { Action: 'DescribeDomainRecords', DomainName: 'example.com', SignatureNonce: 'f59ed6a9-83fc-473b-9cc6-99c95df3856e' },
      { Version: '2015-01-09', Timestamp: '2016-03-24T16:41:54Z' },
      'uRpHwaSEt3J+6KQD//svCh/x+pI=',
    ],
    [
      { Action: 'DescribeRegions', SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf' },
      { Version: '2014-05-26', Timestamp: '2016-02-23T12:46:24Z' },
      'OLeaidS1JvxuMvnyHOwuJ+uX5qY=',
    ],
  ])('matches the documentation: %j', (what, when, signature) => {
    const fields = { Format: 'XML', AccessKeyId: 'testid', SignatureMethod: 'HMAC-SHA1', SignatureVersion: '1.0', ...what, ...when };
    expect(aliyunSignature('GET', fields, 'testsecret')).toBe(signature);
  });
});

it('signs Tencent Cloud requests as documented', () => {
  // Source: cloud.tencent.com/document/api/1427/56189
  const request = {
    secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
    secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    service: 'cvm',
    host: 'cvm.tencentcloudapi.com',
    contentType: 'application/json; charset=utf-8',
    payload: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
    timestamp: 1551113065,
  };
  const signature = '72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168';
  const credential = 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request';
  expect(tc3Authorization(request)).toBe(
    `TC3-HMAC-SHA256 Credential=${credential}, SignedHeaders=content-type;host, Signature=${signature}`,
  );
});

describe.each(KINDS)('%s', (kind) => {
  let fake: FakeDns;
  let driver: DnsDriver;
  let call: DnsCall;
  const hasMarks = kind === 'cloudflare' || kind === 'tencent' || kind === 'powerdns';

  beforeEach(async () => {
    fake = await FakeDns.start(kind, ['example.com', 'example.com.cn']);
    driver = OWN_DRIVERS.find(({ type }) => type === kind)!;
    call = callOf(fake.settings);
  });
  afterEach(() => fake.close());

  const zone = async () => (await driver.zones(call, 'example.com'))[0]!;
  const problem = async (work: Promise<unknown>): Promise<DnsProblem> => {
    const thrown = await work.then(
      () => null,
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(DnsProblem);
    return thrown as DnsProblem;
  };

  it('finds a zone by its exact name and lists zones', async () => {
    expect((await driver.zones(call, null)).map(({ name }) => name)).toEqual(['example.com', 'example.com.cn']);
    expect((await driver.zones(call, 'example.com')).map(({ name }) => name)).toEqual(['example.com']);
    expect(await driver.zones(call, 'names.example.com')).toEqual([]);
  });

  it.each([
    ['A', '192.0.2.1', '192.0.2.2'],
    ['AAAA', '2001:db8::1', '2001:db8::2'],
    ['CNAME', 'one.example.net', 'two.example.net'],
    ['MX', '10 one.example.net', '20 two.example.net'],
    ['SRV', '10 5 5060 one.example.net', '20 0 5061 two.example.net'],
    ['CAA', '0 issue "one.example.net"', '128 issuewild ";"'],
  ] as const)('creates, changes and removes an %s record, and can repeat each step', async (type, first, second) => {
    const wanted = { id: null, type, name: NAME, value: first, ttl: 600, mark: MARK };
    const id = await driver.put(call, await zone(), wanted);
    const [made] = await driver.records(call, await zone(), NAME);
    expect(made).toMatchObject({ id, type, name: NAME, ...(hasMarks ? { mark: MARK } : {}) });
    expect(made!.value.replace(/\.$/, '')).toBe(first);
    expect(fake.of(NAME)).toEqual([`${type} ${first}`]);
    await driver.put(call, await zone(), { ...wanted, id, value: second });
    expect(fake.of(NAME)).toEqual([`${type} ${second}`]);
    const [changed] = await driver.records(call, await zone(), NAME);
    await driver.remove(call, await zone(), changed!);
    await driver.remove(call, await zone(), changed!);
    expect(await driver.records(call, await zone(), NAME)).toEqual([]);
  });

  it('finds a zone with an internationalized name', async () => {
    fake.zones.push(kind === 'powerdns' ? 'xn--czrs0t.example' : '商店.example');
    expect(await driver.zones(call, null)).toContainEqual(expect.objectContaining({ name: 'xn--czrs0t.example' }));
  });

  it('lists all records of a name and no others', async () => {
    fake.add('A', NAME, '192.0.2.9');
    fake.add('TXT', NAME, '"hello"');
    fake.add('A', `x.${NAME}`, '192.0.2.8');
    const found = await driver.records(call, await zone(), NAME);
    expect(found.map(({ type }) => type).sort()).toEqual(['A', 'TXT']);
    expect(found.every(({ name }) => name === NAME)).toBe(true);
  });

  it('passes on the provider message and detects wrong credentials', async () => {
    fake.add('A', NAME, '192.0.2.9');
    const wanted = { id: null, type: 'CNAME', name: NAME, value: 'one.example.net', ttl: 600, mark: MARK } as const;
    const refused = await problem(driver.put(call, await zone(), wanted));
    expect(refused).toMatchObject({ code: 'refused', params: { reply: expect.stringMatching(/CNAME|onflict/) as string } });
    for (const key of Object.keys(fake.settings).filter((name) => /token$|secret|api_key/.test(name))) {
      const wrong = await problem(driver.zones(callOf({ ...fake.settings, [key]: 'wrong' }), null));
      expect(wrong.code).toBe('denied');
      expect(wrong.isOfProvider).toBe(true);
    }
  });

  it.each([
    [429, { 'Retry-After': '120' }, '{}', 'busy', 120],
    [503, { 'Retry-After': '99999999' }, 'x', 'down', 3_600],
    [500, {}, '', 'down', null],
    [200, {}, '<html>Sign in to the hotel</html>', 'unclear', null],
    [200, {}, '', 'unclear', null],
    [200, {}, 'null', 'unclear', null],
    [200, {}, '"done"', 'unclear', null],
    [200, {}, '{"result":1}', 'unclear', null],
    [302, { Location: 'http://127.0.0.1:1/' }, '', 'unclear', null],
    [403, {}, 'Forbidden', 'denied', null],
  ] as const)('explains the response %s %j %j', async (status, headers, body, code, rest) => {
    fake.instead = (_req, res) => {
      res.writeHead(status, headers).end(body);
      return true;
    };
    const { code: told, retryAfter } = await problem(driver.zones(call, 'example.com'));
    expect([told, retryAfter]).toEqual([code, rest]);
  });

  it('gives up on closed or endless connections and calls no internal address that is not allowed', async () => {
    fake.instead = (_req, res) => {
      res.destroy();
      return true;
    };
    expect((await problem(driver.zones(call, null))).code).toBe('unreachable');
    fake.instead = (_req, res) => {
      res.writeHead(200);
      const more = (): void => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
      };
      res.on('drain', more);
      more();
      return true;
    };
    expect((await problem(driver.zones(call, null))).code).toBe('unreachable');
    const before = fake.asked.length;
    expect((await problem(driver.zones({ ...call, http: new OutboundHttp() }, null))).code).toBe('internal');
    expect(fake.asked).toHaveLength(before);
  });
});

it('times out after 15 seconds if the response arrives byte by byte', { timeout: 30_000 }, async () => {
  const fake = await FakeDns.start('cloudflare');
  fake.instead = (_req, res) => {
    res.writeHead(200);
    const drip = setInterval(() => res.write(' '), 200);
    res.on('close', () => clearInterval(drip));
    return true;
  };
  const began = Date.now();
  await expect(OWN_DRIVERS[0]!.zones(callOf(fake.settings), null)).rejects.toMatchObject({ code: 'unreachable' });
  expect(Date.now() - began).toBeLessThan(25_000);
  await fake.close();
});
