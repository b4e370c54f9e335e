import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { serveHttp, type LoopbackServer } from '../../../test/support/loopback-server.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { AppConfig } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { DomainExpiry, type MonitorTask } from '../entities/index.js';

import { ASKED_EVERY_MS, DomainExpiryCheck, MAX_FAILED_QUERIES, registeredPart } from './domain-expiry-check.js';
import { MonitorProbe } from './monitor-probe.js';
import { Rdap, expiryOf } from './rdap.js';

const DAY = 86_400_000;
const config = new AppConfig({ MONITOR_ALLOW: '127.0.0.1' });

let database: Database;
let dispose: () => Promise<void>;
let registry: LoopbackServer;
let clock: ManualClock;
let asked: string[];
/** What the registry answers: a status and a body, or a place to go on to. */
let answer: { status: number; body?: string; location?: string };
let list: string;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
  registry = await serveHttp((request, response) => {
    if (request.url === '/dns.json') return void response.end(list);
    asked.push(request.url!);
    const { status, body, location } = request.url === '/elsewhere' ? { ...answer, status: 200, location: undefined } : answer;
    response.writeHead(status, location ? { location } : {}).end(body);
  });
});
afterAll(async () => {
  await registry.close();
  await dispose();
});
beforeEach(async () => {
  await database.repository(DomainExpiry).createQueryBuilder().delete().execute();
  clock = new ManualClock();
  asked = [];
  const server = `http://127.0.0.1:${registry.port}/rdap/`;
  // As RFC 9224 has it.
  list = JSON.stringify({
    version: '1.0',
    services: [
      [['COM', 'uk'], [server]],
      [[], []],
      [['org'], ['http://10.0.0.1/']],
    ],
  });
});

const inDays = (days: number): string => new Date(clock.now().getTime() + days * DAY).toISOString();
/** As Verisign and most others answer. Source: RFC 9083, 5.3. */
const registered = (until: string) => ({
  status: 200,
  body: JSON.stringify({
    objectClassName: 'domain',
    ldhName: 'EXAMPLE.COM',
    events: [
      { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
      { eventAction: 'expiration', eventDate: until },
      { eventAction: 'last update of RDAP database', eventDate: '2027-01-01T00:00:00Z' },
    ],
  }),
});
function newCheck(): DomainExpiryCheck {
  const rdap = new Rdap(new MonitorProbe(config), clock);
  rdap.listUrl = `http://127.0.0.1:${registry.port}/dns.json`;
  return new DomainExpiryCheck(database, clock, rdap);
}
const look = (check: DomainExpiryCheck, url = 'www.example.com', warnDays = 30) => check.check({ url, warnDays } as MonitorTask);
const later = () => clock.advance(ASKED_EVERY_MS);

describe('a domain', () => {
  it('is queried by its registered name at its registry, at most twice a day for all monitors', async () => {
    answer = registered(inDays(100.5));
    const one = newCheck();
    expect(await look(one)).toMatchObject({ ok: true, code: 100 });
    const others = await Promise.all([look(one, 'example.com'), look(newCheck()), look(one, 'a.b.example.com')]);
    expect(others.every((found) => found?.ok)).toBe(true);
    expect(asked).toEqual(['/rdap/domain/example.com']);
    await look(one, 'shop.example.co.uk');
    expect(asked.at(-1)).toBe('/rdap/domain/example.co.uk');
    later();
    await Promise.all([look(one), look(newCheck())]);
    expect(asked).toHaveLength(3);
  });

  it('fails if it expires soon, has expired or is not registered', async () => {
    const check = newCheck();
    answer = registered(inDays(29.5));
    expect(await look(check)).toMatchObject({ ok: false, code: 29, error: { key: 'monitor.problem.domain_soon', params: { days: 29 } } });
    expect(await look(check, 'example.com', 10)).toMatchObject({ ok: true });
    later();
    answer = registered(inDays(-1));
    expect(await look(check)).toMatchObject({ ok: false, code: -1, error: { key: 'monitor.problem.domain_over' } });
    later();
    answer = { status: 404 };
    const gone = await look(check);
    expect(gone).toMatchObject({ ok: false, error: { key: 'monitor.problem.domain_unregistered' } });
    expect(gone).not.toHaveProperty('unknown');
  });

  it('keeps the known date if the registry does not respond, and is reported as unknown after some time', async () => {
    const check = newCheck();
    answer = registered(inDays(100));
    await look(check);
    for (const [n, wrong] of [{ status: 500 }, { status: 429 }, { status: 200, body: '<html>' }].entries()) {
      later();
      answer = wrong;
      expect(await look(check), String(n)).toMatchObject({ ok: true });
    }
    later();
    answer = { status: 302, location: 'http://10.0.0.1/' };
    expect(await look(check)).toMatchObject({
      unknown: 'told',
      error: { key: 'monitor.problem.domain_silent_since', params: { n: MAX_FAILED_QUERIES, reason: { key: 'monitor.problem.internal' } } },
    });
    later();
    answer = { ...registered(inDays(400)), status: 302, location: '/elsewhere' };
    expect(await look(check)).toMatchObject({ ok: true, code: 400 });
  });

  it('is not reported as expired while the registry is unreachable', async () => {
    const check = newCheck();
    answer = registered(inDays(0.4));
    expect(await look(check)).toMatchObject({ ok: false });
    later();
    answer = { status: 503 };
    expect(await look(check)).toMatchObject({ unknown: 'quiet' });
  });

  it('is neither up nor down if there is no data, and the reason is reported', async () => {
    const check = newCheck();
    answer = { status: 503 };
    expect(await look(check)).toMatchObject({ unknown: 'quiet', error: { key: 'monitor.problem.domain_silent' } });
    expect(await look(check, 'example.cn')).toMatchObject({
      unknown: 'told',
      error: { key: 'monitor.problem.no_rdap', params: { tld: 'cn' } },
    });
    expect(await look(check, 'example.org')).toMatchObject({ error: { params: { reason: { key: 'monitor.problem.internal' } } } });
    answer = { status: 200, body: '{"events":[]}' };
    expect(await look(check, 'nodate.com')).toMatchObject({ unknown: 'told', error: { key: 'monitor.problem.domain_no_date' } });
    list = '{"services":"none"}';
    expect(await look(newCheck(), 'other.com')).toMatchObject({ error: { params: { reason: { key: 'monitor.problem.rdap_list' } } } });
  });
});

describe('a registry response', () => {
  const at = (...events: unknown[]) => expiryOf({ events })?.toISOString();

  it('contains the expiry date in many formats', () => {
    const end = (eventDate: unknown, eventAction: unknown = 'expiration') => ({ eventAction, eventDate });
    expect(at(end('2028-03-01T00:00:00Z'))).toBe('2028-03-01T00:00:00.000Z');
    expect(at(end('2028-03-01T08:00:00.5+08:00', 'Expiration '))).toBe('2028-03-01T00:00:00.500Z');
    expect(at(end('2028-03-01T08:00:00+0800'))).toBe('2028-03-01T00:00:00.000Z');
    expect(at(end('2028-03-01 00:00:00'))).toBe('2028-03-01T00:00:00.000Z');
    expect(at(end('2028-03-01'))).toBe('2028-03-01T00:00:00.000Z');
    expect(at(end('2027-03-01'), end('2028-03-01'))).toBe('2028-03-01T00:00:00.000Z');
    expect(at(end('2029-03-01', 'registrar expiration'), end('2028-03-01'))).toBe('2028-03-01T00:00:00.000Z');
    expect(at(end('soon'), end('2029-03-01', 'registrar expiration'))).toBe('2029-03-01T00:00:00.000Z');
    expect(at(end('2028-13-41'), end(7), end(null), null, 'expiration')).toBeUndefined();
  });

  it('may contain anything', () => {
    fc.assert(fc.property(fc.jsonValue(), (events) => void expiryOf({ events })));
    fc.assert(
      fc.property(fc.array(fc.record({ eventAction: fc.constant('expiration'), eventDate: fc.jsonValue() })), (all) => void at(...all)),
    );
  });
});

it('the registered part is determined by the public suffix list', () => {
  expect(registeredPart('www.example.co.uk')).toBe('example.co.uk');
  expect(registeredPart('a.b.example.com.cn')).toBe('example.com.cn');
  expect(registeredPart('me.github.io')).toBe('github.io');
  for (const name of ['com', 'co.uk', '10.0.0.1', 'localhost']) expect(registeredPart(name), name).toBeNull();
});
