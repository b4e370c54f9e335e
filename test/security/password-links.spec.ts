import { hash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { ResetLinks } from '../../src/account/reset-links.js';
import { PasswordHasher } from '../../src/auth/index.js';
import { Clock, HOUR_MS } from '../../src/common/index.js';
import { Secrets } from '../../src/config/index.js';
import { Customer } from '../../src/customers/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { StoreUser } from '../../src/store/index.js';
import { PasswordLinks } from '../../src/store/accounts/password-links.js';
import { TestPanel } from '../support/panel.js';
import { StoreClient } from '../support/store.js';

/** The first account of every side, with the same hash of the same password: only the purpose of a link tells them apart. */
const ID = 1;
let panel: TestPanel;
let passwordHash: string;

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,store,worker' });
  await panel.enable('accounts');
  await panel.signInUser('owner01', 'secret-pass-1');
  await panel.admin('addyh', { username: 'owner01', pass: 'secret-pass-1' });
  passwordHash = await panel.get(PasswordHasher).hash('secret-pass-1');
});
afterAll(() => panel?.close());
beforeEach(async () => {
  for (const { row } of Object.values(SIDES)) expect((await row().update({ id: ID }, { passwordHash })).affected).toBe(1);
});

const tokenOf = (url: string): string => new URL(url).searchParams.get('t')!;

/** Each side: its rows, a new link, an attempt to use one, and the token an earlier version made. */
const SIDES = {
  user: {
    row: () => panel.get(Database).repository(HostingAccount),
    link: async () => tokenOf(panel.get(ResetLinks).make({ id: ID, username: 'owner01', passwordHash })),
    use: async (token: string) => {
      const body = new URLSearchParams({ gn: 'zhmmcz', token, pass: 'another-pass-2' });
      const answer = (await (await panel.fetch('/user/ajax.php', { method: 'POST', body })).json()) as { success: boolean };
      return answer.success;
    },
    earlier: ['account.reset_link', { id: ID, username: 'owner01' }],
  },
  customer: {
    row: () => panel.get(Database).repository(Customer),
    link: async () => tokenOf(((await panel.admin('yhczmm', { id: String(ID) })).data as { url: string }).url),
    use: async (t: string) => {
      const body = new URLSearchParams({ t, password: 'another-pass-2', password2: 'another-pass-2' });
      return (await panel.fetch('/account/reset', { method: 'POST', body })).status === 200;
    },
    earlier: ['customers.link', { to: 'reset', id: ID }],
  },
  store: {
    row: () => panel.get(Database).repository(StoreUser),
    link: async () => tokenOf((await panel.get(PasswordLinks).make(ID)).link),
    use: async (token: string) =>
      (await new StoreClient(panel.url).call('PUT', '/auth/password-reset', { token, newPassword: 'another-pass-2' })).status === 200,
    earlier: ['store.password_link', { id: ID }],
  },
} as const;
type Side = keyof typeof SIDES;
const NAMES = Object.keys(SIDES) as Side[];

const hashes = () => Promise.all(NAMES.map(async (side) => (await SIDES[side].row().findOneByOrFail({ id: ID })).passwordHash));

describe.each(NAMES)('a link that sets a new password: %s', (side) => {
  const { row, link, use, earlier } = SIDES[side];

  it('does not open on another side, although account and password are the same', async () => {
    const token = await link();
    for (const other of NAMES.filter((name) => name !== side)) expect([other, await SIDES[other].use(token)]).toEqual([other, false]);
    expect(await hashes()).toEqual([passwordHash, passwordHash, passwordHash]);
  });

  it('works once, and changes nothing on the other sides', async () => {
    const token = await link();
    expect(await use(token)).toBe(true);
    expect((await hashes()).filter((present) => present === passwordHash)).toHaveLength(2);
    expect(await use(token)).toBe(false);
  });

  it('works once when it is used several times at once', async () => {
    const token = await link();
    const used = await Promise.all([1, 2, 3, 4].map(() => use(token)));
    expect(used.filter(Boolean)).toEqual([true]);
  });

  it('ends after an hour', async () => {
    const token = await link();
    const later = new Date(Date.now() + HOUR_MS + 1_000);
    const now = vi.spyOn(Clock.prototype, 'now').mockImplementation(() => later);
    const late = await use(token);
    now.mockRestore();
    expect(late).toBe(false);
    expect(await use(token)).toBe(true);
  });

  it('ends when the password is changed in another way', async () => {
    const token = await link();
    await row().update({ id: ID }, { passwordHash: await panel.get(PasswordHasher).hash('secret-pass-1') });
    expect(await use(token)).toBe(false);
  });

  it('remains valid if an earlier version made it', async () => {
    const [place, content] = earlier;
    const sealed = (until: number): string =>
      panel.get(Secrets).sealToken(JSON.stringify({ ...content, password: hash('sha256', passwordHash, 'base64url'), until }), place);
    expect(await use(sealed(Date.now() - 1))).toBe(false);
    expect(await use(sealed(Date.now() + HOUR_MS))).toBe(true);
  });
});
