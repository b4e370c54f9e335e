import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Notice } from '../../src/notify/index.js';
import { StoreWatch } from '../../src/plugin-store/index.js';
import { originOf, PackageFolders } from '../../src/plugin-registry/index.js';
import { PluginMigration } from '../../src/plugin-registry/entities/index.js';
import { Database } from '../../src/database/index.js';
import { handmadeZip } from '../../src/packaging/testing/handmade-zip.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import type { AjaxAnswer, TestPanel } from '../support/panel.js';
import { zipOf } from '../support/store-packages.js';
import type { StoreBetween } from '../support/store-between.js';
import type { StoreClient, TestStore } from '../support/store.js';

let both: PanelWithStore;
let store: TestStore;
let between: StoreBetween;
let panel: TestPanel;
let admin: StoreClient;

beforeAll(async () => {
  both = await PanelWithStore.start();
  ({ store, between, panel, reviewer: admin } = both);
});
afterAll(() => both?.close());
beforeEach(() => {
  between.meddle = null;
});

const steps = (upTo: number): string =>
  `await svc.db.migrate([${Array.from(
    { length: upTo },
    (_one, at) =>
      `{ id: '00${at + 1}', down: (s) => s.dropTable('t${at + 1}'),
        up: (s) => s.createTable({ name: 't${at + 1}', columns: [{ name: 'text', type: 'string' }] }) }`,
  ).join(', ')}]);`;

/** Returns a plugin that answers its version at `/<slug>`, with as many tables as its major version. */
function source(slug: string, version: string, more = ''): string {
  const major = Number(version.split('.')[0]);
  return `module.exports = async (svc) => { ${steps(major)} svc.svc_register_route('GET', '/${slug}', () => '${version}'); ${more} };\n`;
}

/** Permissions that the code of {@link source} requires. */
const OWN = ['tables', 'routes'];

const zipFor = (slug: string, version: string, code: string, manifest: object = {}): Promise<Buffer> =>
  zipOf(slug, { 'plugin.json': JSON.stringify({ id: slug, name: slug, version, ...manifest }), 'index.js': code });

const publish = async (slug: string, version: string, code = source(slug, version), manifest: object = {}): Promise<void> =>
  both.publish(slug, version, await zipFor(slug, version, code, manifest));

/** Waits for a task; returns its error, or an empty text. */
async function done(answer: AjaxAnswer): Promise<string> {
  expect(answer.success, answer.code).toBe(true);
  const task_id = String(answer.data.task_id);
  let state: AjaxAnswer | undefined;
  await expect
    .poll(
      async () => {
        state = await panel.admin('plugin_store_task', { task_id });
        return state.data.zt;
      },
      { timeout: 60_000, interval: 50 },
    )
    .toMatch(/^(success|failed)$/);
  return String(state!.data.cw);
}

const install = (slug: string, fields: Record<string, string> = {}): Promise<AjaxAnswer> =>
  panel.admin('plugin_store_install', { slug, ...fields });
const installed = async (slug: string): Promise<void> => expect(await done(await install(slug))).toBe('');
const served = async (slug: string): Promise<string> => (await panel.fetch(`/${slug}`)).text();
const applied = async (slug: string): Promise<string[]> =>
  (
    await panel
      .get(Database)
      .repository(PluginMigration)
      .find({ where: { slug }, order: { id: 'ASC' } })
  ).map(({ step }) => step);
const noticed = async (key: string): Promise<number> =>
  (await panel.get(Database).repository(Notice).find()).filter((notice) => notice.key?.startsWith(key)).length;

describe('a plugin', () => {
  it('is published, installed, upgraded, rolled back automatically and by hand, disabled, and removed without leftovers', async () => {
    await publish('demo', '1.0.0');
    const { rows } = (await panel.admin('plugin_store', { q: 'demo' })) as unknown as { rows: Record<string, unknown>[] };
    expect(rows).toMatchObject([{ slug: 'demo', version: '1.0.0', state: 'available', installed: '', price: 0 }]);
    await installed('demo');
    expect(await served('demo')).toBe('1.0.0');
    expect(await panel.row('demo')).toMatchObject({ version: '1.0.0', enabled: true, status: 'active' });
    expect((await install('demo')).code).toContain('已经安装');

    // Upgrade.
    await publish('demo', '2.0.0');
    await panel.get(StoreWatch).check();
    expect(await panel.row('demo')).toMatchObject({ newer: '2.0.0' });
    expect(await noticed('plugin-newer:demo:2.0.0')).toBe(1);
    expect(await done(await panel.admin('plugin_upgrade', { slug: 'demo' }))).toBe('');
    expect(await served('demo')).toBe('2.0.0');
    expect(await applied('demo')).toEqual(['001', '002']);
    expect(await panel.row('demo')).toMatchObject({ version: '2.0.0', before: '1.0.0', newer: '' });

    // A version that throws after a migration step.
    await publish('demo', '3.0.0', source('demo', '3.0.0', "throw new Error('no such luck');"));
    const failed = await done(await panel.admin('plugin_upgrade', { slug: 'demo' }));
    expect(failed).toContain('no such luck');
    expect(failed).toContain('2.0.0');
    expect(await served('demo')).toBe('2.0.0');
    expect((await applied('demo')).filter((step) => step.startsWith('0'))).toEqual(['001', '002']);
    expect(await panel.row('demo')).toMatchObject({ version: '2.0.0', status: 'active', before: '1.0.0' });
    expect(await noticed('plugin-rolled-back:')).toBe(1);

    // A version that starts and reports that it is unhealthy.
    const sick = "svc.svc_register_route('GET', '/p/demo/health', () => ({ status: 503, body: 'sick' }));";
    await publish('demo', '4.0.0', source('demo', '4.0.0', sick));
    expect(await done(await panel.admin('plugin_upgrade', { slug: 'demo' }))).toContain('HTTP 503');
    expect(await served('demo')).toBe('2.0.0');

    // Manual rollback: migration steps and files.
    expect(await done(await panel.admin('plugin_rollback', { slug: 'demo' }))).toBe('');
    expect(await served('demo')).toBe('1.0.0');
    expect((await applied('demo')).filter((step) => step.startsWith('0'))).toEqual(['001']);
    expect((await panel.admin('plugin_rollback', { slug: 'demo' })).code).toContain('没有保留');

    // Its package is blocked: it is disabled.
    const versions = (await store.visitor().get<{ version: string; sha256: string }[]>(`/items/${both.idOf('demo')}/versions`)).data;
    const { sha256 } = versions.find(({ version }) => version === '1.0.0')!;
    await admin.call('POST', '/admin/blocked-digests', { sha256, reason: '偷取密码' });
    expect(await panel.get(StoreWatch).check()).toMatchObject({ blocked: 1 });
    expect(await panel.row('demo')).toMatchObject({ enabled: false });
    expect((await panel.fetch('/demo')).status).toBe(404);
    expect(await noticed('plugin-blocked:demo:')).toBe(1);

    // Uninstalled with its data.
    expect((await panel.admin('plugin_uninstall', { slug: 'demo', data: 'drop' })).success).toBe(true);
    expect(await panel.row('demo')).toBeUndefined();
    expect(await applied('demo')).toEqual([]);
    const left = readdirSync(join(panel.dataDir, 'plugins'), { recursive: true }).map(String);
    expect(left.filter((path) => path.includes('demo'))).toEqual([]);
    expect(existsSync(join(panel.dataDir, 'plugin-versions/demo'))).toBe(false);
    const tables = await panel.get(Database).query<{ name: string }>(
      panel.get(Database).engine === 'sqlite'
        ? "SELECT name FROM sqlite_master WHERE name LIKE 'SVC\\_pl__%demo%' ESCAPE '\\' OR name LIKE 'SVC\\_plc\\_%' ESCAPE '\\'"
        : `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()
            AND (table_name LIKE 'SVC\\_plg\\_demo%' OR table_name LIKE 'SVC\\_plc\\_%')`,
    );
    expect(tables).toEqual([]);
  });

  it('is upgraded with all others, except one that needs more permissions, which waits for approval', async () => {
    await publish('plain', '1.0.0');
    await publish('asking', '1.0.0');
    await installed('plain');
    await installed('asking');
    await publish('plain', '1.1.0');
    await publish('asking', '1.1.0', source('asking', '1.1.0'), { permissions: [...OWN, 'dns', 'customers', 'reads minds'] });
    const all = await panel.admin('plugin_upgrade');
    expect(all.data).toMatchObject({ asking: ['asking'] });
    await expect.poll(() => served('plain'), { timeout: 30_000 }).toBe('1.1.0');
    expect(await served('asking')).toBe('1.0.0');
    const refused = await panel.admin('plugin_upgrade', { slug: 'asking', permissions: 'dns' });
    expect(refused).toMatchObject({ success: false, err: 'E_STATE' });
    expect(refused.code).toContain('customers');
    expect(await done(await panel.admin('plugin_upgrade', { slug: 'asking', permissions: 'dns,customers' }))).toBe('');
    expect(await served('asking')).toBe('1.1.0');
    // Permissions granted once are not requested again.
    await publish('asking', '1.2.0', source('asking', '1.2.0'), { permissions: [...OWN, 'customers', 'dns'] });
    expect(await done(await panel.admin('plugin_upgrade', { slug: 'asking' }))).toBe('');
  });

  it('has a beta, which its page marks, and which only explicit requests get', async () => {
    await publish('bold', '1.0.0');
    await installed('bold');
    await both.publish('bold', '2.0.0-beta', await zipFor('bold', '2.0.0-beta', source('bold', '2.0.0-beta')), { channel: 'beta' });
    expect((await panel.get(StoreWatch).check()).newer).not.toContain('bold');
    expect(await panel.row('bold')).toMatchObject({ version: '1.0.0', newer: '' });
    expect(await panel.admin('plugin_upgrade', { slug: 'bold' })).toMatchObject({ success: false });
    const page = async (language: string): Promise<string> =>
      (await panel.adminFetch('/admin/plugin-store-item?slug=bold', { headers: { 'Accept-Language': language } })).text();
    const shown = await page('en');
    expect(shown).toContain('For testing, alongside the stable version.');
    expect(shown).toContain('Try beta 2.0.0-beta');
    expect(shown).not.toContain('Upgrade to');
    expect(await page('zh-CN')).toContain('测试版');
    expect(await done(await install('bold', { version: '2.0.0-beta' }))).toBe('');
    expect(await served('bold')).toBe('2.0.0-beta');
    expect(await page('en')).not.toContain('Try beta');
    await publish('bold', '2.0.0');
    expect((await panel.get(StoreWatch).check()).newer).toContain('bold');
  });

  it('has a beta, which is offered and installed if betas are enabled', async () => {
    const beta = async (slug: string): Promise<void> => {
      await publish(slug, '1.0.0');
      await installed(slug);
      await both.publish(slug, '2.0.0-beta', await zipFor(slug, '2.0.0-beta', source(slug, '2.0.0-beta')), { channel: 'beta' });
    };
    const newer = async (slug: string): Promise<unknown> => {
      const { newer: version, newer_beta } = (await panel.row(slug)) as unknown as Record<string, unknown>;
      return version === '' ? '' : [version, newer_beta];
    };
    const choose = async (betas: string, slug = ''): Promise<void> =>
      expect(await panel.admin('plugin_betas', { betas, slug })).toMatchObject({ success: true });
    const shown = async (path: string): Promise<string> => (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();
    await beta('eager');
    await beta('calm');
    expect(await shown('/admin/plugin-store-item?slug=eager')).toContain('Same as all plugins: not offered');
    await choose('true', 'eager');
    expect([await newer('eager'), await newer('calm')]).toEqual([['2.0.0-beta', true], '']);
    expect(await noticed('plugin-newer:eager:2.0.0-beta')).toBe(1);
    expect(await shown('/admin/plugins')).toContain('Beta 2.0.0-beta is available');
    // After opting out, no beta is offered.
    await choose('false', 'eager');
    expect(await newer('eager')).toBe('');
    expect(await panel.admin('plugin_upgrade', { slug: 'eager' })).toMatchObject({ success: false });
    // For all plugins except one with its own setting.
    await choose('false', 'calm');
    await choose('', 'eager');
    await choose('true');
    expect([await newer('eager'), await newer('calm')]).toEqual([['2.0.0-beta', true], '']);
    expect(await shown('/admin/plugin-store')).toMatch(/name="betas"[^>]*\schecked/);
    expect(await shown('/admin/plugin-store-item?slug=eager')).toContain('Same as all plugins: offered');
    expect((await panel.admin('plugin_upgrade')).success).toBe(true);
    await expect.poll(() => served('eager'), { timeout: 30_000 }).toBe('2.0.0-beta');
    // The new code is served shortly before its row is updated.
    await expect.poll(() => panel.row('eager')).toMatchObject({ newer: '', newer_beta: false });
    expect(await served('calm')).toBe('1.0.0');
    await choose('false');
    // An installed beta stays until there is a newer version.
    await publish('eager', '2.0.0');
    expect((await panel.get(StoreWatch).check()).newer).toContain('eager');
    expect(await newer('eager')).toEqual(['2.0.0', false]);
    for (const betas of ['maybe', ''])
      expect(await panel.admin('plugin_betas', { betas })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('plugin_betas', { betas: 'true', slug: 'nowhere' })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('whose files an order left before they had started belongs to the order that continues with them', async () => {
    await publish('claimed', '1.0.0');
    await installed('claimed');
    const folders = panel.get(PackageFolders);
    const folder = folders.folderOf('claimed');
    const before = originOf(folder)!;
    expect(folders.isDone('claimed', before.order)).toBe(true);
    writeFileSync(join(folder, '.unproven'), '');
    await folders.claim('claimed', 'the-next');
    expect([before.order, 'the-next'].map((order) => folders.isDone('claimed', order))).toEqual([false, false]);
    await folders.prove('claimed');
    expect([before.order, 'the-next'].map((order) => folders.isDone('claimed', order))).toEqual([false, true]);
    expect(originOf(folder)).toEqual({ ...before, order: 'the-next' });
  });

  it('whose version its author withdrew keeps running, and administrators are notified of the reason once', async () => {
    await publish('regret', '1.0.0');
    await publish('regret', '1.1.0');
    await installed('regret');
    await panel.get(StoreWatch).check();
    expect(await noticed('plugin-withdrawn:')).toBe(0);
    await both.withdraw('regret', '1.1.0', 'It loses settings');
    await panel.get(StoreWatch).check();
    await panel.get(StoreWatch).check();
    expect(await noticed('plugin-withdrawn:regret:1.1.0:')).toBe(1);
    expect(await served('regret')).toBe('1.1.0');
    const notices = await (await panel.adminFetch('/admin/notices', { headers: { 'Accept-Language': 'en' } })).text();
    expect(notices).toMatch(/withdrawn version 1\.1\.0 of regret: It loses settings/);
  });

  it('that does not start at its first installation leaves nothing behind', async () => {
    await publish('stillborn', '1.0.0', source('stillborn', '1.0.0', "throw new Error('not today');"));
    expect(await done(await install('stillborn'))).toContain('not today');
    expect(await panel.row('stillborn')).toBeUndefined();
    expect(existsSync(join(panel.dataDir, 'plugins/stillborn'))).toBe(false);
    expect((await applied('stillborn')).filter((step) => step.startsWith('0'))).toEqual([]);
  });

  it('is requested twice at the same time: one request installs it, the other is refused', async () => {
    await publish('twice', '1.0.0');
    const answers = await Promise.all([install('twice'), install('twice')]);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(answers.find(({ success }) => !success)).toMatchObject({ err: 'E_BUSY' });
    expect(await done(answers.find(({ success }) => success)!)).toBe('');
    await publish('first', '1.0.0');
    await publish('second', '1.0.0');
    expect(await Promise.all([install('first').then(done), install('second').then(done)])).toEqual(['', '']);
  });

  it('that needs another panel version says so, and so does an older version', async () => {
    await publish('later', '1.0.0', source('later', '1.0.0'), { requires: '>=9.0.0' });
    expect((await install('later')).code).toContain('>=9.0.0');
    expect((await install('twice', { version: '0.9.0' })).err).toBe('E_NOTEXIST');
    await publish('twice', '0.9.0');
    expect((await install('twice', { version: '0.9.0' })).code).toContain('回滚');
    expect((await install('unknown-one')).err).toBe('E_NOTEXIST');
    expect((await install('first', { sha256: 'ab'.repeat(32) })).err).toBe('E_CONFLICT');
  });
});

describe('an uploaded ZIP', () => {
  async function upload(zip: Buffer, fields: Record<string, string> = {}): Promise<AjaxAnswer> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ gn: 'plugin_upload', ...fields })) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(zip)]), 'a.zip');
    return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: form })).json()) as AjaxAnswer;
  }

  it('is installed and asks like one of the store, and cannot be used to go back to an older version', async () => {
    const zip = await zipFor('handmade', '2.0.0', source('handmade', '2.0.0'), { permissions: [...OWN, 'dns'] });
    expect((await upload(zip)).code).toContain('dns');
    expect(await done(await upload(zip, { accept: 'true' }))).toBe('');
    expect(await served('handmade')).toBe('2.0.0');
    expect((await upload(await zipFor('handmade', '1.0.0', source('handmade', '1.0.0')))).code).toContain('回滚');
    expect((await panel.admin('plugin_upgrade', { slug: 'handmade' })).code).toContain('不是从本商店安装');
  });

  it('that breaks a rule is refused before anything is unpacked', async () => {
    const bomb = handmadeZip([{ name: 'bomb/plugin.json', content: Buffer.alloc(12 * 1024 * 1024) }]);
    expect((await upload(bomb)).err).toBe('E_LIMIT');
    expect((await upload(handmadeZip([{ name: '../evil/plugin.json', content: Buffer.from('{}') }]))).success).toBe(false);
    expect((await upload(await zipOf('empty', { 'readme.txt': 'x' }))).success).toBe(false);
    expect((await upload(Buffer.from('no zip'))).success).toBe(false);
    expect(readdirSync(join(panel.dataDir, 'plugins/.incoming'))).toEqual([]);
  });
});

describe('a compromised or faulty store', () => {
  const json = (change: (data: never) => unknown) => (body: Buffer) => {
    const answer = JSON.parse(body.toString()) as { data: unknown };
    return Buffer.from(JSON.stringify({ ...answer, data: change(answer.data as never) }));
  };
  const onlyAt =
    (part: string, change: (body: Buffer) => Buffer | null) =>
    (path: string, body: Buffer): Buffer | null =>
      path.includes(part) ? change(body) : body;

  beforeAll(async () => {
    await publish('guarded', '1.0.0');
    await publish('other', '1.0.0');
  });

  it('sends another package than it announced', async () => {
    const foreign = await zipFor('guarded', '1.0.0', source('guarded', '1.0.0', '/* changed */'));
    between.meddle = onlyAt('/download', () => foreign);
    expect(await done(await install('guarded'))).toContain('不一致');
  });

  it('sends a package with a wrong signature', async () => {
    const foreign = await zipFor('guarded', '1.0.0', source('guarded', '1.0.0', '/* changed */'));
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(foreign).digest('hex');
    between.meddle = (path, body) => {
      if (path.includes('/download')) return foreign;
      if (!path.includes('/versions')) return body;
      return json((rows: object[]) => rows.map((row) => ({ ...row, sha256, zip_size: foreign.length })))(body);
    };
    expect(await done(await install('guarded'))).toContain('签名');
  });

  it('offers the correctly signed package of one plugin as another', async () => {
    const id = both.idOf('other');
    const versions = Buffer.from(await (await store.visitor().send('GET', `/items/${id}/versions`)).arrayBuffer());
    const zip = Buffer.from(await (await store.visitor().send('GET', `/items/${id}/download`)).arrayBuffer());
    between.meddle = (path, body) => (path.includes('/download') ? zip : path.includes('/versions') ? versions : body);
    expect(await done(await install('guarded'))).toMatch(/签名|不一致/);
  });

  it('offers an old version as a new one', async () => {
    await publish('aged', '1.0.0');
    await installed('aged');
    const newer = json((rows: object[]) => rows.map((row) => ({ ...row, version: '9.0.0' })));
    between.meddle = (path, body) => (path.endsWith('/versions') ? newer(body) : body);
    const answer = await install('aged', { version: '9.0.0' });
    expect(await done(answer)).not.toBe('');
    expect(await served('aged')).toBe('1.0.0');
  });

  it('presents another key that the old one does not certify', async () => {
    const { generateKeyPairSync } = await import('node:crypto');
    const { keyIdOf } = await import('../../src/packaging/index.js');
    const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const forged = { key_id: keyIdOf(pem), public_key: pem, since: new Date().toISOString(), succession: '' };
    between.meddle = onlyAt(
      '/signing-key',
      json((data: { keys: object[] }) => ({ ...data, ...forged, keys: [...data.keys, forged] })),
    );
    expect(await done(await install('guarded'))).toContain(forged.key_id);
  });

  it('sends nothing, HTML, or something else', async () => {
    between.meddle = () => Buffer.from('<!doctype html><title>Welcome</title>');
    expect(await install('guarded')).toMatchObject({ success: false, err: 'E_UNREACH' });
    between.meddle = () => Buffer.from('{"code":0,"data":{"id":"x"}}');
    expect(await install('guarded')).toMatchObject({ success: false, err: 'E_UNREACH' });
    const page = await (await panel.adminFetch('/admin/plugin-store')).text();
    expect(page).toContain('STORE_URL');
    between.meddle = onlyAt('/download', () => Buffer.alloc(0));
    expect(await done(await install('guarded'))).not.toBe('');
  });

  it('hangs, and the panel keeps serving', async () => {
    between.meddle = () => null;
    const hanging = install('guarded');
    expect((await panel.fetch('/plain')).status).toBe(200);
    expect(await hanging).toMatchObject({ success: false, err: 'E_UNREACH' });
  }, 40_000);

  it('forges the list of blocked items: it disables nothing', async () => {
    between.meddle = onlyAt(
      '/revocations',
      json((data: { list: string }) => ({ ...data, list: data.list.replace(/[0-9a-f]{64}/, 'cd'.repeat(32)) })),
    );
    await expect(panel.get(StoreWatch).check()).rejects.toMatchObject({ code: 'SIGNATURE' });
  });

  it('has a new key certified by the old one: the panel follows it and installs as before', async () => {
    await admin.call('POST', '/admin/signing-key');
    await admin.call('POST', '/admin/signing-key');
    await installed('guarded');
    expect(await served('guarded')).toBe('1.0.0');
    const origin = JSON.parse(readFileSync(join(panel.dataDir, 'plugins/guarded/.origin.json'), 'utf8')) as { store: string };
    expect(origin.store).toBe(between.url);
  });

  it('shows its plugins on pages, in words', async () => {
    const list = await (await panel.adminFetch('/admin/plugin-store?q=guarded', { headers: { 'Accept-Language': 'en' } })).text();
    expect(list).toContain('/admin/plugin-store-item?slug=guarded');
    expect(list).toContain('Installed');
    const item = await (await panel.adminFetch('/admin/plugin-store-item?slug=later', { headers: { 'Accept-Language': 'en' } })).text();
    expect(item).toContain('Does not run on this panel');
    expect(item).not.toContain('data-ajax="plugin_store_install"');
    expect((await panel.adminFetch('/admin/plugin-store-item?slug=nothing')).status).toBe(404);
  });
});
