/**
 * Certificates of sites, your own and ordered ones, and their life cycle. test/certificates-pebble.spec.ts has an authority that checks
 * signatures.
 */
import { X509Certificate } from 'node:crypto';
import { get } from 'node:https';
import { connect, type PeerCertificate } from 'node:tls';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Database } from '../src/database/index.js';
import {
  CertificateOrder,
  CertificateProof,
  CertificateUse,
  DomainRecords,
  DriverRegistry,
  HostingAccount,
  HostingNode,
  NameCheck,
  SiteCertificate,
  SitesAddress,
} from '../src/hosting/index.js';
import { BackgroundQueue, JobRegistry } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';
import { SiteSettings } from '../src/site/index.js';

import { AcmeAuthority, fetchAs } from './support/acme-authority.js';
import { TestAuthority } from './support/certificates.js';
import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

const DAY_MS = 86_400_000;
const NAMES = ['www.example.com', 'shop.example.com'];

let panel: TestPanel;
let authority: AcmeAuthority;
let trust: TestAuthority;
let owner: string;
let id: number;
let otherCookie: string;

beforeAll(async () => {
  panel = await TestPanel.start({ SITES_TLS_PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' });
  panel.get(DomainRecords).lookup = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  trust = await TestAuthority.make();
  authority = await AcmeAuthority.start(() => address().port);
  owner = await panel.signInUser();
  otherCookie = await panel.signInUser('other001');
  const accounts = panel.get(Database).repository(HostingAccount);
  id = (await accounts.findOneByOrFail({ username: 'owner01' })).id;
  for (const url of NAMES) await user('tjurl', { url });
  await user('tjurl', { url: 'other.example.net' }, otherCookie);
  await user('tjurl', { url: '*.wild.example.com' });
});
afterAll(async () => {
  authority.close();
  await panel.close();
});
beforeEach(async () => {
  authority.mood = 'fine';
  authority.times = {};
  authority.refused.clear();
  authority.asked.length = 0;
  authority.found.length = 0;
  await use(CertificateUse).clear();
  await panel.get(SiteSettings).change({ acmeOn: true, acmeDirectory: authority.directory, acmeAgreed: authority.directory });
});
afterEach(async () => {
  for (const cookie of [owner, otherCookie]) await user('clossl', {}, cookie);
  await use(CertificateOrder).createQueryBuilder().delete().execute();
});

/** A pause ends the sessions of the host. */
async function runAgain(): Promise<void> {
  await panel.admin('zjjc', { id: String(id) });
  const body = new URLSearchParams({ gn: 'login', user: 'owner01', pass: 'secret-pass-1' });
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body });
  owner = response.headers
    .getSetCookie()
    .find((line) => line.startsWith('user_token='))!
    .split(';')[0]!;
}
const address = () => panel.get(SitesAddress);
const tlsPort = () => Number(new URL(address().secureUrlOfName('any.example.com')!).port);
const use = <T extends object>(entity: new () => T) => panel.get(Database).repository(entity);

async function user(gn: string, fields: Record<string, string> | URLSearchParams = {}, cookie = owner): Promise<Record<string, unknown>> {
  const body = new URLSearchParams(fields);
  body.set('gn', gn);
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: cookie, 'Accept-Language': 'en' } });
  return (await response.json()) as Record<string, unknown>;
}
const order = (names: readonly string[], type = 'false', cookie = owner) =>
  user('sqssl', new URLSearchParams([['type', type], ...names.map((name): [string, string] => ['list[]', name])]), cookie);
const idle = () => panel.get(BackgroundQueue).idle();
const newest = () => use(CertificateOrder).findOneOrFail({ where: { accountId: id }, order: { id: 'DESC' } });
const certificate = () => use(SiteCertificate).findOneBy({ accountId: id });
const settled = (want: object) => expect.poll(newest, { timeout: 15_000 }).toMatchObject(want);

/** The certificate a browser gets for a name, or the reason if the handshake fails. */
function shown(servername: string, more: object = {}): Promise<PeerCertificate | string> {
  return new Promise((resolve) => {
    const socket = connect({ port: tlsPort(), host: '127.0.0.1', servername, rejectUnauthorized: false, ...more }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
  });
}
/** A request over TLS by a browser that trusts these roots. */
function visit(name: string, ca: string, path = '/'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get({ port: tlsPort(), host: '127.0.0.1', servername: name, headers: { host: name }, path, ca, agent: false }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.on('end', () => resolve({ status: res.statusCode!, body }));
    }).on('error', reject);
  });
}
const plain = (name: string, path = '/') => fetchAs(address().port, name, path);

describe('an own certificate', () => {
  it('serves over TLS for its names only, and its key is never revealed', async () => {
    const { key, pem } = await trust.pair({ names: ['www.example.com', '*.wild.example.com'] });
    expect(await user('setssl', { key, pem: `${trust.root}\n${trust.between}\n${pem}` })).toMatchObject({ success: true, qk: 1 });
    expect(await visit('www.example.com', trust.root)).toMatchObject({ status: 200 });
    expect((await visit('WWW.example.com', trust.root)).body).toContain('owner01');
    expect(await shown('a.wild.example.com')).toMatchObject({ subject: { CN: 'www.example.com' } });
    // Another name of the same site, a name of another site, an unknown one, none, and an invalid one.
    for (const name of [
      'shop.example.com',
      'owner01.localhost',
      'other.example.net',
      'nobody.example.org',
      'a.b.wild.example.com',
      'x'.repeat(300),
    ])
      expect(await shown(name), name).toMatch(/HANDSHAKE_FAILURE|ALERT|ECONNRESET/);
    expect(await shown('')).toMatch(/HANDSHAKE_FAILURE|ALERT/);
    for (const maxVersion of ['TLSv1', 'TLSv1.1'])
      expect(typeof (await shown('www.example.com', { minVersion: 'TLSv1', maxVersion }))).toBe('string');
    const answer = await user('getssl');
    expect(answer).toMatchObject({
      qk: 1,
      key: '',
      status: true,
      httpTohttps: false,
      type: 0,
      cert_data: { issuer: 'Test Trust · Test E1', dns: ['www.example.com', '*.wild.example.com'] },
    });
    expect(answer.csr).toBe(`${pem.trim()}\n${trust.between.trim()}\n`);
    expect(JSON.stringify(answer)).not.toContain('PRIVATE');
    const row = (await certificate())!;
    expect(row.sealedKey).toMatch(/^sealed:1:/);
    const lines = JSON.stringify(await use(OperationLog).find({ where: { category: 'setssl' } }));
    expect(lines).toContain('Test E1');
    expect(lines).not.toContain(key.split('\n')[1]);
  });

  it('is accepted however it was pasted', async () => {
    const rsa = await trust.pair({ names: ['www.example.com'], kind: 'rsa' });
    const messy = `Bag Attributes\r\n  friendlyName: x\r\n${rsa.pem.replace(/\n/g, '\r\n')}\r\nsubject=…\r\n${trust.between}`;
    expect(await user('setssl', { key: `\uFEFF# my key\r\n${rsa.key.replace(/\n/g, '\r\n')}`, pem: messy })).toMatchObject({
      success: true,
    });
    expect(await visit('www.example.com', trust.root)).toMatchObject({ status: 200 });
    const alone = await trust.pair({ names: ['www.example.com'] });
    const told = await user('setssl', alone as never);
    expect(told).toMatchObject({ success: true, code: expect.stringContaining('missing') as string });
  });

  it('is refused with the reason when it cannot work, and the existing one stays', async () => {
    const good = await trust.pair({ names: ['www.example.com'] });
    await user('setssl', good as never);
    const [another, old, later, foreign, weak] = await Promise.all([
      trust.pair({ names: ['www.example.com'] }),
      trust.pair({ names: ['www.example.com'], from: new Date(Date.now() - 9 * DAY_MS), to: new Date(Date.now() - 1_000) }),
      trust.pair({ names: ['www.example.com'], from: new Date(Date.now() + 3 * DAY_MS) }),
      trust.pair({ names: ['other.example.net'] }),
      trust.pair({ names: ['www.example.com'], kind: 'rsa1024' }),
    ]);
    const locked = good.key.replace(/PRIVATE KEY/g, 'ENCRYPTED PRIVATE KEY');
    const older = good.key.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n');
    for (const [pair, words] of [
      [{ key: '', pem: good.pem }, 'Enter both the key and the certificate'],
      [{ key: good.key, pem: ' ' }, 'Enter both the key and the certificate'],
      [{ key: 'garbage', pem: good.pem }, 'No private key was found'],
      [{ key: locked, pem: good.pem }, 'password-protected'],
      [{ key: older, pem: good.pem }, 'password-protected'],
      [{ key: good.key.replace(/\n\w{8}/, '\n########'), pem: good.pem }, 'cannot be read'],
      [{ key: weak.key, pem: weak.pem }, '2048'],
      [{ key: good.key, pem: 'garbage' }, 'No certificate was found'],
      [{ key: good.key, pem: good.pem.replace(/\w{20}/, 'x') }, 'cannot be read'],
      [{ key: good.key, pem: `${good.pem}\n`.repeat(11) }, '10 certificates'],
      [{ key: another.key, pem: good.pem }, 'does not match'],
      [old, 'expired on'],
      [later, 'not valid until'],
      [foreign, 'none of which is a domain'],
      [await trust.pair({ names: [] }), 'none of which is a domain'],
    ] as const) {
      const answer = await user('setssl', pair as never);
      expect([answer.success, answer.code], words).toEqual([false, expect.stringContaining(words)]);
    }
    expect(await user('setssl', { key: good.key, pem: good.pem }, otherCookie)).toMatchObject({ success: false });
    expect(new X509Certificate((await certificate())!.chain).serialNumber).toBe(new X509Certificate(good.pem).serialNumber);
  });

  it('is no longer served after its domain is removed, its site deleted, or on shutdown; a paused site keeps it', async () => {
    const pair = await trust.pair({ names: [...NAMES, 'gone.example.com'] });
    const all = { key: pair.key, pem: pair.pem + trust.between };
    await user('tjurl', { url: 'gone.example.com' });
    await user('setssl', all);
    expect(await visit('gone.example.com', trust.root)).toMatchObject({ status: 200 });
    await user('scurl', { url: 'gone.example.com' });
    expect(typeof (await shown('gone.example.com'))).toBe('string');
    await panel.admin('zjzt', { id: String(id) });
    expect(await visit('www.example.com', trust.root)).toMatchObject({ status: 503 });
    await runAgain();
    expect(await user('clossl')).toMatchObject({ success: true, qk: 1 });
    expect(typeof (await shown('www.example.com'))).toBe('string');
    expect(await user('clossl')).toMatchObject({ success: false, err: 'E_STATE' });
    await panel.signInUser('leaves01');
    const leaves = await use(HostingAccount).findOneByOrFail({ username: 'leaves01' });
    await panel.admin('tjurl', { id: String(leaves.id), url: 'leaves.example.com' });
    const own = await trust.pair({ names: ['leaves.example.com'] });
    expect(await panel.admin('setssl', { id: String(leaves.id), ...own })).toMatchObject({ success: true });
    expect(typeof (await shown('leaves.example.com'))).toBe('object');
    await panel.admin('zjsc', { id: String(leaves.id) });
    expect(typeof (await shown('leaves.example.com'))).toBe('string');
    expect(await use(SiteCertificate).countBy({ accountId: leaves.id })).toBe(0);
  });

  it('redirects visitors to https, except for names it does not cover, and never redirects authorities', async () => {
    await panel
      .get(Database)
      .repository(CertificateProof)
      .insert({
        accountId: id,
        token: 'tok-1',
        name: 'www.example.com',
        answer: 'tok-1.print',
        endsAt: new Date(Date.now() + 60_000),
      });
    expect(await user('httpsqz', { qk: 'true' })).toMatchObject({ success: false, err: 'E_STATE' });
    const pair = await trust.pair({ names: ['www.example.com'] });
    await user('setssl', { key: pair.key, pem: pair.pem + trust.between });
    expect(await user('httpsqz', { qk: 'true' })).toMatchObject({ success: true, qk: 1 });
    const secure = `https://www.example.com:${tlsPort()}`;
    expect(await plain('www.example.com', '/a?b=1')).toMatchObject({ status: 301, location: `${secure}/a?b=1` });
    expect((await plain('www.example.com', '//evil.example/')).location).toBe(`${secure}//evil.example/`);
    expect(await plain('shop.example.com')).toMatchObject({ status: 200 });
    expect((await visit('www.example.com', trust.root)).status).toBe(200);
    const proof = '/.well-known/acme-challenge/tok-1';
    expect(await plain('www.example.com', proof)).toMatchObject({ status: 200, body: 'tok-1.print' });
    expect(await plain('www.example.com', '/.well-known/acme-challenge/none')).toMatchObject({ status: 404 });
    // A proof belongs to one name of one site.
    for (const name of ['shop.example.com', 'other.example.net']) expect((await plain(name, proof)).status, name).toBe(404);
    await panel.admin('zjzt', { id: String(id) });
    expect(await plain('www.example.com', proof)).toMatchObject({ status: 200, body: 'tok-1.print' });
    await runAgain();
    await user('tjmmfw', { name: 'all', mbml: '', user: 'u', pass: 'folder-pass-1' });
    expect((await plain('shop.example.com')).status).toBe(401);
    expect(await plain('www.example.com', proof)).toMatchObject({ status: 200 });
    await user('scmmfw', { mb: 'all' });
    await user('httpsqz', { qk: 'false' });
    expect((await plain('www.example.com')).status).toBe(200);
  });
});

describe('an ordered certificate', () => {
  it('is obtained, installed and served, and every step is reported', async () => {
    expect(await order(NAMES)).toMatchObject({ success: true, qk: 1 });
    expect(await order(NAMES)).toMatchObject({ success: false, err: 'E_BUSY' });
    await settled({ state: 'done', step: 'installing', sealedKey: null, openFor: null, problem: '' });
    expect(await visit('shop.example.com', authority.trust.root)).toMatchObject({ status: 200 });
    const row = (await certificate())!;
    expect(row).toMatchObject({ source: 'acme', names: expect.arrayContaining(NAMES) as string[], directory: authority.directory });
    const lead = (row.endsAt.getTime() - row.renewAt!.getTime()) / DAY_MS;
    expect([lead >= 30, lead <= 30.6]).toEqual([true, true]);
    expect(authority.found.every(({ status }) => status === 200)).toBe(true);
    expect(await use(CertificateProof).countBy({ accountId: id })).toBe(0);
    expect(await user('getssl')).toMatchObject({ type: 1, order: { state: 'done' } });
    expect(await order(NAMES)).toMatchObject({
      success: false,
      code: 'This site already has a certificate. Remove it first, or order a replacement.',
    });
  });

  it('is refused for foreign names, wildcards, names of this machine, and without names', async () => {
    for (const [names, err] of [
      [['other.example.net'], 'E_NOTEXIST'],
      [['www.example.com', 'other.example.net'], 'E_NOTEXIST'],
      [['*.wild.example.com'], 'E_ARGS'],
      [['owner01.localhost'], 'E_ARGS'],
      [['../x'], 'E_NOTEXIST'],
      [[], 'E_ARGS'],
      [Array.from({ length: 51 }, (_, n) => `n${n}.example.com`), 'E_ARGS'],
    ] as const)
      expect([names, await order(names)]).toEqual([names, expect.objectContaining({ success: false, err })]);
    expect(authority.asked).toEqual([]);
    // The field that names a host has no effect on the user side.
    await user('setssl', (await trust.pair({ names: ['www.example.com'] })) as never);
    expect(await user('getssl', { id: String(id) }, otherCookie)).toMatchObject({ status: false });
    expect(await user('clossl', { id: String(id) }, otherCookie)).toMatchObject({ success: false });
    expect(await certificate()).not.toBeNull();
    for (const gn of ['getssl', 'sqssl', 'setssl', 'clossl', 'dxssl', 'qxssl', 'jcssl', 'httpsqz', 'xqssl'])
      expect([gn, await panel.admin(gn, { id: '99999', url: 'x', qk: 'true' })]).toEqual([
        gn,
        expect.objectContaining({ err: 'E_NOTEXIST' }),
      ]);
  });

  it('explains a refusal by the authority, which counts towards its limits', async () => {
    for (const [type, words] of [
      ['dns', 'has no DNS record'],
      ['connection', 'port 80'],
      ['unauthorized', 'Another server responds'],
      ['caa', 'CAA'],
      ['rejectedIdentifier', 'does not issue certificates'],
    ] as const) {
      authority.refused.set('shop.example.com', type);
      await order(NAMES);
      await settled({ state: 'failed' });
      const { order: told } = (await user('getssl')) as { order: { problem_text: string } };
      expect([type, told.problem_text]).toEqual([type, expect.stringContaining(words)]);
      expect(told.problem_text).toContain('shop.example.com');
      await use(CertificateUse).clear();
    }
    authority.refused.set('shop.example.com', 'dns');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await order(['shop.example.com']);
      await idle();
      await use(CertificateUse).delete({ kind: 'set' });
    }
    authority.asked.length = 0;
    expect(await order(['shop.example.com'])).toMatchObject({ success: false, err: 'E_LIMIT' });
    // Another process, another name of the same order: both see the same rows.
    expect(await order(NAMES)).toMatchObject({ success: false, err: 'E_LIMIT' });
    expect(authority.asked).toEqual([]);
    await use(CertificateUse).update({ kind: 'failure' }, { usedAt: new Date(Date.now() - 3_601_000) });
    expect(await order(['www.example.com'])).toMatchObject({ success: true });
    await settled({ state: 'done' });
    const told = await use(Notice).find();
    expect(told.filter(({ kind }) => (kind as string) === 'certificate').length).toBeGreaterThan(0);
  });

  it('is not ordered more often than an authority allows, for the same names and in total', async () => {
    for (let round = 0; round < 5; round += 1) {
      await order(['www.example.com'], round === 0 ? 'false' : 'true');
      await settled({ state: 'done' });
    }
    expect(await order(['www.example.com'], 'true')).toMatchObject({ success: false, err: 'E_LIMIT' });
    expect(await order(NAMES, 'true')).toMatchObject({ success: true });
    await settled({ state: 'done' });
    const [row] = await use(CertificateUse).findBy({ kind: 'order' });
    const { id: _id, ...same } = row!;
    await use(CertificateUse).clear();
    await use(CertificateUse).insert(Array.from({ length: 300 }, () => ({ ...same })));
    expect(await order(NAMES, 'true')).toMatchObject({ success: false, err: 'E_LIMIT' });
    await use(CertificateUse).update({ kind: 'order' }, { usedAt: new Date(Date.now() - 3 * 3_600_000 - 1_000) });
    expect(await order(NAMES, 'true')).toMatchObject({ success: true });
    await settled({ state: 'done' });
  });

  it('waits as long as the authority asks, then continues automatically', async () => {
    authority.mood = 'busy';
    await order(NAMES);
    await settled({ state: 'open', problem: 'limited' });
    const { retryAt } = await newest();
    expect(Math.round((retryAt!.getTime() - Date.now()) / 60_000)).toBeGreaterThan(50);
    expect(await user('getssl')).toMatchObject({
      order: { state: 'open', problem: 'limited', retry_at: expect.stringMatching(/^\d{4}-/) as string },
    });
    authority.mood = 'fine';
    await runJob(panel.get(JobRegistry), 'certificates');
    await idle();
    expect(await newest()).toMatchObject({ state: 'open' });
    await use(CertificateOrder).update({ state: 'open' }, { retryAt: new Date() });
    await runJob(panel.get(JobRegistry), 'certificates');
    await settled({ state: 'done' });
  });

  it.each(['garbage', 'down', 'hang'] as const)(
    'is retried when the authority is %s, can be cancelled, and leaves nothing incomplete',
    { timeout: 40_000 },
    async (mood) => {
      authority.mood = mood;
      await order(NAMES);
      await expect.poll(newest, { timeout: 25_000 }).toMatchObject({ state: 'open', problem: 'unreachable' });
      expect(await certificate()).toBeNull();
      expect(await user('qxssl')).toMatchObject({ success: true });
      expect(await newest()).toMatchObject({ state: 'failed', problem: 'cancelled', openFor: null, sealedKey: null });
      expect(await user('qxssl')).toMatchObject({ success: false, err: 'E_STATE' });
      authority.mood = 'fine';
      await order(NAMES);
      await settled({ state: 'done' });
    },
  );

  it.each([
    ['connection', 'is reached again', { state: 'done' }, 1],
    ['unauthorized', 'is reached again', { state: 'done' }, 1],
    ['connection', 'is not', { state: 'failed', problem: 'connection' }, 1],
    ['dns', 'is reached again', { state: 'failed', problem: 'dns' }, 0],
  ] as const)('is ordered once more when its proof may not have been reachable (%s, and the site %s)', async (type, later, end, anew) => {
    authority.refused.set('www.example.com', type);
    await order(NAMES);
    await settled({ state: 'failed' });
    const { orderUrl } = await newest();
    if (later === 'is reached again') authority.refused.clear();
    authority.asked.length = 0;
    const cut = { accountId: id, openFor: id, isRenewal: false, step: 'proving', names: [...NAMES], problemParams: {}, orderUrl };
    await use(CertificateOrder).insert({ ...cut, state: 'open', directory: authority.directory, createdAt: new Date() });
    await use(CertificateOrder).update({ state: 'open' }, { retryAt: new Date() });
    await runJob(panel.get(JobRegistry), 'certificates');
    await settled(end);
    expect(authority.asked.filter((path) => path === '/order')).toHaveLength(anew);
  });

  describe('an open order when the owner installs a certificate', () => {
    const own = async () => {
      const { key, pem } = await trust.pair({ names: ['www.example.com'] });
      return { key, pem: pem + trust.between };
    };
    const resume = async () => {
      await use(CertificateOrder).update({ state: 'open' }, { retryAt: new Date() });
      await runJob(panel.get(JobRegistry), 'certificates');
    };
    /** Makes the server unreachable from the next call on. */
    const away = () => {
      const { certificates } = panel.get(DriverRegistry).find('embedded')!;
      return vi.spyOn(certificates!, 'apply').mockResolvedValueOnce({ outcome: 'unreachable', message: 'away' });
    };
    /** Keeps the authority from delivering the certificate. */
    const holdAtCertificate = () => {
      let letGo!: () => void;
      const gate = new Promise<void>((resolve) => (letGo = resolve));
      const reached = new Promise<void>((resolve) => {
        authority.hold = async (path) => {
          if (!path.startsWith('/cert/')) return;
          resolve();
          await gate;
        };
      });
      return { reached, letGo };
    };
    afterEach(() => {
      authority.hold = null;
      vi.restoreAllMocks();
    });

    it('continues when the installation fails, and when removing one fails', async () => {
      authority.mood = 'busy';
      await order(NAMES);
      await settled({ state: 'open', problem: 'limited' });
      const before = await newest();
      for (const [gn, fields] of [
        ['setssl', await own()],
        ['clossl', {}],
      ] as const) {
        away();
        expect([gn, await user(gn, fields)]).toMatchObject([gn, { success: false, err: 'E_UNREACH' }]);
        expect(await newest()).toEqual(before);
        expect(await certificate()).toBeNull();
      }
      const page = await panel.fetch('/user/certificate', { headers: { Cookie: owner, 'Accept-Language': 'en' } });
      expect(await page.text()).toContain('Certificate order in progress');
      authority.mood = 'fine';
      await resume();
      await settled({ state: 'done' });
    });

    it.each(['setssl', 'clossl'])('stays cancelled when another one was installed while %s failed', async (gn) => {
      authority.mood = 'busy';
      await order(NAMES);
      await settled({ state: 'open', problem: 'limited' });
      const { certificates } = panel.get(DriverRegistry).find('embedded')!;
      let giveUp!: () => void;
      const asked = new Promise<void>((resolve) => {
        vi.spyOn(certificates!, 'apply').mockImplementationOnce(async () => {
          resolve();
          await new Promise<void>((then) => (giveUp = then));
          return { outcome: 'unreachable', message: 'away' };
        });
      });
      const first = user(gn, gn === 'setssl' ? await own() : {});
      await asked;
      expect(await user('setssl', await own())).toMatchObject({ success: true });
      const mine = (await certificate())!;
      giveUp();
      expect(await first).toMatchObject({ success: false, err: 'E_UNREACH' });
      expect(await newest()).toMatchObject({ state: 'failed', problem: 'cancelled', openFor: null });
      expect(await certificate()).toMatchObject({ source: 'own', version: mine.version, chain: mine.chain });
    });

    it.each([
      ['setssl', [0, 1, 2]],
      ['clossl', [1, 0, 2]],
    ])('continues when %s and two later ones fail, in the order %j', async (gn, ends) => {
      authority.mood = 'busy';
      await order(NAMES);
      await settled({ state: 'open', problem: 'limited' });
      const before = await newest();
      const { certificates } = panel.get(DriverRegistry).find('embedded')!;
      const giveUp: (() => void)[] = [];
      vi.spyOn(certificates!, 'apply').mockImplementation(async () => {
        await new Promise<void>((then) => giveUp.push(then));
        return { outcome: 'unreachable', message: 'away' };
      });
      const first = user(gn, gn === 'setssl' ? await own() : {});
      await expect.poll(() => giveUp.length).toBe(1);
      const second = user('setssl', await own());
      await expect.poll(() => giveUp.length).toBe(2);
      const third = user('setssl', await own());
      await expect.poll(() => giveUp.length).toBe(3);
      for (const at of ends) {
        giveUp[at]!();
        expect(await [first, second, third][at]).toMatchObject({ success: false, err: 'E_UNREACH' });
      }
      expect(await newest()).toEqual(before);
      expect(await certificate()).toBeNull();
      authority.mood = 'fine';
      vi.restoreAllMocks();
      await resume();
      await settled({ state: 'done' });
    });

    it('is cancelled and never replaces the installed one, whatever its state', async () => {
      const { reached, letGo } = holdAtCertificate();
      await order(NAMES);
      await reached;
      expect(await user('setssl', await own())).toMatchObject({ success: true });
      const mine = (await certificate())!;
      letGo();
      await idle();
      await resume();
      await idle();
      expect(await newest()).toMatchObject({ state: 'failed', problem: 'cancelled', openFor: null, sealedKey: null });
      expect(await certificate()).toMatchObject({ source: 'own', version: mine.version, chain: mine.chain });
      expect(await visit('www.example.com', trust.root)).toMatchObject({ status: 200 });
      const page = await panel.fetch('/user/certificate', { headers: { Cookie: owner, 'Accept-Language': 'en' } });
      expect(await page.text()).not.toMatch(/order in progress|The last order failed/);
    });

    it('continues with its key when the installation fails midway', async () => {
      const { reached, letGo } = holdAtCertificate();
      await order(NAMES);
      await reached;
      const { sealedKey } = await newest();
      away();
      expect(await user('setssl', await own())).toMatchObject({ success: false, err: 'E_UNREACH' });
      expect(await newest()).toMatchObject({ state: 'open', step: 'issuing', sealedKey });
      letGo();
      await settled({ state: 'done' });
      expect(await certificate()).toMatchObject({ source: 'acme' });
    });

    it('that would renew the replaced one is cancelled before the authority is contacted', async () => {
      expect(await user('setssl', await own())).toMatchObject({ success: true });
      const late = { accountId: id, openFor: id, isRenewal: true, step: 'waiting', names: [...NAMES], problemParams: {} };
      await use(CertificateOrder).insert({ ...late, state: 'open', directory: authority.directory, createdAt: new Date() });
      authority.asked.length = 0;
      await resume();
      await idle();
      expect(await newest()).toMatchObject({ state: 'failed', problem: 'cancelled' });
      expect([authority.asked, (await certificate())!.source]).toEqual([[], 'own']);
    });
  });

  it('succeeds although nonces are refused, and with a clock an hour ahead or behind', async () => {
    authority.mood = 'nonces';
    await order(NAMES);
    await settled({ state: 'done' });
    authority.mood = 'fine';
    for (const hours of [1, -1]) {
      const from = new Date(Date.now() + hours * 3_600_000);
      authority.times = { from, to: new Date(from.getTime() + 90 * DAY_MS) };
      await order(NAMES, 'true');
      await settled({ state: 'done' });
      expect((await certificate())!.beginsAt.getTime()).toBeLessThan(from.getTime() + 1_000);
    }
  });
});

describe('renewal', () => {
  const due = () => use(SiteCertificate).update({ accountId: id }, { renewAt: new Date(Date.now() - 1_000) });
  const care = async () => {
    await runJob(panel.get(JobRegistry), 'certificates');
    await idle();
  };
  const notices = async (part: string) => (await use(Notice).find()).filter(({ key }) => (key ?? '').includes(`certificate:${id}:${part}`));

  it('happens automatically, once, and notifies the owner', async () => {
    await order(NAMES);
    await settled({ state: 'done' });
    const first = (await certificate())!;
    await care();
    expect((await certificate())!.version).toBe(first.version);
    await due();
    await Promise.all([care(), care()]);
    await expect.poll(async () => (await certificate())!.version).not.toBe(first.version);
    await settled({ state: 'done', isRenewal: true });
    expect(await use(CertificateOrder).countBy({ accountId: id, isRenewal: true })).toBe(1);
    await expect.poll(() => notices('renewed').then(({ length }) => length)).toBe(1);
  });

  it('reports a failure once, is retried at growing intervals, and the certificate stays until it expires', async () => {
    await order(['www.example.com']);
    await settled({ state: 'done' });
    const before = (await notices('failed')).length;
    authority.refused.set('www.example.com', 'dns');
    for (let round = 1; round <= 3; round += 1) {
      await due();
      await care();
      await settled({ state: 'failed', problem: 'dns' });
      await expect.poll(certificate).toMatchObject({ renewFailures: round });
      const hours = ((await certificate())!.renewAt!.getTime() - Date.now()) / 3_600_000;
      expect([hours > 0.7 * 2 ** (round - 1), hours < 1.3 * 2 ** (round - 1)], String(hours)).toEqual([true, true]);
    }
    expect((await notices('failed')).length).toBe(before + 1);
    expect(await visit('www.example.com', authority.trust.root)).toMatchObject({ status: 200 });
    const rows = (await (
      await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'listssl' }) })
    ).json()) as { rows: object[] };
    expect(rows.rows).toEqual([
      expect.objectContaining({ user: 'owner01', state: 'failing', error: expect.stringContaining('www.example.com') as string }),
    ]);
  });

  it('drops names that point elsewhere or were unbound, and keeps the others', async () => {
    await user('tjurl', { url: 'gone.example.com' });
    await order([...NAMES, 'gone.example.com']);
    await settled({ state: 'done' });
    await user('scurl', { url: 'gone.example.com' });
    authority.refused.set('shop.example.com', 'unauthorized');
    await due();
    await care();
    await expect.poll(certificate, { timeout: 15_000 }).toMatchObject({ names: ['www.example.com'] });
    await expect.poll(() => notices('name').then(({ length }) => length)).toBe(1);
  });

  it('can be requested by an administrator for ordered certificates', async () => {
    await order(['www.example.com']);
    await settled({ state: 'done' });
    const { version } = (await certificate())!;
    expect(await panel.admin('xqssl', { id: String(id) })).toMatchObject({ success: true });
    await expect.poll(async () => (await certificate())!.version, { timeout: 15_000 }).not.toBe(version);
    await settled({ state: 'done' });
    await user('setssl', (await trust.pair({ names: ['www.example.com'] })) as never);
    expect(await panel.admin('xqssl', { id: String(id) })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('of own certificates is up to the owner, who is notified 14, 7 and 1 days before, once each', async () => {
    const told: number[] = [];
    for (const days of [20, 13, 12, 6, 0.5]) {
      await user('setssl', (await trust.pair({ names: ['www.example.com'], to: new Date(Date.now() + days * DAY_MS) })) as never);
      await care();
      await care();
      told.push((await notices('ends')).length);
    }
    expect(told).toEqual([0, 1, 2, 3, 4]);
    const ends = new Date(Date.now() + 13.5 * DAY_MS);
    await use(SiteCertificate).update({ accountId: id }, { endsAt: ends, warnedDays: 0 });
    for (const days of [13.5, 10, 6.5, 3, 0.8, 0.2]) {
      await use(SiteCertificate).update({ accountId: id }, { endsAt: new Date(Date.now() + days * DAY_MS) });
      await care();
    }
    expect((await notices('ends')).length - told.at(-1)!).toBe(3);
  });
});

describe('a certificate whose key leaked', () => {
  it('is revoked by its authority, marked so on the page, and replaced with a new key', async () => {
    await order(NAMES);
    await settled({ state: 'done' });
    const before = (await certificate())!;
    // The authority's weekly limit is used up: it is revoked anyway, and ordered as soon as possible.
    for (let n = 0; n < 5; n += 1)
      await order(NAMES, 'true').then(() => settled({ state: expect.stringMatching(/done|failed/) as string }));
    const last = (await certificate())!;
    expect(await user('dxssl')).toMatchObject({ success: true, ordered: false, code: expect.stringContaining('used up') });
    expect(authority.revoked.get(new X509Certificate(last.chain).serialNumber)).toBe(1);
    expect(await certificate()).toMatchObject({ version: last.version, renewAt: expect.any(Date), revokedAt: expect.any(Date) });
    expect((await certificate())!.renewAt!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await user('dxssl')).toMatchObject({ success: false, err: 'E_STATE' });
    const page = await (await panel.fetch('/user/certificate', { headers: { Cookie: owner, 'Accept-Language': 'en' } })).text();
    expect([page.includes('Revoked on'), page.includes('data-ajax="dxssl"')]).toEqual([true, false]);
    expect((await panel.admin('listssl')).rows).toContainEqual(expect.objectContaining({ id, state: 'revoked' }));
    await use(CertificateUse).clear();
    await runJob(panel.get(JobRegistry), 'certificates');
    await settled({ state: 'done' });
    const after = (await certificate())!;
    expect([after.revokedAt, after.version === last.version, before.version === after.version]).toEqual([null, false, false]);
    expect(await user('dxssl')).toMatchObject({ success: true, ordered: true });
    await settled({ state: 'done' });
    expect((await certificate())!.revokedAt).toBeNull();
  });

  it('stays when the authority does not answer, and the panel cannot revoke the owner’s own', async () => {
    await order(['www.example.com']);
    await settled({ state: 'done' });
    authority.mood = 'down';
    expect(await user('dxssl')).toMatchObject({ success: false, code: expect.stringContaining('maintenance') });
    authority.mood = 'fine';
    expect(await certificate()).toMatchObject({ revokedAt: null });
    await user('setssl', (await trust.pair({ names: ['www.example.com'] })) as never);
    expect(await user('dxssl')).toMatchObject({
      success: false,
      err: 'E_STATE',
      code: expect.stringContaining('was installed by the user'),
    });
    await user('clossl');
    expect(await user('dxssl')).toMatchObject({ success: false, err: 'E_STATE' });
    // Only its owner's: a host named on the user side has no effect.
    expect(await user('dxssl', { id: String(id) }, otherCookie)).toMatchObject({ success: false });
  });
});

describe('the live check', () => {
  it('requests a proof from the name, as an authority does', async () => {
    const check = panel.get(NameCheck);
    const others = { accountId: id, token: 'tok-2', name: 'www.example.com', answer: 'tok-2.print', endsAt: new Date(Date.now() + 60_000) };
    await use(CertificateProof).clear();
    await use(CertificateProof).insert(others);
    check.ask = async (url) => {
      const { hostname, pathname } = new URL(url);
      const { status, body } = await plain(hostname, pathname);
      return { code: status, body };
    };
    expect(await user('jcssl', { url: 'www.example.com' })).toMatchObject({ success: true, state: 'here', dns: 'missing' });
    check.ask = () => Promise.resolve({ code: 200, body: 'parked' });
    expect(await user('jcssl', { url: 'www.example.com' })).toMatchObject({ success: true, state: 'elsewhere', status: 200 });
    check.ask = () => Promise.resolve({ code: 0, body: '', failure: 'FAILED' });
    expect(await user('jcssl', { url: 'www.example.com' })).toMatchObject({ success: true, state: 'silent' });
    expect(await user('jcssl', { url: 'other.example.net' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    check.ask = () => Promise.resolve({ code: 0, body: '', failure: 'INTERNAL' });
    expect(await user('jcssl', { url: 'www.example.com' })).toMatchObject({ success: true, state: 'internal' });
    // The proofs of an order in progress stay.
    expect(await use(CertificateProof).find()).toMatchObject([{ token: 'tok-2' }]);
  });
});

describe('the settings', () => {
  it('enable ordering only after the terms were accepted, at an address that responds as an authority', async () => {
    await panel.get(SiteSettings).change({ acmeOn: false, acmeAgreed: '' });
    expect(await order(NAMES)).toMatchObject({ success: false, err: 'E_DISABLED' });
    for (const [fields, err] of [
      [{ kg: 'true', ml: authority.directory }, 'E_ARGS'],
      [{ kg: 'true', ty: 'true', ml: 'ftp://x' }, 'E_ARGS'],
      [{ kg: 'true', ty: 'true', ml: 'http://acme.example/directory' }, 'E_ARGS'],
      [{ kg: 'true', ty: 'true', ml: `${authority.url}/none` }, 'E_UNREACH'],
      [{ kg: 'true', ty: 'true', ml: 'https://10.0.0.1/directory' }, 'E_FORBIDDEN'],
      [{ yx: 'no mail' }, 'E_ARGS'],
    ] as const)
      expect([fields, await panel.admin('zssz', fields)]).toEqual([fields, expect.objectContaining({ success: false, err })]);
    expect(await panel.admin('zstk')).toMatchObject({ success: true, terms: 'https://terms.example/' });
    expect(await panel.admin('zssz', { kg: 'true', ty: 'true', ml: authority.directory, yx: 'me@example.com' })).toMatchObject({
      success: true,
    });
    await order(['www.example.com']);
    await settled({ state: 'done' });
    // It now has the contact address.
    expect(authority.count('/accounts/')).toBe(1);
    // Another authority has other terms.
    expect(await panel.admin('zssz', { ml: `${authority.directory}?2` })).toMatchObject({ success: false, err: 'E_ARGS' });
  });

  it('have pages on both sides, in both languages', async () => {
    await user('setssl', (await trust.pair({ names: ['www.example.com'] })) as never);
    const read = async (path: string, language: string, headers: Record<string, string>) =>
      (await panel.fetch(path, { headers: { ...headers, 'Accept-Language': language } })).text();
    for (const language of ['en', 'zh-CN']) {
      expect(await read('/user/certificate', language, { Cookie: owner })).toContain('Test E1');
      for (const path of [`/admin/host-certificate?id=${id}`, '/admin/certificates', '/admin/settings?tab=certificates'])
        expect(await read(path, language, { Cookie: panel.adminCookie }), path).toContain(
          path.includes('settings') ? authority.directory : 'owner01',
        );
    }
    expect(await read(`/admin/host?id=${id}`, 'en', { Cookie: panel.adminCookie })).toContain(`/admin/host-certificate?id=${id}`);
    for (const wrong of ['', '?id=0', '?id=99999', '?id=x'])
      expect((await panel.adminFetch(`/admin/host-certificate${wrong}`)).status, wrong).toBe(404);
    await use(HostingNode).update({ code: 'local' }, { driver: 'nobody' });
    expect(await read('/user/certificate', 'en', { Cookie: owner })).toContain('Certificates not supported on this server');
    await use(HostingNode).update({ code: 'local' }, { driver: 'embedded' });
    // Without one, the page says what can be done here.
    await user('clossl');
    const leadsToOrder = async (): Promise<boolean[]> => {
      const page = await read('/user/certificate', 'en', { Cookie: owner });
      return [page.includes('Order one below'), page.includes('Install your own certificate below')];
    };
    expect(await leadsToOrder()).toEqual([true, false]);
    await panel.get(SiteSettings).change({ acmeOn: false });
    expect(await leadsToOrder()).toEqual([false, true]);
    await panel.get(SiteSettings).change({ acmeOn: true });
    // An administrator sees what his role permits.
    const seen: boolean[][] = [];
    for (const [user, qx] of [
      ['orders01', 'getssl,sqssl'],
      ['installs', 'getssl,setssl'],
      ['looks001', 'getssl'],
      ['checks01', 'getssl,jcssl'],
    ] as const) {
      const { data } = await panel.admin('jsbc', { name: user, qx });
      await panel.admin('addadmin', { user, pass: 'a-password-of-one', js_id: String(data.id) });
      const client = await new PanelClient(panel.url).login('admin', user, 'a-password-of-one');
      const { text } = await client.send(`/admin/host-certificate?id=${id}`, { headers: { 'Accept-Language': 'en' } });
      expect(text).toContain('This site has no certificate yet');
      seen.push(
        ['Order one below', 'Install your own certificate below', 'Order certificate', 'Do the domains point here?'].map((part) =>
          text.includes(part),
        ),
      );
      // The values it asks for can be submitted.
      expect(text.includes('data-ajax="sqssl"')).toBe(qx.includes('sqssl'));
    }
    expect(seen).toEqual([
      [true, false, true, false],
      [false, true, false, false],
      [false, false, false, false],
      [false, false, false, true],
    ]);
  });
});
