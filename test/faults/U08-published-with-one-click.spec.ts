import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreAudit } from '../../src/store/index.js';
import { TestStore, type StoreAnswer, type StoreClient } from '../support/store.js';
import { pluginZip, submit, submitVersion, zipOf } from '../support/store-packages.js';

const GRAVE = "eval('1');\nrequire('child_process');\nprocess.dlopen({}, 'x');\nmodule.exports = () => {};\n";

describe('U8 serious findings published with one click', () => {
  let store: TestStore;
  let admin: StoreClient;
  let alice: StoreClient;
  let visitor: StoreClient;

  beforeAll(async () => {
    store = await TestStore.start();
    admin = await store.member('Root', 'admin');
    alice = await store.member('Alice');
    visitor = store.visitor();
  });
  afterAll(() => store.close());

  const approve = (id: number, body?: object, client = admin): Promise<StoreAnswer> =>
    client.call('PUT', `/admin/items/${id}/approve`, body);
  const isPublic = async (id: number): Promise<boolean> => (await visitor.get(`/items/${id}`)).status === 200;

  it('is refused once with their names, for each administrator, and accepted when decided again', async () => {
    const { data: item } = await submit(alice, 'grave', {}, await pluginZip('grave', '1.0.0', GRAVE));
    const refusal = {
      status: 400,
      code: 400,
      data: null,
      msg: '版本 1.0.0 有 3 项严重问题：eval (index.js:1), child_process (index.js:2), native (index.js:3)。请先查看；如仍要发布，请再次通过',
    };
    expect(await approve(item.id)).toMatchObject(refusal);
    expect(await isPublic(item.id)).toBe(false);
    expect(await approve(item.id, {}, await store.member('Second', 'admin'))).toMatchObject(refusal);
    expect(await store.database.repository(StoreAudit).countBy({ action: 'item.approve', subjectId: item.id })).toBe(0);
    expect(await approve(item.id)).toMatchObject({ status: 200, msg: '已审核通过' });
    expect(await isPublic(item.id)).toBe(true);
    const [decision] = await store.database.repository(StoreAudit).findBy({ action: 'item.approve', subjectId: item.id });
    expect(decision).toMatchObject({ action: 'item.approve', detail: { version: '1.0.0', findings: ['eval', 'child_process', 'native'] } });
  });

  it('is accepted immediately when the reviewer names the findings seen, and only those', async () => {
    const { data: item } = await submit(alice, 'seen', {}, await pluginZip('seen', '1.0.0', GRAVE));
    expect(await approve(item.id, { findings_seen: ['eval', 'native'] })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('：child_process (index.js:2)。') as string,
    });
    expect((await approve(item.id, { findings_seen: ['eval', 'native', 'child_process'] })).status).toBe(200);
    for (const wrong of ['eval', [1], ['Not a rule'], Array.from({ length: 201 }, () => 'eval')]) {
      expect(await approve(item.id, { findings_seen: wrong })).toMatchObject({
        status: 400,
        msg: expect.stringContaining('findings_seen') as string,
      });
    }
  });

  it('asks again for each version, and not when a suspension is lifted', async () => {
    const { data: item } = await submit(alice, 'versions', {}, await pluginZip('versions', '1.0.0', GRAVE));
    expect((await approve(item.id, { findings_seen: ['eval', 'native', 'child_process'] })).status).toBe(200);
    await admin.call('PUT', `/admin/items/${item.id}/suspend`);
    expect((await approve(item.id)).status).toBe(200);
    await submitVersion(alice, item.id, 'versions', '1.1.0', GRAVE);
    expect((await approve(item.id)).msg).toContain('1.1.0');
    expect((await approve(item.id)).status).toBe(200);
  });

  it('asks nothing without findings, and nothing blocks a rejection', async () => {
    const { data: clean } = await submit(alice, 'clean');
    expect((await approve(clean.id)).status).toBe(200);
    const { data: bad } = await submit(alice, 'bad', {}, await zipOf('bad', { 'readme.txt': 'no plugin.json' }));
    expect((await approve(bad.id)).msg).toContain('manifest.missing (plugin.json)');
    expect((await admin.call('PUT', `/admin/items/${bad.id}/reject`, { msg: 'no' })).status).toBe(200);
  });
});
