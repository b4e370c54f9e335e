import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { RateLimit, Session, SessionService } from '../../auth/index.js';
import { HostingAccount, HostingService, LoginLink, LoginLinks } from '../index.js';

let hosting: TestHosting;
let links: LoginLinks;
let service: HostingService;
let id: number;
const visitor = { ip: '192.0.2.1', userAgent: 'test' };

beforeAll(async () => {
  hosting = await createTestHosting();
  links = hosting.app.get(LoginLinks);
  service = hosting.app.get(HostingService);
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  for (const entity of [HostingAccount, Session, RateLimit])
    await hosting.database.repository<object>(entity).createQueryBuilder().delete().execute();
  id = (await service.provision({ node: 'bh1', user: 'alice01', password: 'secret-1', expiresOn: null }, 'admin')).id;
});

const rows = () => hosting.database.repository(LoginLink);
async function issue(account = id): Promise<string> {
  const { url, ttl } = await links.issue(account);
  expect(ttl).toBe(60);
  return /^http:\/\/127\.0\.0\.1:\d+\/user\/dl\.php\?t=([\w-]{43})$/.exec(url)![1]!;
}
const redeem = (token: string) => links.redeem(token, visitor);

describe('login link', () => {
  it('signs its host in once', async () => {
    const token = await issue();
    const redeemed = await redeem(token);
    expect(redeemed).toMatchObject({ username: 'alice01' });
    expect(await hosting.app.get(SessionService).resolve('user', redeemed!.token)).toMatchObject({ subjectId: id, username: 'alice01' });
    expect(await redeem(token)).toBeNull();
    expect(await rows().count()).toBe(0);
  });

  it('opens one session when used ten times concurrently', async () => {
    const token = await issue();
    const results = await Promise.all(Array.from({ length: 10 }, () => redeem(token)));
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    expect(await hosting.database.repository(Session).count()).toBe(1);
  });

  it('is stored as a hash', async () => {
    const token = await issue();
    const [row] = await rows().find();
    expect(row!.tokenHash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(await redeem(row!.tokenHash)).toBeNull();
    expect(JSON.stringify(await rows().find())).not.toContain(token);
  });

  it('expires, and is then removed while others stay', async () => {
    const [old, fresh] = [await issue(), await issue()];
    const hash = createHash('sha256').update(old).digest('hex');
    const { expiresAt } = await rows().findOneByOrFail({ tokenHash: hash });
    expect(Math.abs(expiresAt.getTime() - Date.now() - 60_000)).toBeLessThan(30_000);
    await rows().update({ tokenHash: hash }, { expiresAt: new Date(Date.now() - 1) });
    expect(await redeem(old)).toBeNull();
    expect(await rows().count()).toBe(2);
    await links.removeExpired();
    expect(await rows().count()).toBe(1);
    expect(await redeem(fresh)).not.toBeNull();
  });

  it.each([
    ['a pause', () => service.pause(id, 'admin', 'admin')],
    ['a new password', () => service.changePassword(id, 'secret-2')],
    ['a deletion', () => service.terminate(id, 'admin')],
  ])('is revoked by %s', async (_name, change) => {
    const token = await issue();
    await change();
    expect(await rows().count()).toBe(0);
    expect(await redeem(token)).toBeNull();
    expect(await hosting.database.repository(Session).count()).toBe(0);
  });

  it('is invalid after a pause even if that ended, but still works for an expired host', async () => {
    const token = await issue();
    await service.pause(id, 'admin', 'admin');
    await service.unpause(id, 'admin', 'admin');
    expect(await redeem(token)).toBeNull();
    const second = await issue();
    await service.renew(id, '2020-01-01', 'admin');
    expect(await redeem(second)).not.toBeNull();
  });

  it('opens no session if the host is paused at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const token = await issue();
      const [redeemed] = await Promise.all([redeem(token), service.pause(id, 'admin', 'admin')]);
      await service.unpause(id, 'admin', 'admin');
      expect(await hosting.database.repository(Session).count()).toBe(0);
      if (redeemed) expect(await hosting.app.get(SessionService).resolve('user', redeemed.token)).toBeNull();
    }
  });

  it('is issued only for hosts that may sign in', async () => {
    await expect(links.issue(999)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    await service.renew(id, '2020-01-01', 'admin');
    expect(await links.issue(id)).toMatchObject({ ttl: 60 });
    await service.renew(id, null, 'admin');
    await service.pause(id, 'admin', 'admin');
    await expect(links.issue(id)).rejects.toMatchObject({ shape: { text: 'hosting.login_paused' }, params: { contact: 'QQ10001' } });
  });

  it('is rate-limited', async () => {
    const results = await Promise.allSettled(Array.from({ length: 35 }, () => links.issue(id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'RATE_LIMITED' } });
  });

  it.each(['', 'x', '../../etc/passwd', "' OR '1'='1", 'a'.repeat(43), 'a'.repeat(10_000), '\u0000'.repeat(43)])(
    'rejects the token %j',
    async (token) => {
      await issue();
      expect(await redeem(token)).toBeNull();
      expect(await rows().count()).toBe(1);
    },
  );
});
