import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { logLine, logTime, anonymized } from '../embedded/logs/log-line.js';

import { readLogLine } from './log-entry.js';
import { TallyCounter } from './tally.js';
import { mergeLists, type TopList } from './top-list.js';
import { visitorKind } from './visitor-kinds.js';
import { VisitorSketch } from './visitor-sketch.js';

const ZONE = 'Asia/Shanghai';
const visit = {
  address: '203.0.113.9',
  time: '23/Nov/2026:16:05:09 +0800',
  method: 'GET',
  url: '/shop/?page=2',
  httpVersion: '1.1',
  status: 200,
  bytes: 1234,
  referrer: 'https://www.example.net/a',
  agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0',
};

describe('log line', () => {
  it('has the combined format, and can be parsed again', () => {
    expect(logLine(visit)).toBe(
      '203.0.113.9 - - [23/Nov/2026:16:05:09 +0800] "GET /shop/?page=2 HTTP/1.1" 200 1234 ' +
        '"https://www.example.net/a" "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0"\n',
    );
    expect(readLogLine(logLine(visit).trimEnd(), ZONE)).toEqual({
      address: '203.0.113.9',
      time: '2026-11-23T16:05:09',
      method: 'GET',
      url: '/shop/?page=2',
      status: 200,
      bytes: 1234,
      referrer: 'https://www.example.net/a',
      agent: visit.agent,
    });
  });

  it('stays one line with intact quotes, whatever a visitor sends', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((sent) => !sent.includes(' '));
    fc.assert(
      fc.property(text, text, text, (url, referrer, agent) => {
        const line = logLine({ ...visit, url: `/${url}`, referrer, agent });
        expect(line).toMatch(/^[ -~]+\n$/);
        expect(readLogLine(line.trimEnd(), ZONE)).toMatchObject({ address: visit.address, status: 200, bytes: 1234 });
      }),
    );
    const forged = logLine({ ...visit, agent: 'x"\n127.0.0.1 - - [23/Nov/2026:16:05:09 +0800] "GET /fake HTTP/1.1" 200 1 "-" "-"' });
    expect(forged.split('\n')).toHaveLength(2);
    expect(forged).toContain('x\\x22\\x0A127.0.0.1');
  });

  it('has a limited length, however much is sent', () => {
    const much = '"'.repeat(100_000);
    expect(logLine({ ...visit, url: much, referrer: much, agent: much }).length).toBeLessThan(16_000);
  });

  it('includes the time zone', () => {
    expect(logTime(new Date('2026-11-23T08:05:09Z'), '2026-11-23 16:05:09')).toBe('23/Nov/2026:16:05:09 +0800');
    expect(logTime(new Date('2026-11-23T08:05:09Z'), '2026-11-23 04:35:09')).toBe('23/Nov/2026:04:35:09 -0330');
  });

  it('is parsed in the time zone of the installation, whatever the server’s', () => {
    const timeIn = (time: string, zone: string) => readLogLine(logLine({ ...visit, time }).trimEnd(), zone)?.time;
    expect(timeIn('25/Nov/2026:20:50:40 +0000', ZONE)).toBe('2026-11-26T04:50:40');
    expect(timeIn('01/Jan/2027:00:10:00 +0530', 'America/St_Johns')).toBe('2026-12-31T15:10:00');
    expect(timeIn('28/Mar/2027:00:59:59 +0000', 'Europe/Berlin')).toBe('2027-03-28T01:59:59');
    expect(timeIn('28/Mar/2027:01:00:00 +0000', 'Europe/Berlin')).toBe('2027-03-28T03:00:00');
    expect(timeIn('31/Feb/2027:25:00:00 +0000', ZONE)).toBeUndefined();
  });

  it('can contain the network instead of the address', () => {
    expect(anonymized('203.0.113.77')).toBe('203.0.113.0');
    expect(anonymized('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::');
    expect(anonymized('unknown')).toBe('unknown');
  });

  it.each([
    '',
    '\n',
    'x',
    `${'a'.repeat(100_000)}`,
    '1.2.3.4 - - [99/Foo/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
    '"'.repeat(5_000),
  ])('is skipped if invalid: %#', (line) => expect(readLogLine(line, ZONE)).toBeNull());
});

describe('top list', () => {
  const list = (counts: Record<string, number>): TopList => ({ total: Object.values(counts).reduce((sum, n) => sum + n, 0), counts });

  it('is exact for few names', () => {
    expect(mergeLists([list({ a: 1, b: 2 }), list({ b: 3, __proto__: 1 } as never), list({ c: 9 })], 4)).toEqual({
      total: 15,
      counts: { a: 1, b: 5, c: 9 },
    });
  });

  it('keeps all frequent names in any order, with no count too high', () => {
    const names = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(names, fc.integer({ min: 2, max: 12 }), (seen, most) => {
        let kept: TopList = { total: 0, counts: {} };
        const truth = new Map<string, number>();
        for (const number of seen) {
          const name = `n${number}`;
          truth.set(name, (truth.get(name) ?? 0) + 1);
          kept = mergeLists([kept, { total: 1, counts: { [name]: 1 } }], most);
        }
        expect(kept.total).toBe(seen.length);
        expect(Object.keys(kept.counts).length).toBeLessThanOrEqual(most);
        for (const [name, count] of truth) {
          const found = kept.counts[name] ?? 0;
          expect(found).toBeLessThanOrEqual(count);
          expect(count - found).toBeLessThanOrEqual(seen.length / (most + 1));
        }
      }),
    );
  });
});

describe('visitor sketch', () => {
  const addresses = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `10.${(n + from) >> 16}.${((n + from) >> 8) & 255}.${(n + from) & 255}`);

  it('counts few visitors exactly, and once across merged periods', () => {
    const [one, other] = [VisitorSketch.of(addresses(300)), VisitorSketch.of(addresses(300, 200))];
    expect(one.count).toBe(300);
    expect(VisitorSketch.joined([one, VisitorSketch.read(other.stored)]).count).toBe(500);
    expect(VisitorSketch.read('').count).toBe(0);
  });

  it('estimates many visitors well in the same space', () => {
    const many = VisitorSketch.joined([VisitorSketch.of(addresses(60_000)), VisitorSketch.of(addresses(60_000, 40_000))]);
    expect(Math.abs(many.count - 100_000)).toBeLessThan(15_000);
    expect(many.stored.length).toBeLessThanOrEqual(4_096);
  });
});

describe('tally', () => {
  const counted = (lines: Partial<typeof visit>[]) => {
    const counter = new TallyCounter(new Set(['mine.example.com', '*.wild.example.com']));
    for (const line of lines) counter.add(readLogLine(logLine({ ...visit, ...line }).trimEnd(), ZONE)!);
    return counter;
  };

  it('groups lines by hour, day and month', () => {
    const counter = counted([{}, { time: '23/Nov/2026:17:00:00 +0800' }, { time: '01/Dec/2026:00:00:00 +0800' }]);
    expect([...counter.by(13).keys()]).toEqual(['2026-11-23T16', '2026-11-23T17', '2026-12-01T00']);
    expect([...counter.by(10)].map(([at, { counts }]) => [at, counts.requests])).toEqual([
      ['2026-11-23', 2],
      ['2026-12-01', 1],
    ]);
    expect([...counter.by(7).keys()]).toEqual(['2026-11', '2026-12']);
  });

  it('distinguishes pages from images, people from crawlers, and other sites from the own one', () => {
    const counter = counted([
      { url: '/' },
      { url: '/logo.png', referrer: 'http://mine.example.com/' },
      { url: '/a/b', referrer: 'http://x.wild.example.com/y' },
      { url: '/missing.html', status: 404 },
      { url: '/broken', status: 500 },
      { url: '/', agent: 'Mozilla/5.0 (compatible; Baiduspider/2.0)', address: '198.51.100.1' },
      { method: 'EVIL', url: '/' },
      { url: '/__proto__' },
    ]);
    const { counts, visitors, lists } = counter.by(10).get('2026-11-23')!;
    expect(counts).toMatchObject({ requests: 8, pages: 3, succeeded: 6, refused: 1, failed: 1, bytes: 8 * 1234 });
    expect(visitors.count).toBe(1);
    expect(lists.spider.counts).toEqual({ Baiduspider: 1 });
    expect(lists.error.counts).toEqual({ '404 /missing.html': 1, '500 /broken': 1 });
    expect(lists.method.counts).toEqual({ GET: 7, '-': 1 });
    expect(Object.keys(lists.referrer.counts)).toEqual(['www.example.net/a']);
    expect(Object.keys(lists.page.counts)).toContain('/__proto__');
  });

  it('does not count a certificate authority as a visitor, or its challenge as a page', () => {
    const counter = counted([{}, { url: '/.well-known/acme-challenge/abc', address: '198.51.100.7', agent: 'authority' }]);
    const { counts, visitors, lists } = counter.by(10).get('2026-11-23')!;
    expect([counts.requests, counts.pages, counts.bytes, visitors.count]).toEqual([2, 1, 2 * 1234, 1]);
    expect([Object.keys(lists.page.counts), Object.keys(lists.client.counts)]).toEqual([['/shop/'], ['Firefox']]);
  });

  it('uses no more space for a million addresses than for a hundred', () => {
    const counter = counted(
      Array.from({ length: 5_000 }, (_, n) => ({ url: `/${n}${'x'.repeat(500)}`, address: `10.0.${n >> 8}.${n & 255}` })),
    );
    const { lists } = counter.by(10).get('2026-11-23')!;
    expect(JSON.stringify(lists).length).toBeLessThan(60_000);
    expect(lists.page.total).toBe(5_000);
  });

  it('recognizes clients by their user agent', () => {
    expect(visitorKind('Mozilla/5.0 Chrome/120 Safari/537 Edg/120')).toEqual({ spider: null, client: 'Edge' });
    expect(visitorKind('SomeCrawler')).toMatchObject({ spider: '-' });
    expect(visitorKind('')).toEqual({ spider: null, client: '-' });
  });
});
