import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { SessionService } from '../src/auth/index.js';
import { Clock } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { Notice, NoticeStreams, Notices, type NoticeDraft } from '../src/notify/index.js';

import { TestPanel } from './support/panel.js';

/** What a browser receives from a stream. */
class Reader {
  text = '';
  ended = false;

  private constructor(
    readonly response: Response,
    private readonly ending: AbortController,
  ) {
    void this.read();
  }

  static async open(path: string, cookie: string, headers: Record<string, string> = {}): Promise<Reader> {
    const ending = new AbortController();
    const response = await panel.fetch(path, { headers: { Cookie: cookie, 'Accept-Language': 'en', ...headers }, signal: ending.signal });
    return new Reader(response, ending);
  }

  close(): void {
    this.ending.abort();
  }

  /** Events so far, without keep-alives. */
  get events(): { id: number; event: string; data: unknown }[] {
    return [...this.text.matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.+)\n\n/g)].map(([, id, event, data]) => ({
      id: Number(id),
      event: event!,
      data: JSON.parse(data!) as unknown,
    }));
  }

  /** The received titles, in order. */
  get titles(): string[] {
    const news = this.events.filter(({ event }) => event === 'notices').map(({ data }) => data as { notices: { title: string }[] });
    return news.flatMap(({ notices }) => notices.map(({ title }) => title));
  }

  get unread(): number | undefined {
    return (this.events.filter(({ event }) => event === 'notices').at(-1)?.data as { unread: number } | undefined)?.unread;
  }

  private async read(): Promise<void> {
    try {
      for await (const part of this.response.body!) this.text += Buffer.from(part as Uint8Array).toString();
    } catch {
      // Ended by this side.
    }
    this.ended = true;
  }
}

const USER = '/user/notices/events';
let panel: TestPanel;
let cookie: string;
let streams: NoticeStreams;
let opened: Parameters<NoticeStreams['open']>[0][] = [];
let readers: Reader[] = [];
/** The number of listeners that started since {@link watch}. */
const openStreams = () => opened.filter(({ isGone }) => !isGone).length;
/** Records listeners that start from now on. */
function watch(): void {
  streams = panel.get(NoticeStreams);
  opened = [];
  const begin = streams.open.bind(streams);
  streams.open = (stream, after) => {
    opened.push(stream);
    return begin(stream, after);
  };
}
beforeAll(async () => {
  panel = await TestPanel.start();
  cookie = await panel.signInUser('owner01');
  watch();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const reader of readers) reader.close();
  readers = [];
  await expect.poll(openStreams).toBe(0);
  await panel.get(Database).repository(Notice).clear();
});
afterAll(() => panel.close());

const open = async (path = USER, as = cookie, headers: Record<string, string> = {}): Promise<Reader> => {
  const reader = await Reader.open(path, as, headers);
  readers.push(reader);
  return reader;
};
/** The final value; checks immediately, not only at the next interval. */
const soon = <T>(value: () => T) =>
  expect.poll(async () => {
    await streams.poll();
    return value();
  });
/** Open, after the initial state was received. */
const begun = async (...args: Parameters<typeof open>): Promise<Reader> => {
  const reader = await open(...args);
  await expect.poll(() => reader.unread).toBeDefined();
  return reader;
};
const tell = (n: number, over: Partial<NoticeDraft> = {}) =>
  panel.get(Notices).send({
    to: { account: 'owner01' },
    kind: 'monitor',
    level: 'warning',
    key: `stream-${n}`,
    title: { key: 'common.minutes', params: { n } },
    text: { key: 'common.minutes', params: { n } },
    link: '/user/monitors',
    ...over,
  });
const minutes = (...numbers: number[]) => numbers.map((n) => `${n} minutes`);

it('sends an open page new notices and the unread count, each once', async () => {
  await tell(2);
  const reader = await begun();
  expect(reader.response.headers.get('content-type')).toContain('text/event-stream');
  expect(reader.events).toEqual([{ id: 1, event: 'notices', data: { unread: 1, notices: [], more: 0 } }]);
  await tell(3);
  await soon(() => reader.events.at(-1)).toEqual({ id: 2, event: 'changed', data: ['monitor'] });
  const notices = [{ level: 'warning', title: '3 minutes', link: '/user/monitors' }];
  expect(reader.events.at(-2)).toEqual({ id: 2, event: 'notices', data: { unread: 2, notices, more: 0 } });
  await tell(4, { to: 'administrators' });
  await tell(5);
  await soon(() => reader.titles).toEqual(minutes(3, 5));
  await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'notice_read' }), headers: { Cookie: cookie } });
  await soon(() => reader.unread).toBe(0);
});

it('continues after an interruption: nothing is lost or sent twice', async () => {
  const first = await begun();
  await tell(2);
  await soon(() => first.titles).toEqual(minutes(2));
  first.close();
  await tell(3);
  const { id } = first.events.at(-1)!;
  const second = await begun(USER, cookie, { 'Last-Event-ID': String(id) });
  expect(second.titles).toEqual(minutes(3));
  await tell(4);
  await soon(() => second.titles).toEqual(minutes(3, 4));
  // A newly opened page says so in its address; an id of an earlier installation has no effect.
  expect((await begun(`${USER}?after=${id}`)).titles).toEqual(minutes(3, 4));
  expect((await begun(`${USER}?after=999999999`)).titles).toEqual([]);
  expect((await begun(`${USER}?after=${'9'.repeat(99)}`)).titles).toEqual([]);
});

it('sends only the count when there are many', async () => {
  const reader = await begun();
  await panel.get(Database).transaction(async () => {
    for (let n = 2; n < 12; n++) await tell(n);
  });
  await soon(() => reader.events.map(({ data }) => data)).toContainEqual({ unread: 10, notices: [], more: 10 });
});

it('finds notices that a slow transaction wrote with a smaller id', async () => {
  const reader = await begun();
  const row = {
    side: 'user',
    username: 'owner01',
    kind: 'system',
    level: 'info',
    content: '',
    words: null,
    createdAt: new Date(),
  } as const;
  const { id: accountId } = (await panel.get(Database).repository('HostingAccount').findOneByOrFail({})) as { id: number };
  const rows = panel.get(Database).repository(Notice);
  await rows.insert({ ...row, id: 9_000, accountId, title: 'quick', key: 'quick' });
  await soon(() => reader.titles).toEqual(['quick']);
  await rows.insert({ ...row, id: 8_000, accountId, title: 'slow', key: 'slow' });
  await soon(() => reader.titles).toEqual(['quick', 'slow']);
  expect(reader.events.at(-1)!.id).toBe(9_000);
});

it('sends administrators changes of all recipients', async () => {
  const reader = await begun('/admin/notices/events', panel.adminCookie);
  await tell(2);
  await soon(() => reader.events.at(-1)).toMatchObject({ event: 'changed', data: ['monitor'] });
  expect(reader.titles).toEqual([]);
});

it('closes the oldest of more than three per session', async () => {
  const all = [await begun(), await begun(), await begun(), await begun()];
  await soon(() => all.map(({ ended }) => ended)).toEqual([true, false, false, false]);
  expect(all[0]!.events.at(-1)).toMatchObject({ event: 'over' });
  expect(openStreams()).toBe(3);
});

it('closes with the session, however it ended, and keeps the connection alive with heartbeats', async () => {
  const own = await panel.signInUser('owner01');
  const reader = await begun(USER, own);
  const other = await begun();
  await panel.get(SessionService).end(own.split('=')[1]!);
  const later = new Date(Date.now() + 31_000);
  vi.spyOn(Clock.prototype, 'now').mockReturnValue(later);
  await soon(() => reader.ended).toBe(true);
  expect(reader.events.at(-1)).toMatchObject({ event: 'over' });
  await soon(() => other.text).toContain(':\n\n');
  expect(other.ended).toBe(false);
});

it('is denied to strangers, the other side and programs', async () => {
  const { secret } = (await panel.admin('addmy', { name: 'program', qx: '*' })).data as { secret: string };
  expect(secret).toMatch(/^svck_/);
  for (const [path, headers] of [
    [USER, {}],
    [USER, { Cookie: panel.adminCookie }],
    ['/admin/notices/events', { Cookie: cookie }],
    ['/admin/notices/events', { Authorization: `Bearer ${secret}` }],
  ] as const)
    expect((await panel.fetch(path, { headers })).status).toBe(204);
  expect(openStreams()).toBe(0);
});

it('does not delay a shutdown', async () => {
  const reader = await begun();
  await panel.restart();
  expect(reader.ended).toBe(true);
  watch();
});
