import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { formOf, submit, zipOf } from '../support/store-packages.js';

describe('W5 requires_mnbt in the store', () => {
  let store: TestStore;
  let admin: StoreClient;
  let author: StoreClient;
  beforeAll(async () => {
    store = await TestStore.start();
    admin = await store.member('Root', 'admin');
    author = await store.member('Author');
  });
  afterAll(() => store.close());

  const package_ = (slug: string, manifest: object, type = 'plugin') =>
    type === 'plugin'
      ? zipOf(slug, {
          'plugin.json': JSON.stringify({ id: slug, name: slug, version: '1.0.0', ...manifest }),
          'index.js': 'module.exports = () => {};\n',
        })
      : zipOf(slug, { 'theme.json': JSON.stringify({ name: slug, version: '1.0.0', ...manifest }), 'user/index.liquid': 'x' });
  const updatesFor = async (panelVersion: string, type: string, slug: string) =>
    (
      await store.visitor().call<{ updates: { slug: string }[] }>('POST', '/items/update-check', {
        panel_version: panelVersion,
        items: [{ type, slug, version: '0.1' }],
      })
    ).data.updates.length;

  it('of the form is stored, and returned under both names', async () => {
    const both = { requires_svc: '>=1.80', requires_mnbt: '>=1.80' };
    expect((await submit(author, 'older', { requires_mnbt: '>=1.80' })).data).toMatchObject(both);
    expect((await submit(author, 'both', { requires_svc: '>=1.80', requires_mnbt: '1.60' })).data).toMatchObject(both);
    expect((await submit(author, 'empty', { requires_svc: '', requires_mnbt: '1.81' })).data).toMatchObject({
      requires_svc: '1.81',
      requires_mnbt: '1.81',
    });
    expect((await submit(author, 'wrong', { requires_mnbt: '<script>' })).status).toBe(400);
    const { data } = await author.get<{ items: { slug: string; requires_mnbt: string }[] }>('/developer/items');
    expect(data.items.find(({ slug }) => slug === 'older')).toMatchObject(both);
  });

  it.each(['plugin', 'theme'])('of the manifest of a %s counts in the update check', async (type) => {
    const slug = `manifest_${type}`;
    const zip = await package_(slug, { requires_mnbt: '1.90' }, type);
    const { data } = await author.call<{ id: number }>(
      'POST',
      '/developer/items',
      formOf({ type, slug, name: slug, version: '1.0.0', description: 'x' }, zip),
    );
    expect((await admin.call('PUT', `/admin/items/${data.id}/approve`)).status).toBe(200);
    const [version] = (await store.visitor().get<object[]>(`/items/${data.id}/versions`)).data;
    expect(version).toMatchObject({ requires_svc: '>=1.90', requires_mnbt: '>=1.90' });
    expect([await updatesFor('1.84.0', type, slug), await updatesFor('1.90.0', type, slug)]).toEqual([0, 1]);
  });

  it('with a range that no panel could read is a finding, as under the other name', async () => {
    const zip = await package_('unreadable', { requires_mnbt: 'soon' });
    const { data } = await author.call<{ manifest_problems: { code: string }[] }>(
      'POST',
      '/developer/validate',
      formOf({ type: 'plugin', slug: 'unreadable' }, zip),
    );
    expect(data.manifest_problems.map(({ code }) => code)).toContain('requires');
  });
});

describe('W5 requires_mnbt in a panel', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start();
  });
  afterAll(() => panel.close());

  it.each([
    ['1.81', true],
    ['>=1.80 <2', true],
    ['1.90', false],
    ['>=2', false],
  ])('of plugin.json: %s', async (requires, fits) => {
    const slug = `older_${String(requires).replace(/\W/g, '_')}`;
    writePlugin(panel.dataDir, slug, { manifest: { requires_mnbt: requires }, files: { 'index.js': functionPlugin('') } });
    const answer = await panel.admin('plugin_install', { slug });
    expect([requires, answer.success, fits || answer.code.includes('1.84.0')]).toEqual([requires, fits, true]);
    if (fits) expect((await panel.tryEnable(slug)).success).toBe(true);
  });
});
