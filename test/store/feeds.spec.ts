import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreItem, StoreVersion } from '../../src/store/index.js';
import { submit, submitVersion } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

let store: TestStore;
let alice: StoreClient;
let admin: StoreClient;
let id: number;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  alice = await store.member('Alice');
  admin = await store.member('Root', 'admin');
  id = Number((await submit(alice, 'fed')).data.id);
  await approve();
  await submitVersion(alice, id, 'fed', '1.1.0');
  await approve();
  await submitVersion(alice, id, 'fed', '1.2.0');
  await submit(alice, 'hidden');
  // Older rows may contain values no form accepts today.
  await store.database.repository(StoreItem).update({ id }, { name: 'A & <b>"\u0001' });
  await store.database.repository(StoreVersion).update({ itemId: id, version: '1.1.0' }, { changelog: ']]> </content><script>&amp;' });
});
afterAll(() => store.close());

const approve = async (): Promise<void> => {
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
};
/** Whether every element is closed and every XML character is escaped. */
function isWellFormed(text: string): boolean {
  const open: string[] = [];
  for (const [, closing, name, single] of text.replace(/^<\?xml[^>]*\?>/, '').matchAll(/<(\/?)([a-z]+)(?:\s[a-z:-]+="[^"<]*")*(\/?)>/g)) {
    if (single) continue;
    if (!closing) open.push(name!);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0 && !/&(?!#\d+;)|\u0001/.test(text) && !/<(?!\/?[a-z]|\?xml)/.test(text);
}
const get = async (path: string) => {
  const answer = await store.visitor().send('GET', path);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

describe('feeds', () => {
  it.each(['/feeds/versions.atom', '/items/:id/feed.atom'])(
    '%s is well-formed Atom of published items, whatever names contain',
    async (path) => {
      const { type, text } = await get(path.replace(':id', String(id)));
      expect(type).toBe('application/atom+xml; charset=utf-8');
      expect(isWellFormed(text)).toBe(true);
      expect([...text.matchAll(/<entry>.*?<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
        'A &#38; &#60;b&#62;&#34; 1.1.0',
        'A &#38; &#60;b&#62;&#34; 1.0.0',
      ]);
      expect(text).not.toContain('<script>');
    },
  );

  it.each(['/feeds/versions.json', '/items/:id/feed.json'])('%s has the same content as JSON Feed', async (path) => {
    const { type, text } = await get(path.replace(':id', String(id)));
    expect(type).toBe('application/feed+json; charset=utf-8');
    const feed = JSON.parse(text) as { version: string; items: { url: string; content_text: string }[] };
    expect(feed.items.map(({ url }) => url)).toEqual(Array(2).fill(`${store.url}/store/plugin/fed`));
  });
});

describe('a followed feed', () => {
  it.each(['/feeds/versions.atom', '/feeds/versions.json', '/items/:id/feed.json', '/items/:id/badges/version.svg'])(
    '%s is not sent again to clients that have it, whatever a proxy did to their tag',
    async (path) => {
      const ask = (known: string) => store.visitor().send('GET', path.replace(':id', String(id)), { headers: { 'if-none-match': known } });
      const { status, headers } = await ask('"other"');
      expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        200,
        'public, max-age=300',
        'nosniff',
      ]);
      const tag = headers.get('etag')!.replace(/^W\//, '');
      for (const known of [headers.get('etag')!, tag, `W/${tag}`, `"other", W/${tag}`, '*']) {
        const again = await ask(known);
        expect([known, again.status, await again.text(), again.headers.get('cache-control')]).toEqual([
          known,
          304,
          '',
          'public, max-age=300',
        ]);
      }
    },
  );
});

describe('badges', () => {
  it('show version, downloads and rating in the requested language, and run nothing', async () => {
    const badge = async (name: string) => get(`/items/${id}/badges/${name}`);
    const { type, text } = await badge('version.svg?lang=en');
    expect([type, isWellFormed(text)]).toEqual(['image/svg+xml; charset=utf-8', true]);
    expect(text).toContain('aria-label="version: 1.1.0"');
    expect((await badge('rating.svg?lang=zh-CN')).text).toContain('评分: –');
    expect((await badge('downloads.svg')).status).toBe(200);
    expect([(await badge('x.svg')).status, (await badge('version.svg?lang=xx')).status]).toEqual([404, 400]);
    expect((await get('/items/2000000/badges/version.svg')).status).toBe(404);
  });
});
