import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Administrators, SecondFactors } from '../../src/auth/index.js';
import { PACKAGE_ROOT } from '../../src/common/index.js';
import { Secrets } from '../../src/config/index.js';
import { Database } from '../../src/database/index.js';
import { DriverNodes, HostingNode } from '../../src/hosting/index.js';
import { OperationLog } from '../../src/operations/entities/index.js';
import { InstalledPlugin, PluginOption } from '../../src/plugin-registry/entities/index.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { createTestPlace, testEngine, type TestPlace } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { ServerProcess } from '../support/server-process.js';
import { environmentOf, svc } from '../support/svc.js';

describe('svc on an empty machine', () => {
  let place: TestPlace;
  beforeAll(async () => (place = await createTestPlace()));
  afterAll(() => place.dispose());

  it('shows its commands, and what was wrong with the input', async () => {
    const help = await svc(place, []);
    expect(help.code).toBe(0);
    for (const name of ['doctor', 'migrate', 'admin create', 'plugin disable', 'secret-key renew'])
      expect(help.text).toContain(`svc ${name}`);
    expect(await svc(place, ['help', 'doctor'])).toMatchObject({ code: 0, text: expect.stringContaining('only reads') });
    expect(await svc(place, ['admin', '--help'])).toMatchObject({ code: 2 });
    expect(await svc(place, ['help', 'admin'])).toMatchObject({ code: 0, text: expect.stringContaining('admin reset-password') });
    expect(await svc(place, ['dance'])).toMatchObject({ code: 2, text: expect.stringContaining('no command "dance"') });
    expect(await svc(place, ['doctor', '--loud'])).toMatchObject({ code: 2, text: expect.stringContaining('--loud') });
    expect(await svc(place, ['plugin', 'disable'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('Usage: svc plugin disable <slug>'),
    });
    expect(await svc(place, ['migrate', 'now'])).toMatchObject({ code: 2, text: expect.stringContaining('"now"') });
  });

  it('says what to do first, and creates nothing while checking', async () => {
    const before = readdirSync(place.dataDir);
    const looked = await svc(place, ['doctor']);
    expect(looked).toMatchObject({ code: 0, text: expect.stringContaining('The first start of the panel') });
    expect(readdirSync(place.dataDir)).toEqual(before);
    const refused = await svc(place, ['admin', 'create', 'second']);
    expect([refused.code, refused.text]).toEqual([1, expect.stringMatching(/no database|database is empty/i)]);
    expect(await svc(place, ['doctor'], { env: { PORT: '99999', TIMEZONE: 'Mars' } })).toMatchObject({
      code: 1,
      text: expect.stringMatching(/PORT must be[\s\S]*TIMEZONE must be/),
    });
  });

  it('migrates, once', async () => {
    expect(await svc(place, ['migrate'])).toMatchObject({ code: 0, text: expect.stringContaining('InitialSchema') });
    expect(await svc(place, ['migrate'])).toEqual({ code: 0, text: 'The database is up to date.' });
  });
});

describe('svc next to a running panel', () => {
  let panel: TestPanel;
  beforeAll(async () => (panel = await TestPanel.start()));
  afterAll(() => panel.close());

  const signIn = async (user: string, pass: string): Promise<boolean> =>
    (
      (await (await panel.fetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'login', user, pass }) })).json()) as {
        success?: boolean;
      }
    ).success === true;
  const logged = async (): Promise<string[]> =>
    (
      await panel
        .get(Database)
        .repository(OperationLog)
        .find({ where: { category: 'svc' }, order: { id: 'ASC' } })
    ).map((row) => row.summary);

  it('adds an administrator, whose password is shown once', async () => {
    const made = await svc(panel.place, ['admin', 'create', 'second']);
    expect(made.code).toBe(0);
    const password = /Password: (\S+)/.exec(made.text)![1]!;
    expect(await signIn('second', password)).toBe(true);
    expect(await svc(panel.place, ['admin', 'create', 'SECOND'])).toMatchObject({ code: 1, text: expect.stringContaining('already') });
    for (const name of ['x', 'a b c', '../admin', '<b>admin</b>', 'admin:root'])
      expect(await svc(panel.place, ['admin', 'create', name])).toMatchObject({ code: 1, text: expect.stringContaining('4 to 64') });
  });

  it('gives an administrator a new password, which ends all of his sessions', async () => {
    expect((await panel.admin('listhh')).rows).toBeDefined();
    for (const input of ['short', 'x'.repeat(257), 'svc-panel-admin\n'])
      expect((await svc(panel.place, ['admin', 'reset-password', 'admin', '--password-stdin'], { input })).code).toBe(1);
    const answer = await svc(panel.place, ['admin', 'reset-password', 'ADMIN', '--password-stdin'], { input: 'of my own choice\n' });
    expect(answer).toMatchObject({ code: 0, text: expect.not.stringContaining('of my own choice') });
    expect((await panel.adminFetch('/admin/log')).status).toBe(302);
    expect([await signIn('admin', 'of my own choice'), await signIn('admin', 'svc-panel-admin')]).toEqual([true, false]);
    expect(await svc(panel.place, ['admin', 'reset-password', 'nobody'])).toMatchObject({
      code: 1,
      text: expect.stringContaining('admin'),
    });
    await panel.signIn('of my own choice');
  });

  it('removes the second factor of an administrator who lost it', async () => {
    const seconds = panel.get(SecondFactors);
    const { id } = (await panel.get(Administrators).findByName('second'))!;
    expect((await svc(panel.place, ['admin', 'disable-2fa', 'second'])).text).toContain('no second factor');
    const setup = { side: 'admin', accountId: id, token: 'of a session' } as const;
    const { secret } = (await seconds.begin(setup, 'Panel', 'second'))!;
    const recovery = await seconds.confirm(setup, new AuthenticatorApp(secret).at(new Date()));
    expect([recovery.length, await seconds.enabled('admin', id)]).toEqual([expect.any(Number), true]);
    expect((await svc(panel.place, ['admin', 'disable-2fa', 'Second'])).code).toBe(0);
    expect(await seconds.state('admin', id)).toMatchObject({ enabled: false, codes: 0 });
    expect(await svc(panel.place, ['admin', 'disable-2fa', 'nobody'])).toMatchObject({ code: 1, text: expect.stringContaining('second') });
  });

  it('disables a plugin in the running panel', async () => {
    await panel.enable('sandbox');
    expect((await svc(panel.place, ['plugin', 'list'])).text).toMatch(/sandbox\s+on/);
    expect(await svc(panel.place, ['plugin', 'disable', 'sand'])).toMatchObject({ code: 1, text: expect.stringContaining('sandbox') });
    expect((await svc(panel.place, ['plugin', 'disable', 'sandbox'])).code).toBe(0);
    await expect.poll(async () => (await panel.row('sandbox'))!.status).not.toBe('active');
    expect((await svc(panel.place, ['plugin', 'disable', 'sandbox'])).text).toContain('already');
    expect((await svc(panel.place, ['plugin', 'list'])).text).toMatch(/sandbox\s+off/);
  });

  it('writes lines to the operation log, without passwords', async () => {
    expect(await logged()).toEqual([
      expect.stringContaining('second'),
      expect.stringContaining('admin'),
      expect.stringContaining('second'),
      expect.stringContaining('sandbox'),
    ]);
    expect(JSON.stringify(await panel.get(Database).repository(OperationLog).find())).not.toContain('of my own choice');
    expect(await (await panel.adminFetch('/admin/log')).text()).toContain('svc:');
  });

  it('renews no key while a panel is running', async () => {
    expect(await svc(panel.place, ['secret-key', 'renew', '--yes'])).toMatchObject({
      code: 1,
      text: expect.stringContaining('Stop all its processes'),
    });
  });

  it('finds no problem right after a write, and next to a process that holds the write lock', async () => {
    const asked = await svc(panel.place, ['doctor', '--json']);
    const { findings } = JSON.parse(asked.text) as { findings: { check: string; state: string }[] };
    expect([asked.code, findings.filter(({ state }) => state === 'broken')]).toEqual([0, []]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['configuration', 'database', 'integrity', 'clock', 'plugins', 'secret.key', 'ports']),
    );
    if (testEngine !== 'sqlite') return;
    const writer = new Sqlite(join(panel.dataDir, 'panel.db'));
    writer.exec('BEGIN IMMEDIATE');
    try {
      expect((await svc(panel.place, ['doctor'])).code).toBe(0);
    } finally {
      writer.exec('ROLLBACK');
      writer.close();
    }
  });
});

describe('svc doctor with problems', () => {
  let panel: TestPanel;
  let closed = false;
  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.get(Database).repository(InstalledPlugin).insert({
      slug: 'wild',
      slugKey: 'wild',
      enabled: true,
      quarantinedAt: new Date(),
      quarantineReason: 'timer: it broke',
      installedAt: new Date(),
      updatedAt: new Date(),
    });
  });
  afterAll(async () => (closed ? panel.place.dispose() : panel.close()));
  const keyFile = (): string => join(panel.dataDir, 'secret.key');
  afterEach(() => chmodSync(keyFile(), 0o600));

  it('names a plugin in quarantine, a key that others may read, a port that is in use', async () => {
    chmodSync(keyFile(), 0o644);
    const port = new URL(panel.url).port;
    const beside = await svc(panel.place, ['doctor'], { env: { PORT: port } });
    expect(beside).toMatchObject({ code: 0, text: expect.stringMatching(/the panel answers on port/) });
    expect(beside.text).toMatch(/warn\s+secret\.key.*mode 644/);
    expect(beside.text).toContain('wild is in quarantine: timer: it broke');
    const taken = await svc(panel.place, ['doctor'], { env: { SITES_PORT: port } });
    expect(taken).toMatchObject({ code: 1, text: expect.stringContaining(`SITES_PORT ${port} is in use`) });
  });

  it('recognizes a key of another database, and renews it when it is permanently lost', async () => {
    const database = panel.get(Database);
    const secrets = panel.get(Secrets);
    const options = database.repository(PluginOption);
    await options.insert([
      { slug: 'mail', key: 'password', value: secrets.seal('s3cret', 'mail.password') },
      { slug: 'mail', key: 'both', value: JSON.stringify({ host: 'mx', password: secrets.seal('s3cret', 'mail.both') }) },
      { slug: 'mail', key: 'host', value: 'mx' },
    ]);
    const servers = database.repository(HostingNode);
    await servers.update({ code: 'local' }, { sealedPanelKey: panel.get(DriverNodes).sealKey('panel-key-1') });
    await panel.stop();
    closed = true;
    const right = readFileSync(keyFile(), 'utf8');
    expect((await svc(panel.place, ['secret-key', 'renew'])).text).toContain('The key is valid');
    for (const [wrong, words] of [
      ['no key at all', 'not a key'],
      ['ab'.repeat(32), 'not the key this database'],
      [null, 'missing'],
    ] as const) {
      if (wrong === null) rmSync(keyFile());
      else writeFileSync(keyFile(), wrong);
      const doctor = await svc(panel.place, ['doctor']);
      expect([doctor.code, doctor.text]).toEqual([1, expect.stringContaining(words)]);
      expect(existsSync(keyFile())).toBe(wrong !== null);
      if (wrong === null) writeFileSync(keyFile(), right);
    }
    writeFileSync(keyFile(), 'no key at all', { mode: 0o600 });
    const asked = await svc(panel.place, ['secret-key', 'renew']);
    expect(asked).toMatchObject({
      code: 1,
      text: expect.stringMatching(/SVC_bt\.btmy: 1[\s\S]*SVC_plugin_option\.value: 2[\s\S]*Continue\?[\s\S]*Nothing was changed/),
    });
    expect(readFileSync(keyFile(), 'utf8')).toBe('no key at all');
    expect((await svc(panel.place, ['secret-key', 'renew'], { yes: true })).code).toBe(0);
    expect((await svc(panel.place, ['doctor'])).code).toBe(0);
    expect(readdirSync(panel.dataDir).filter((name) => name.includes('.no-key-'))).toHaveLength(1);
    await panel.resume();
    closed = false;
    const values = await panel
      .get(Database)
      .repository(PluginOption)
      .find({ order: { id: 'ASC' } });
    expect(values.map(({ value }) => value)).toEqual(['', '{"host":"mx","password":""}', 'mx']);
    const { sealedPanelKey } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    expect(sealedPanelKey).toBe('');
  });

  it('recognizes a database of a newer version, and a damaged file', async () => {
    await panel.stop();
    closed = true;
    if (testEngine !== 'sqlite') return;
    const handle = new Sqlite(join(panel.dataDir, 'panel.db'));
    handle.exec("INSERT INTO SVC_migration (timestamp, name) VALUES (9999999999999, 'FromTheFuture9999999999999')");
    handle.pragma('wal_checkpoint(TRUNCATE)');
    handle.close();
    expect(await svc(panel.place, ['doctor'])).toMatchObject({ code: 1, text: expect.stringContaining('FromTheFuture') });
    expect(await svc(panel.place, ['plugin', 'list'])).toMatchObject({ code: 1, text: expect.stringContaining('newer version') });
    const bytes = readFileSync(join(panel.dataDir, 'panel.db'));
    bytes.fill(0x5a, 8 * 4_096, 24 * 4_096);
    writeFileSync(join(panel.dataDir, 'panel.db'), bytes);
    expect((await svc(panel.place, ['doctor'])).text).toMatch(/broken\s+(integrity|database)/);
  });
});

it('the built program responds next to a real process, with its exit code', async () => {
  const place = await createTestPlace();
  const server = await ServerProcess.start(place);
  try {
    await server.ready();
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(PACKAGE_ROOT, 'dist/src/cli/svc.js'), ...args], {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          ...environmentOf(place, { PORT: String(server.port), SITES_PORT: String(server.sitesPort) }),
        },
        encoding: 'utf8',
        input: '',
      });
    const doctor = run('doctor');
    expect([doctor.status, doctor.stdout, doctor.stderr]).toEqual([
      0,
      expect.stringContaining(`the panel answers on port ${server.port}`),
      '',
    ]);
    expect(run('admin', 'create', 'third').status).toBe(0);
    expect(run('nothing').status).toBe(2);
    const { bin } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { bin: { svc: string } };
    expect(readFileSync(join(PACKAGE_ROOT, bin.svc), 'utf8').startsWith('#!/usr/bin/env node')).toBe(true);
  } finally {
    await server.stop();
    await place.dispose();
  }
});
