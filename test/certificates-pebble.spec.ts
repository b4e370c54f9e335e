/**
 * Certificates from an authority that checks everything a real one does: Debian's `pebble`. Without it (`apt install pebble`) nothing is
 * tested here, and the title says so; in CI it always runs.
 */
import { randomBytes, X509Certificate } from 'node:crypto';
import { get } from 'node:https';
import { connect } from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { SiteConfig } from '../src/site/entities/index.js';
import { CertificateOrder, CertificateProof, CertificateUse, HostingAccount, SiteCertificate } from '../src/hosting/index.js';
import { Task } from '../src/jobs/index.js';
import { CERTIFICATE_KEY_PLACE } from '../src/hosting/sites/index.js';

import { createMigratedPlace, type TestPlace } from './support/database.js';
import { unsealKiller } from './support/killers.js';
import { hasPebble, Pebble, PEBBLE_TRUST } from './support/pebble.js';
import { writePlugin } from './support/plugins.js';
import { freePort, ServerProcess } from './support/server-process.js';

const PASS = 'a-password-of-my-own';

describe.skipIf(!hasPebble)(`certificates from pebble${hasPebble ? '' : ' (not run: install the Debian package pebble)'}`, () => {
  let place: TestPlace;
  let database: Database;
  let pebble: Pebble;
  let panel: ServerProcess;
  let admin: DemoVisitor;
  let ports: [number, number];
  let tlsPort: number;
  let id: number;

  beforeAll(async () => {
    place = await createMigratedPlace();
    database = createDatabase(ormOptions(place.config));
    await database.dataSource.initialize();
    ports = [await freePort(), await freePort()];
    tlsPort = await freePort();
    pebble = await Pebble.start(ports[1]);
    await start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'pebble01', pass: PASS });
    id = (await database.repository(HostingAccount).findOneByOrFail({ username: 'pebble01' })).id;
    for (const url of ['shop.example.com', 'pay.example.com']) await admin.operate('admin', { gn: 'tjurl', id: String(id), url });
    await admin.operate('admin', { gn: 'zssz', kg: 'true', ty: 'true', ml: pebble.directory, yx: 'me@example.com' });
  }, 120_000);
  afterAll(async () => {
    await panel?.stop('SIGKILL');
    pebble?.stop();
    await database.dataSource.destroy();
    await place.dispose();
  });

  async function start(): Promise<void> {
    const env = { SITES_TLS_PORT: String(tlsPort), OUTBOUND_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: PEBBLE_TRUST, RATE_LIMIT: 'off' };
    panel = await ServerProcess.start(place, env, ports);
    await panel.ready();
    admin = new DemoVisitor(panel.url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
  }

  const order = (names: readonly string[], type = 'true') =>
    admin.operate('admin', { gn: 'sqssl', id: String(id), list: JSON.stringify(names), type });
  const newest = () => database.repository(CertificateOrder).findOneOrFail({ where: { accountId: id }, order: { id: 'DESC' } });
  const settled = (want: object) => expect.poll(newest, { timeout: 60_000, interval: 200 }).toMatchObject(want);
  const certificate = () => database.repository(SiteCertificate).findOneBy({ accountId: id });
  const visit = async (name: string): Promise<number> => {
    const ca = await pebble.root();
    return new Promise((resolve, reject) => {
      get({ port: tlsPort, host: '127.0.0.1', servername: name, headers: { host: name }, ca, agent: false }, (res) => {
        res.resume();
        resolve(res.statusCode!);
      }).on('error', reject);
    });
  };

  it('are ordered, served by name over TLS, and renewed', { timeout: 120_000 }, async () => {
    await order(['shop.example.com', 'pay.example.com'], 'false');
    await settled({ state: 'done' });
    for (const name of ['shop.example.com', 'pay.example.com']) expect(await visit(name)).toBe(200);
    const first = (await certificate())!;
    expect(first).toMatchObject({ source: 'acme', names: expect.arrayContaining(['shop.example.com', 'pay.example.com']) as string[] });
    expect(first.renewAt!.getTime()).toBeGreaterThan(Date.now());
    await admin.operate('admin', { gn: 'xqssl', id: String(id) });
    await expect.poll(async () => (await certificate())!.version, { timeout: 60_000 }).not.toBe(first.version);
    await settled({ state: 'done' });
    expect(await visit('shop.example.com')).toBe(200);
    expect(await database.repository(CertificateProof).count()).toBe(0);
  });

  it('explain a name that points elsewhere, and keep the existing certificate', { timeout: 120_000 }, async () => {
    await pebble.setNowhere('pay.example.com', true);
    // About once in a hundred orders Pebble asks for no proof, whatever PEBBLE_AUTHZREUSE says, and reports it: that order is repeated.
    for (let attempt = 0; attempt < 3; attempt++) {
      const before = pebble.output.length;
      await order(['pay.example.com']);
      await expect.poll(async () => (await newest()).state, { timeout: 60_000, interval: 200 }).not.toBe('open');
      if ((await newest()).state !== 'done') break;
      expect(pebble.output.slice(before)).toContain('is fully authorized');
    }
    await settled({ state: 'failed', problemParams: expect.objectContaining({ name: 'pay.example.com' }) as object });
    expect(['dns', 'connection']).toContain((await newest()).problem);
    expect(await visit('pay.example.com')).toBe(200);
    await pebble.setNowhere('pay.example.com', false);
  });

  it('continue after a process was killed at any step, and nothing incomplete is served', { timeout: 240_000 }, async () => {
    for (const step of ['ordering', 'proving', 'issuing'] as const) {
      const before = (await certificate())!.version;
      await order(['shop.example.com']).catch(() => undefined);
      await expect.poll(async () => reached((await newest()).step, step), { timeout: 30_000, interval: 5 }).toBe(true);
      await panel.stop('SIGKILL');
      const left = await newest();
      if (left.state === 'open') expect((await certificate())!.version === before || left.step === 'installing').toBe(true);
      // The dead process's claims are free now, not only when they expire.
      await database.repository(Task).update({ state: 'running' }, { dueAt: new Date('2020-01-01T00:00:00Z') });
      await start();
      await settled({ state: 'done', openFor: null, sealedKey: null });
      expect((await certificate())!.version).not.toBe(before);
      expect(await visit('shop.example.com')).toBe(200);
    }
    const socket = connect({ port: tlsPort, host: '127.0.0.1', servername: 'nobody.example.com', rejectUnauthorized: false });
    expect(await new Promise((resolve) => socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code)))).toMatch(
      /HANDSHAKE|ALERT/,
    );
  });

  it(
    'continue after a process was killed while updating the server, from what was stored, without a new order',
    { timeout: 120_000 },
    async () => {
      const before = (await certificate())!.version;
      writePlugin(place.dataDir, 'killer', unsealKiller(CERTIFICATE_KEY_PLACE));
      await admin.operate('admin', { gn: 'plugin_install', slug: 'killer' });
      await admin.operate('admin', { gn: 'plugin_enable', slug: 'killer', enabled: 'true' });
      await order(['shop.example.com']);
      expect(await panel.ended).toBe('SIGKILL');
      const left = await newest();
      expect(left).toMatchObject({ state: 'open', step: 'installing', openFor: id, sealedKey: null });
      const kept = (await certificate())!.version;
      expect(kept).not.toBe(before);
      await database.repository(Task).update({ state: 'running' }, { dueAt: new Date('2020-01-01T00:00:00Z') });
      await start();
      await settled({ id: left.id, state: 'done', openFor: null });
      expect((await certificate())!.version).toBe(kept);
      expect(await visit('shop.example.com')).toBe(200);
      expect(await database.repository(CertificateProof).count()).toBe(0);
    },
  );

  it('are revoked and replaced after their key leaked', { timeout: 120_000 }, async () => {
    // The weekly limits of authorities apply in this spec, too.
    await database.repository(CertificateUse).clear();
    const before = (await certificate())!;
    const answer = await admin.operate('admin', { gn: 'dxssl', id: String(id) });
    expect(answer).toMatchObject({ ordered: true });
    await settled({ state: 'done' });
    const after = (await certificate())!;
    expect(after).toMatchObject({ revokedAt: null, names: before.names });
    expect(new X509Certificate(after.chain).publicKey.equals(new X509Certificate(before.chain).publicKey)).toBe(false);
    expect(await pebble.statusOf(before.chain)).toBe('Revoked');
    expect(await pebble.statusOf(after.chain)).toBe('Valid');
    expect(await visit('shop.example.com')).toBe(200);
    // What the authority has already done, such as when a process was killed before its row was updated, is no failure.
    await database.repository(SiteCertificate).update({ accountId: id }, { chain: before.chain });
    expect(await admin.operate('admin', { gn: 'dxssl', id: String(id) })).toMatchObject({ ordered: true });
    await settled({ state: 'done' });
    expect(await visit('shop.example.com')).toBe(200);
  });

  it('come from an authority that requires an account, once it is configured', { timeout: 120_000 }, async () => {
    const key = randomBytes(32).toString('base64url');
    const strict = await Pebble.start(ports[1], { 'kid-1': key });
    try {
      const set = (fields: Record<string, string>) =>
        admin.operate('admin', { gn: 'zssz', kg: 'true', ty: 'true', ml: strict.directory, ...fields }).catch((error: unknown) => error);
      expect(String(await set({}))).toContain('Key ID');
      expect(String(await set({ zhid: 'kid-1' }))).toContain('HMAC');
      expect(String(await set({ zhid: 'kid-1', zhmy: 'short' }))).toContain('HMAC');
      await set({ zhid: 'kid-1', zhmy: randomBytes(32).toString('base64url') });
      await order(['shop.example.com']);
      await settled({ state: 'failed' });
      await set({ zhid: 'kid-1', zhmy: key });
      const before = (await certificate())!.version;
      await order(['shop.example.com']);
      await settled({ state: 'done' });
      expect((await certificate())!.version).not.toBe(before);
      const row = await database.repository(SiteConfig).findOneByOrFail({ id: 1 });
      expect(row.acmeBindingKey).toMatch(/^sealed:1:/);
      expect(JSON.stringify(row)).not.toContain(key);
      // Settings that are not sent stay; with another authority there is no account.
      await set({ yx: 'you@example.com' });
      expect(await database.repository(SiteConfig).findOneByOrFail({ id: 1 })).toMatchObject({
        acmeBindingId: 'kid-1',
        acmeBindingKey: row.acmeBindingKey,
      });
      await admin.operate('admin', { gn: 'zssz', ml: pebble.directory, ty: 'true' });
      expect(await database.repository(SiteConfig).findOneByOrFail({ id: 1 })).toMatchObject({ acmeBindingId: '', acmeBindingKey: null });
    } finally {
      strict.stop();
    }
  });
});

const STEPS = ['waiting', 'ordering', 'proving', 'issuing', 'installing'];
const reached = (now: string, wanted: string): boolean => STEPS.indexOf(now) >= STEPS.indexOf(wanted);
