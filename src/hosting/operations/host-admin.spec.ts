import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { FakeDriver } from '../../../test/support/fake-driver.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { Clock } from '../../common/index.js';
import { DurableEvent } from '../../hooks/index.js';
import type { Notices } from '../../notify/index.js';
import { OperationLog, type RawReply } from '../../operations/index.js';
import { DriverRegistry, HostingAccount, HostingService } from '../index.js';

import { PauseInput, PauseOperations } from '../holds/pause.operations.js';

import { HostDeleteOperations } from './host-delete.operations.js';
import { HostEditOperations } from './host-edit.operations.js';
import { PartlyDone } from './host-errors.js';
import { EditHostInput } from './host-inputs.js';
import { HostLifeOperations } from './host-life.operations.js';
import { HostRows } from './host-rows.js';
import { PauseNotices } from './pause-notices.js';
import { MAX_IDS } from '../../operations/index.js';
import { readIds } from './id-list.js';

let hosting: TestHosting;
let service: HostingService;
let editing: HostEditOperations;
let life: HostLifeOperations;
let pauses: PauseOperations;
let deleting: HostDeleteOperations;
const driver = new FakeDriver();
const ctx = testCall({ ip: '192.0.2.1', admin: { id: 1, username: 'root' } });

beforeAll(async () => {
  hosting = await createTestHosting();
  hosting.app.get(DriverRegistry).register(driver);
  service = hosting.app.get(HostingService);
  editing = hosting.app.get(HostEditOperations, { strict: false });
  life = hosting.app.get(HostLifeOperations, { strict: false });
  // Nobody is told here; test/reseller-operations.spec.ts has the notices.
  pauses = new PauseOperations(service, hosting.app.get(HostRows, { strict: false }), new PauseNotices({} as Notices, new Clock()));
  deleting = hosting.app.get(HostDeleteOperations, { strict: false });
});
afterAll(() => hosting.dispose());

beforeEach(async () => {
  for (const entity of [HostingAccount, DurableEvent, OperationLog]) {
    await hosting.database.repository<object>(entity).createQueryBuilder().delete().execute();
  }
  driver.sites.clear();
  driver.script = [];
  driver.calls.length = 0;
});

async function open(user = 'alice01', more: object = {}): Promise<number> {
  const { id } = await service.provision(
    { node: 'fake1', user, password: 'secret-1', expiresOn: '2031-01-01', webMb: 100, ...more },
    'admin',
  );
  driver.calls.length = 0;
  return id;
}
const pauseOf = (id: number) => Object.assign(new PauseInput(), { id });
const edit = (id: number, fields: Partial<EditHostInput>) => editing.change(Object.assign(new EditHostInput(), { id }, fields), ctx);
const hooks = async () => (await hosting.events()).map((event) => event.hook);
const logged = () => hosting.database.repository(OperationLog).find({ order: { id: 'ASC' } });

describe('zjsj', () => {
  it('returns a host without its secrets', async () => {
    const { extras } = await editing.read({ id: await open() });
    expect(extras).toMatchObject({ user: 'alice01', datae: '2031-01-01', hxa: '{"max":100,"dq":0}', qk: 'true' });
    expect(JSON.stringify(extras)).not.toMatch(/1-terces|hash\(/);
    await expect(editing.read({ id: 999 })).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });
});

describe('zjxgjl', () => {
  it('changes only given and different values, without other server calls', async () => {
    const id = await open();
    const same = await edit(id, { user: 'ALICE01', webkj: 100, datar: '2031-1-1', kg: true, pass: '', sqlpass: '' });
    expect(same).toMatchObject({ text: 'hosting.changed', extras: { changed: [] } });
    expect(driver.calls).toEqual([]);
    expect(await edit(id, { sqluser: 'db', sqlpass: 'secret-3' })).toMatchObject({
      text: 'hosting.changed_without_database',
      extras: { changed: [] },
    });
    const done = await edit(id, { webkj: 200, llmax: 30 });
    expect(done.extras).toMatchObject({ changed: ['quota'], hxa: '{"max":200,"dq":0}', datae: '2031-01-01' });
    expect(driver.calls).toEqual(['changeQuota']);
    expect([...driver.sites.values()][0]).toMatchObject({ suspended: false, password: 'secret-1', quota: { webMb: 200, trafficGb: 30 } });
  });

  it('sets and clears the owner’s mail address without a server call', async () => {
    const id = await open();
    const { extras } = await edit(id, { mailuser: 'owner@mail.test' });
    expect(extras).toMatchObject({ changed: ['email'], mailuser: 'owner@mail.test' });
    expect((await edit(id, { mailuser: 'owner@mail.test', webkj: 100 })).extras).toMatchObject({ changed: [] });
    const { row_version } = (await editing.read({ id })).extras as { row_version: string };
    expect((await edit(id, { mailuser: '', row_version })).extras).toMatchObject({ changed: ['email'], mailuser: '' });
    await expect(edit(id, { mailuser: 'other@mail.test', row_version })).rejects.toMatchObject({ name: 'StaleForm' });
    expect(driver.calls).toEqual([]);
    expect(await hooks()).toEqual(['host.created']);
  });

  it('sets the monitor limit, and resets it to the default, without a server call', async () => {
    const id = await open('alice01', { monitors: 3 });
    const { extras } = await edit(id, { jk_max: 0 });
    expect(extras).toMatchObject({ changed: ['quota'], jk_max: '0' });
    expect((await edit(id, { webkj: 100, jk_max: 0 })).extras).toMatchObject({ changed: [] });
    const { row_version } = (await editing.read({ id })).extras as { row_version: string };
    expect((await edit(id, { jk_max: null, row_version })).extras).toMatchObject({ changed: ['quota'], jk_max: '' });
    await expect(edit(id, { jk_max: 4, row_version })).rejects.toMatchObject({ name: 'StaleForm' });
    expect(driver.calls).toEqual([]);
    await expect(service.setQuota(id, { monitors: 1_001 }, 'shop')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await service.setQuota(id, { monitors: 1_000 }, 'shop')).monitors).toBe(1_000);
  });

  it('makes all changes in one call, and each hook fires once', async () => {
    const id = await open();
    const done = await edit(id, { webkj: 0, datar: '0', pass: 'secret-2', kg: false });
    expect(done.extras).toMatchObject({
      changed: ['quota', 'expiry', 'password', 'state'],
      datae: '0000-00-00',
      qk: 'false',
      ztyy: 'admin',
    });
    expect([...driver.sites.values()][0]).toMatchObject({ suspended: true, password: 'secret-2', expiresOn: null });
    expect(await hooks()).toEqual(['host.created', 'host.renewed', 'host.paused']);
  });

  it.each(['refused', 'unreachable', 'lost'] as const)(
    'reports, keeps and logs the completed steps if the server is %s',
    async (outcome) => {
      const id = await open();
      driver.script = ['ok', 'ok', outcome, ...(outcome === 'lost' ? (['unreachable'] as const) : [])];
      const failure = await edit(id, { webkj: 200, datar: '2032-01-01', pass: 'secret-2', kg: false }).catch(
        (error: unknown) => error as PartlyDone,
      );
      expect(failure).toBeInstanceOf(PartlyDone);
      expect(failure).toMatchObject({
        params: { done: [{ key: 'hosting.step_quota' }, { key: 'hosting.step_expiry' }], failed: [{ key: 'hosting.step_password' }] },
        fields: { pass: expect.any(String) },
      });
      driver.script = [];
      const row = (await editing.read({ id })).extras;
      expect(row).toMatchObject({ hxa: '{"max":200,"dq":0}', datae: '2032-01-01', qk: 'true' });
      const [line, ...more] = await logged();
      expect(more).toEqual([]);
      expect(line).toMatchObject({
        actor: 'root',
        category: 'zjxgjl',
        outcome: 'failed',
        summary: '修改主机 alice01：配额、到期时间已修改，密码失败',
      });
      expect(await edit(id, { webkj: 200, datar: '2032-01-01', pass: 'secret-2', kg: false })).toMatchObject({
        extras: { changed: ['password', 'state'] },
      });
      expect([...driver.sites.values()][0]).toMatchObject({ suspended: true, password: 'secret-2', expiresOn: '2032-01-01' });
    },
  );

  it('reports the plain error if nothing was done yet', async () => {
    const id = await open();
    driver.script = ['unreachable'];
    await expect(edit(id, { webkj: 200, kg: false })).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' });
    expect(await logged()).toEqual([]);
  });

  it('rejects invalid changes before any change', async () => {
    const id = await open();
    await expect(edit(id, { webkj: 200, pass: '12345' })).rejects.toMatchObject({ code: 'CREDENTIALS_TOO_SHORT' });
    await expect(edit(id, { webkj: 200, pass: '123456\u0007' })).rejects.toMatchObject({ fields: { pass: 'hosting.field_password' } });
    await expect(edit(id, { webkj: 200, datar: '2031-02-30' })).rejects.toMatchObject({ fields: { datar: 'hosting.field_date' } });
    await expect(edit(id, { webkj: 200, user: 'other01' })).rejects.toMatchObject({ fields: { user: 'hosting.field_user_fixed' } });
    await expect(edit(999, { webkj: 200 })).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    expect(driver.calls).toEqual([]);
  });

  it('does not end a pause for another reason, and says so', async () => {
    const id = await open();
    await service.pause(id, 'expiry', 'cron');
    // A form that was filled from the row sends `false` for it: that is no wish of the administrator.
    expect(await edit(id, { kg: false, webkj: 200 })).toMatchObject({ extras: { ztyy: 'expiry', changed: ['quota'] } });
    expect(await edit(id, { kg: true })).toMatchObject({
      text: 'hosting.changed_still_paused',
      params: { reasons: '已到期' },
      extras: { qk: 'false' },
    });
    expect(await edit(id, { kg: true, datar: '2099-01-01' })).toMatchObject({ text: 'hosting.changed', extras: { changed: ['expiry'] } });
  });
});

describe('single steps', () => {
  it('pause and resume affect only the administrators’ own reason', async () => {
    const id = await open();
    expect((await pauses.pause(pauseOf(id))).extras).toMatchObject({ qk: 'false', ztyy: 'admin' });
    await service.pause(id, 'expiry', 'cron');
    await service.pause(id, 'shop-x', 'shop-x');
    expect(await pauses.resume(pauseOf(id), ctx)).toMatchObject({
      text: 'hosting.still_paused',
      params: { reasons: '已到期、shop-x' },
      extras: { ztyy: 'expiry,shop-x', qk: 'false' },
    });
    await expect(pauses.resume(pauseOf(id), ctx)).rejects.toMatchObject({
      code: 'NOT_PAUSED_BY_ADMIN',
      params: { reasons: '已到期、shop-x' },
    });
    await service.unpause(id, 'shop-x', 'shop-x');
    await service.unpause(id, 'expiry', 'cron');
    expect(await pauses.resume(pauseOf(id), ctx)).toMatchObject({ text: 'hosting.resumed', extras: { qk: 'true' } });
    expect(await hooks()).toEqual(['host.created', 'host.paused', 'host.unpaused']);
  });

  it('renew, change the password and the limits', async () => {
    const id = await open();
    expect((await life.renew({ id, datae: '2040-1-2' })).extras).toMatchObject({ datae: '2040-01-02' });
    await expect(life.renew({ id, datae: 'soon' })).rejects.toMatchObject({ fields: { datae: 'hosting.field_date' } });
    await life.changePassword({ id, pass: 'secret-2' });
    await expect(life.changePassword({ id, pass: 'bad\u0000pass' })).rejects.toMatchObject({ fields: { pass: 'hosting.field_password' } });
    expect((await life.changeQuota({ id, ll: 5 })).extras).toMatchObject({
      hxa: '{"max":100,"dq":0}',
      llmax: expect.stringContaining('"max":5'),
    });
    await expect(life.changeQuota({ id })).rejects.toMatchObject({ code: 'NOTHING_GIVEN' });
    expect([...driver.sites.values()][0]).toMatchObject({
      password: 'secret-2',
      expiresOn: '2040-01-02',
      quota: { webMb: 100, trafficGb: 5 },
    });
  });

  it('give the same error for an unknown host', async () => {
    const id = 999;
    const calls = [
      () => pauses.pause(pauseOf(id)),
      () => pauses.resume(pauseOf(id), ctx),
      () => life.renew({ id, datae: '0' }),
      () => life.changePassword({ id, pass: 'secret-2' }),
      () => life.changeQuota({ id, ll: 1 }),
      () => life.loginLink({ id }),
      () => deleting.delete({ id }, ctx),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });
});

describe('deletion', () => {
  const many = async (idsz: string) =>
    (await deleting.deleteMany({ idsz }, ctx)) as RawReply & {
      body: { code: number; codr: number; success: boolean; errors: Record<string, string> };
    };

  it('deletes a host once despite concurrent requests', async () => {
    const id = await open();
    const results = await Promise.allSettled([1, 2, 3].map(() => deleting.delete({ id }, ctx)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    expect(await hooks()).toEqual(['host.created', 'host.deleted']);
    expect(driver.sites.size).toBe(0);
  });

  it('reports the server’s error and keeps the host', async () => {
    const id = await open();
    driver.script = ['refused'];
    await expect(deleting.delete({ id }, ctx)).rejects.toMatchObject({ code: 'NODE_REFUSED', params: { text: 'refused' } });
    expect(await service.get('alice01')).toMatchObject({ status: 'active' });
  });

  it('deletes several hosts independently, counts them, and each hook fires once', async () => {
    const ids = [await open('alice01'), await open('bob0001'), await open('carol01')];
    const answer = await many(JSON.stringify([...ids, ids[0], 999, 'x', '']));
    expect(answer.body).toMatchObject({
      success: true,
      code: 3,
      codr: 2,
      errors: { 999: expect.any(String), x: expect.any(String) },
      data: { code: 3, codr: 2 },
    });
    expect(answer.params).toMatchObject({ done: 3, failed: 2 });
    expect((await hooks()).filter((hook) => hook === 'host.deleted')).toHaveLength(3);
    expect((await many(`${ids.join(',')},`)).body).toMatchObject({ success: false, qk: 4, code: 0, codr: 3 });
  });

  it('continues if the server refuses one of several', async () => {
    const ids = [await open('alice01'), await open('bob0001')];
    driver.script = ['refused'];
    expect((await many(ids.join())).body).toMatchObject({ code: 1, codr: 1 });
    expect(await hosting.database.repository(HostingAccount).count()).toBe(1);
    expect((await many(ids.join())).body).toMatchObject({ code: 1, codr: 1 });
    expect((await hooks()).filter((hook) => hook === 'host.deleted')).toHaveLength(2);
  });

  it('deletes each host once with two concurrent batches', async () => {
    const ids = await Promise.all(['alice01', 'bob0001', 'carol01', 'dave001', 'erin001'].map((user) => open(user)));
    const answers = await Promise.all([many(ids.join()), many(ids.join())]);
    expect(answers.reduce((sum, { body }) => sum + body.code, 0)).toBe(5);
    expect((await hooks()).filter((hook) => hook === 'host.deleted')).toHaveLength(5);
  });

  it('accepts id lists in every format, and rejects too many', () => {
    expect(readIds('["3","1","3"]')).toEqual({ ids: [3, 1], invalid: [] });
    expect(readIds('{"0":"3","7":"1"}')).toEqual({ ids: [3, 1], invalid: [] });
    expect(readIds('3, 1，03,')).toEqual({ ids: [3, 1], invalid: [] });
    expect(readIds('7')).toEqual({ ids: [7], invalid: [] });
    expect(readIds('[0,-1,"1 OR 1=1",2147483648,{"a":1}]').ids).toEqual([]);
    expect(readIds('[{"toString":0,"valueOf":0},4,null]')).toEqual({ ids: [4], invalid: ['{"toString":0,"value', 'null'] });
    for (const empty of ['', ',', '[]', '{}', ' '])
      expect(() => readIds(empty)).toThrow(expect.objectContaining({ fields: { idsz: 'hosting.field_ids_none' } }) as Error);
    const numbers = (n: number) => Array.from({ length: n }, (_, index) => index + 1).join();
    expect(readIds(numbers(MAX_IDS)).ids).toHaveLength(MAX_IDS);
    expect(() => readIds(numbers(MAX_IDS + 1))).toThrow(expect.objectContaining({ fields: { idsz: 'hosting.field_ids_many' } }) as Error);
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
        try {
          return readIds(text).ids.every((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647);
        } catch (error) {
          return (error as { code?: string }).code === 'INVALID_FIELDS';
        }
      }),
      { examples: [['{"a":{"toString":0,"valueOf":0}}']] },
    );
  });
});
