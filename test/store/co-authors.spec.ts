import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { submit, submitVersion } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { tidyHtml } from '../support/tidy-html.js';

let store: TestStore;
let alice: StoreClient;
let bob: StoreClient;
let eve: StoreClient;
let admin: StoreClient;
let id: number;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  [alice, bob, eve] = [await store.member('Alice'), await store.member('Bob'), await store.member('Eve')];
  admin = await store.member('Root', 'admin');
  id = Number((await submit(alice, 'shared')).data.id);
  await approve();
});
afterAll(() => store.close());

const approve = async (): Promise<void> => {
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
};
const invite = (client: StoreClient, username: string) => client.call('PUT', `/developer/items/${id}/authors`, { username });
const accept = (client: StoreClient) => client.call('POST', `/developer/items/${id}/authors/accept`);
const offer = (client: StoreClient, to: StoreClient) => client.call('POST', `/developer/items/${id}/transfer`, { user_id: to.userId });
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

describe('co-authors', () => {
  it('are invited by the author, have no rights before they accept, and publish afterwards', async () => {
    expect(await statusOf(invite(eve, 'Eve'))).toBe(403);
    expect([await statusOf(invite(alice, 'nobody')), await statusOf(invite(alice, 'Alice'))]).toEqual([404, 400]);
    expect([await statusOf(invite(alice, 'BOB')), await statusOf(invite(alice, 'bob'))]).toEqual([200, 200]);
    // Accents do not change a name, as at sign-in.
    expect(await statusOf(invite(alice, ' Bób '))).toBe(200);
    expect((await bob.get<object[]>('/developer/invitations')).data).toMatchObject([{ item_id: id, kind: 'co_author' }]);
    expect(await statusOf(bob.get(`/developer/items/${id}`))).toBe(403);
    expect(await statusOf(submitVersion(bob, id, 'shared', '1.1.0'))).toBe(403);
    expect([await statusOf(accept(eve)), await statusOf(accept(bob)), await statusOf(accept(bob))]).toEqual([404, 200, 404]);
    expect(await statusOf(submitVersion(bob, id, 'shared', '1.1.0'))).toBe(200);
    // Its own, and not public yet: a co-author sees it, others do not.
    expect([
      (await bob.send('GET', `/items/${id}/versions/1.1.0/download`)).status,
      (await eve.send('GET', `/items/${id}/versions/1.1.0/download`)).status,
    ]).toEqual([200, 404]);
    await approve();
    expect((await bob.get<{ items: { id: number }[] }>('/developer/items')).data.items.map((item) => item.id)).toEqual([id]);
    expect((await store.visitor().get<{ author_name: string }>(`/items/${id}`)).data.author_name).toBe('Alice');
    expect(await statusOf(bob.call('PUT', `/items/${id}/rating`, { stars: 5 }))).toBe(403);
  });

  it('cannot invite or transfer; whoever leaves or is removed loses all rights', async () => {
    expect([await statusOf(invite(bob, 'Eve')), await statusOf(offer(bob, bob))]).toEqual([403, 403]);
    expect(await statusOf(offer(alice, eve))).toBe(404);
    expect(await statusOf(bob.call('DELETE', `/developer/items/${id}/authors/me`))).toBe(200);
    expect(await statusOf(bob.get(`/developer/items/${id}`))).toBe(403);
    await invite(alice, 'Eve');
    await accept(eve);
    expect(await statusOf(eve.get(`/developer/items/${id}`))).toBe(200);
    expect(await statusOf(alice.call('POST', `/developer/items/${id}/authors/remove`, { user_id: eve.userId }))).toBe(200);
    expect([await statusOf(eve.get(`/developer/items/${id}`)), await statusOf(accept(eve))]).toEqual([403, 404]);
  });

  it('take over an item once, with its slug, when it is offered and they accept; the previous author stays as co-author', async () => {
    await invite(alice, 'Bob');
    await accept(bob);
    expect(await statusOf(accept(bob))).toBe(404);
    expect(await statusOf(offer(alice, bob))).toBe(200);
    expect((await bob.get<object[]>('/developer/invitations')).data).toMatchObject([{ kind: 'transfer' }]);
    const both = await Promise.all([accept(bob), accept(bob)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await store.visitor().get<{ author_name: string }>(`/items/${id}`)).data.author_name).toBe('Bob');
    expect((await bob.get<object[]>(`/developer/items/${id}/authors`)).data).toMatchObject([{ username: 'Alice', accepted: true }]);
    expect(await statusOf(submitVersion(alice, id, 'shared', '1.2.0'))).toBe(200);
    expect(await statusOf(invite(alice, 'Eve'))).toBe(403);
    await approve();
    await admin.call('DELETE', `/admin/items/${id}`);
    expect([
      await statusOf(submit(alice, 'shared', { version: '2.0.0' })),
      await statusOf(submit(bob, 'shared', { version: '2.0.0' })),
    ]).toEqual([400, 200]);
  });

  it('are shown on their page and invited on another, in lists whose forms need no script', async () => {
    id = Number((await submit(alice, 'together')).data.id);
    await approve();
    await invite(alice, 'Bob');
    const page = async (path: string, client: StoreClient) => {
      const headers = { cookie: client.cookie, 'accept-language': 'en' };
      return tidyHtml(await (await fetch(`${store.url}/store/developer/${path}`, { headers })).text());
    };
    const send = async (path: string, client: StoreClient, fields: Record<string, string> = {}) => {
      const init = { method: 'POST', redirect: 'manual', headers: { cookie: client.cookie }, body: new URLSearchParams(fields) } as const;
      return (await fetch(`${store.url}/store/developer/${path}`, init)).status;
    };
    const actionsOf = (html: string): string[] =>
      [...html.matchAll(/<form method="post" action="\/store\/developer\/([^"]+)" hx-post="[^"]+" hx-target="find \[data-problem\]"/g)].map(
        ([, action]) => action!,
      );

    const asked = await page(`items/${id}/authors`, alice);
    expect(asked).toMatch(/<tr data-row="\d+">[^]*Bob[^]*bg-yellow-lt">Invited/);
    expect(asked).toContain('hx-confirm="Remove Bob?"');
    expect(asked).not.toContain(`action="/store/developer/items/${id}/transfer"`);
    const waiting = await page('invitations', bob);
    expect(waiting).toContain('Alice invites you to publish together together.');
    expect(waiting).toContain('hx-confirm="Decline? You will not be a co-author of together."');
    expect(actionsOf(waiting)).toEqual([`invitations/${id}/accept`, `invitations/${id}/decline`]);
    expect(await send(`invitations/${id}/accept`, bob)).toBe(303);
    expect(await page('invitations', bob)).toContain('No invitations');

    const beside = await page(`items/${id}/authors`, alice);
    expect(beside).toContain('hx-confirm="Transfer together to Bob? Once accepted, it belongs to Bob and you become a co-author."');
    expect(actionsOf(beside).slice(0, 2)).toEqual([`items/${id}/transfer`, `items/${id}/authors/remove`]);
    // A co-author can leave.
    expect(actionsOf(await page(`items/${id}/authors`, bob))).toEqual([`invitations/${id}/decline`]);
    expect(await send(`items/${id}/transfer`, alice, { user_id: String(bob.userId) })).toBe(303);
    expect(await page(`items/${id}/authors`, alice)).toContain('bg-azure-lt">Transfer offered');
    expect(await page('invitations', bob)).toContain('Alice wants to transfer together to you. It belongs to you once you accept.');
    expect(await send(`items/${id}/authors/remove`, alice, { user_id: String(bob.userId) })).toBe(303);
    expect(await page(`items/${id}/authors`, alice)).not.toContain('data-row=');
  });
});
