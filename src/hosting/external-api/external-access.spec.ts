import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { RateLimit } from '../../auth/index.js';
import type { SiteConfig } from '../../site/entities/index.js';
import { callingKey, CallingKeys, ExternalApi, HostingNode, HostingService, LoginLinks } from '../index.js';
import { NodeChanges } from '../nodes/node-changes.js';

import { MAX_FAILED_KEYS } from './key-attempt-limiter.js';
import { SiteSettings } from '../../site/index.js';

let hosting: TestHosting;
let api: ExternalApi;
let keys: { svc_bh: string; svc_key: string; svc_keye: string; svc_vs: string; username: string };

beforeAll(async () => {
  hosting = await createTestHosting();
  api = hosting.app.get(ExternalApi);
  await hosting.database.repository(HostingNode).update({ code: 'fake1' }, { driver: 'embedded', openKey: 'other-half' });
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  await hosting.database.repository(RateLimit).clear();
  await site({ apiAllow: null, apiOpen: true });
  keys = { svc_bh: 'bh1', svc_key: 'API', svc_keye: callingKey({ openKey: 'kt', signatureKey: 'qm' }), svc_vs: '15', username: 'test' };
});

const site = (values: Partial<SiteConfig>) => hosting.app.get(SiteSettings).change(values);
const call = (gn: string, fields: Record<string, string> = {}, ip = '192.0.2.1') => api.handle(gn, { ...keys, ...fields }, ip);

const keyOf = (node: HostingNode) => hosting.app.get(CallingKeys).of(node);

describe('allow list', () => {
  it('accepts the listed addresses and gives others no information', async () => {
    await site({ apiAllow: '192.0.2.0/24\n2001:db8::/32' });
    expect((await call('cfif')).success).toBe(true);
    expect((await call('cfif', {}, '2001:db8::5')).success).toBe(true);
    expect((await call('cfif', {}, '::ffff:192.0.2.7')).success).toBe(true);
    const refused = await call('cfif', {}, '198.51.100.1');
    expect(refused).toEqual({ success: false, code: 100, msg: '错误！此地址不能调用本接口！请联系管理员。' });
    // Right keys, wrong ones and none get the same words, and no guess is counted.
    const wrong: Record<string, string>[] = [{ svc_key: 'x' }, { svc_keye: 'x' }, { svc_bh: 'nowhere' }, { svc_vs: '1' }, { username: '' }];
    for (const fields of wrong) expect(await call('cfif', fields, '198.51.100.1')).toEqual(refused);
    expect(await call('cfif', {}, '')).toEqual(refused);
    expect(await hosting.database.repository(RateLimit).count()).toBe(0);
    await site({ apiOpen: false });
    expect((await call('cfif', {}, '198.51.100.1')).msg).toMatch(/^错误！APi已关闭/);
  });
});

describe('wrong keys', () => {
  it('count per IPv6 network, and do not affect other callers', async () => {
    for (let tries = 0; tries < MAX_FAILED_KEYS; tries++)
      await call('cfif', { svc_key: `guess-${tries}` }, `2001:db8::${tries.toString(16)}`);
    expect((await call('cfif', {}, '2001:db8::ffff')).msg).toMatch(/密钥错误次数过多，请 10 分钟后再试/);
    expect((await call('cfif', {}, '2001:db8:0:1::1')).success).toBe(true);
    expect((await call('cfif', {}, '192.0.2.1')).success).toBe(true);
  });

  it('in parallel reveal no more than sequential ones', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, tries) => call('cfif', { [tries % 2 ? 'svc_key' : 'svc_keye']: `guess-${tries}` })),
    );
    expect(answers.filter(({ msg }) => !/密钥错误次数过多/.test(msg))).toHaveLength(MAX_FAILED_KEYS);
    expect((await call('cfif')).msg).toMatch(/密钥错误次数过多/);
    await hosting.database.repository(RateLimit).clear();
    expect((await call('cfif')).success).toBe(true);
  });

  it('are not counted for callers with the right key', async () => {
    for (let tries = 0; tries < MAX_FAILED_KEYS + 5; tries++) expect((await call('cfif')).success).toBe(true);
  });
});

describe('new calling key', () => {
  it('is valid in parallel with the old one until that expires or is ended', async () => {
    const changes = hosting.app.get(NodeChanges, { strict: false });
    const nodes = hosting.database.repository(HostingNode);
    const { id } = await nodes.findOneByOrFail({ code: 'bh1' });
    const old = keys.svc_keye;
    const works = async (svc_keye: string) => (await call('cfif', { svc_keye })).success;

    const first = keyOf(await changes.rotateKeys(id, 24));
    expect([await works(old), await works(first)]).toEqual([true, true]);
    await nodes.update({ id }, { previousUntil: new Date(Date.now() - 1) });
    expect([await works(old), await works(first)]).toEqual([false, true]);

    const second = keyOf(await changes.rotateKeys(id, 24));
    expect([await works(old), await works(first), await works(second)]).toEqual([false, true, true]);
    await changes.endOverlap(id);
    expect([await works(first), await works(second)]).toEqual([false, true]);
    await expect(changes.endOverlap(id)).rejects.toMatchObject({ code: 'NO_OVERLAP' });

    const third = keyOf(await changes.rotateKeys(id, 0));
    expect([await works(second), await works(third)]).toEqual([false, true]);
    expect(await works(callingKey({ openKey: '', signatureKey: '' }))).toBe(false);
    await hosting.database.repository(RateLimit).clear();
    await nodes.update({ id }, { openKey: 'kt', signatureKey: 'qm' });
  });

  it('is created only once by concurrent requests', async () => {
    const changes = hosting.app.get(NodeChanges, { strict: false });
    const { id } = await hosting.database.repository(HostingNode).findOneByOrFail({ code: 'fake1' });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => changes.rotateKeys(id, 24)));
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [keyOf(result.value)] : []));
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NODE_CHANGED' });
    // Whoever was told a key has one that works; only a third change after another would end the first.
    const work = await Promise.all(made.map(async (svc_keye) => (await call('cfif', { svc_bh: 'fake1', svc_keye })).success));
    expect(work.filter(Boolean)).toHaveLength(Math.min(made.length, 2));
  });
});

describe('dl', () => {
  it('returns a link only for a host of the node whose key was given', async () => {
    const { id } = await hosting.app
      .get(HostingService)
      .provision({ node: 'bh1', user: 'alice01', password: 'secret-1', expiresOn: null }, 'api');
    const answer = await call('dl', { username: 'ALICE01' });
    expect(answer).toMatchObject({
      success: true,
      code: 200,
      data: { url: expect.stringMatching(/\/user\/dl\.php\?t=[\w-]{43}$/), ttl: 60 },
    });
    const token = String(answer.data!.url).split('t=')[1]!;
    expect(await hosting.app.get(LoginLinks).redeem(token, { ip: '192.0.2.9', userAgent: '' })).toMatchObject({ username: 'alice01' });

    const other = await hosting.database.repository(HostingNode).findOneByOrFail({ code: 'fake1' });
    const missing = { success: false, code: 100, msg: '不存在主机用户名' };
    expect(await call('dl', { svc_bh: 'fake1', svc_keye: keyOf(other), username: 'alice01' })).toEqual(missing);
    expect(await call('dl', { username: 'nobody1' })).toEqual(missing);
    await hosting.app.get(HostingService).pause(id, 'admin', 'admin');
    expect(await call('dl', { username: 'alice01' })).toEqual({ success: false, code: 100, msg: '您已被禁止登录！详细请联系站长QQ10001' });
  });
});
