/** The driver for BaoTa servers, given invalid responses, sites of others, symbolic links, and names that are special to a shell. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  callDriver,
  type DriverTurn,
  type DriverDomain,
  type DriverNode,
  DriverRegistry,
  type DriverResult,
  type HostDriver,
  type SiteSpecification,
} from '../src/hosting/index.js';
import { PanelConnections, signature } from '../src/hosting/baota/client/index.js';

import { FAKE_PANEL_KEY, FakeBaota } from './support/fake-baota.js';
import { TestPanel } from './support/panel.js';

const whole = { folder: '/', sort: 'name', descending: false, offset: 0, limit: 100 } as const;

let panel: TestPanel;
let fake: FakeBaota;
let secure: FakeBaota;
let driver: HostDriver;
let count = 0;

beforeAll(async () => {
  [panel, fake, secure] = await Promise.all([TestPanel.start(), FakeBaota.start(), FakeBaota.start({ secure: true })]);
  driver = panel.get(DriverRegistry).find('baota')!;
});
afterAll(async () => {
  await Promise.all([panel?.close(), fake?.close(), secure?.close()]);
});
beforeEach(() => {
  fake.instead = fake.silent = fake.allowed = null;
  fake.isOn = true;
  fake.free = '28G';
  fake.sites.fails = {};
});

const call = <Value>(work: (deadline: AbortSignal) => Promise<DriverResult<Value>>, ms?: number) => callDriver(work, ms);
const siteOn = (node: DriverNode = fake.node()): SiteSpecification => {
  const siteName = `svc.${(count += 1)}abc`;
  const rest = { siteId: '', password: 'secret-1', quota: { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 }, expiresOn: null };
  return { node, username: `customer${count}`, siteName, ownerMark: `host:${count}:${siteName}`, ...rest };
};
const make = async (site = siteOn()): Promise<SiteSpecification> => {
  const made = await call((deadline) => driver.create(site, deadline));
  if (!('value' in made)) throw new Error(JSON.stringify(made));
  return { ...site, siteId: made.value.siteId };
};

describe('requests to a server panel', () => {
  it('are signed as its own source code does it', () => {
    expect(signature(FAKE_PANEL_KEY, 1_795_228_338)).toEqual({
      request_time: '1795228338',
      request_token: '6bac938d3e3e55a10766fe30b2dfbb39',
    });
  });

  it('keep the session of the panel', async () => {
    const before = fake.remembered;
    await call((deadline) => driver.probe(fake.node(), deadline));
    await call((deadline) => driver.probe(fake.node(), deadline));
    expect(fake.remembered).toBeGreaterThan(before);
  });
});

describe('an invalid response from a server panel', () => {
  const probe = (node = fake.node(), ms?: number) => call((deadline) => driver.probe(node, deadline), ms);
  const problem = (code: string) => ({ outcome: 'refused', problem: { code } });

  it('is reported by its cause', async () => {
    expect(await probe(fake.node({ panelKey: 'wrong' }))).toMatchObject(problem('PANEL_KEY'));
    expect(await probe(fake.node({ panelKey: '' }))).toMatchObject(problem('PANEL_KEY'));
    expect(await probe(fake.node({ address: '' }))).toMatchObject(problem('PANEL_ADDRESS'));
    fake.allowed = ['192.0.2.1'];
    expect(await probe()).toMatchObject({ ...problem('PANEL_IP'), problem: { code: 'PANEL_IP', params: { ip: '127.0.0.1' } } });
    fake.allowed = null;
    fake.isOn = false;
    expect(await probe()).toMatchObject(problem('PANEL_API_OFF'));
    fake.isOn = true;
    for (let turn = 0; turn < 20; turn += 1) await probe(fake.node({ panelKey: 'wrong' }));
    expect(await probe()).toMatchObject(problem('PANEL_BANNED'));
    Object.assign(fake, { failures: 0 });
    expect((await probe()).outcome).toBe('ok');
  });

  it('is never accepted as valid', async () => {
    const answers: [string, number, string, string][] = [
      ['a page that says nothing is here', 404, '<html><h1>404 Not Found</h1></html>', 'refused'],
      ['a page of something else', 200, '<!doctype html><p>Welcome to nginx!</p>', 'refused'],
      ['a proxy without its server', 502, '<html>502 Bad Gateway</html>', 'unknown'],
      ['nothing', 200, '', 'unknown'],
      ['half of one', 200, '{"system":', 'unknown'],
      ['a number', 200, '7', 'unknown'],
      ['a list in its message', 200, '{"status":false,"msg":["no","<b>way</b>"]}', 'refused'],
    ];
    for (const [what, status, body, outcome] of answers) {
      fake.instead = (_call, _fields, res) => (res.writeHead(status).end(body), true);
      expect([what, (await probe()).outcome]).toEqual([what, outcome]);
    }
    fake.instead = (_call, _fields, res) => (res.writeHead(200).end('{"status":false,"msg":["no","<b>way</b>"]}'), true);
    expect(await probe()).toMatchObject({ message: 'no way' });
  });

  it('does not keep the driver waiting forever, and redirects are not followed', async () => {
    fake.silent = () => true;
    expect((await probe(fake.node(), 300)).outcome).toBe('unknown');
    fake.silent = null;
    const asked = secure.asked.length;
    fake.instead = (_call, _fields, res) => (res.writeHead(302, { Location: `http://127.0.0.1:${secure.port}/x` }).end(), true);
    expect(await probe()).toMatchObject(problem('PANEL_API_OFF'));
    fake.instead = (_call, _fields, res) => (res.writeHead(302, { Location: `https://localhost:${secure.port}/x` }).end(), true);
    expect(await probe()).toMatchObject(problem('PANEL_API_OFF'));
    expect(secure.asked).toHaveLength(asked);
    const away = async (node: Partial<DriverNode>, code: string, address: string): Promise<void> =>
      expect(await probe(fake.node(node))).toMatchObject({ outcome: 'unreachable', problem: { code, params: { address } } });
    await away({ port: 1 }, 'CONNECT_REFUSED', '127.0.0.1:1');
    await away({ address: 'server.invalid' }, 'CONNECT_NAME', `server.invalid:${fake.port}`);
    await away({ secure: true }, 'CONNECT_TLS', `127.0.0.1:${fake.port}`);
  });

  it('ends long work when the server stops responding, before its response or in the middle of a file', async () => {
    const { timeouts } = panel.get(PanelConnections);
    const usual = { ...timeouts };
    Object.assign(timeouts, { answer: 400, body: 400 });
    try {
      const site = await make();
      const turn = (): DriverTurn => ({ id: `silent${(count += 1)}`, signal: new AbortController().signal, progress: () => undefined });
      const backUp = () => driver.backups!.make(site, { name: `${site.siteName}.tar.gz` }, turn());
      fake.stalls = true;
      expect(await backUp()).toMatchObject({ outcome: 'unknown', message: 'The server panel stopped responding.' });
      fake.stalls = false;
      fake.instead = (name) => name === '/files GetDir';
      expect(await backUp()).toMatchObject({ outcome: 'unknown', message: 'The server panel stopped responding.' });
      fake.instead = null;
      expect((await backUp()).outcome).toBe('ok');
      await call((deadline) => driver.backups!.remove(site, `${site.siteName}.tar.gz`, deadline));
      // A slow reader still gets the whole file.
      const at = fake.disk.at(`/www/wwwroot/${site.siteName}/large.bin`);
      writeFileSync(at, Buffer.alloc(24 * 1_048_576));
      const opened = await call((deadline) => driver.files!.open(site, '/large.bin', deadline));
      if (!('value' in opened)) throw new Error(JSON.stringify(opened));
      let bytes = 0;
      for await (const chunk of opened.value.content as AsyncIterable<Buffer>) {
        if (bytes === 0) await setTimeout(1_500);
        bytes += chunk.length;
      }
      expect(bytes).toBe(24 * 1_048_576);
    } finally {
      Object.assign(timeouts, usual);
      fake.stalls = false;
    }
  });

  it('is rejected when the certificate is not the pinned one', async () => {
    expect(await probe(secure.node())).toMatchObject(problem('CERTIFICATE_UNKNOWN'));
    expect(secure.asked).toEqual([]);
    const learned = await call((deadline) => driver.learn!(secure.node(), deadline));
    const { certificate = '' } = 'value' in learned ? learned.value : {};
    expect(certificate).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    for (const pin of [certificate, certificate.replaceAll(':', '').toLowerCase(), `sha256 ${certificate}`])
      expect((await probe(secure.node({ settings: { certificate: pin } }))).outcome).toBe('ok');
    const asked = secure.asked.length;
    const other = `${certificate.slice(0, -2)}${certificate.endsWith('00') ? '01' : '00'}`;
    const changed = await probe(secure.node({ settings: { certificate: other } }));
    expect(changed).toMatchObject({ problem: { code: 'CERTIFICATE_CHANGED', params: { fingerprint: certificate } } });
    expect(secure.asked).toHaveLength(asked);
    // A panel that requires https gets the whole request again over https.
    fake.instead = (_call, _fields, res) => (res.writeHead(301, { Location: `https://127.0.0.1:${secure.port}/` }).end(), true);
    expect((await probe(fake.node({ settings: { certificate } }))).outcome).toBe('ok');
  });
});

describe('a site on a server panel', () => {
  const stands = (site: SiteSpecification) => fake.state.sites.some(({ name }) => name === site.siteName);

  it('is removed when it was created only in part, and the error says what is missing', async () => {
    for (const [fails, text] of [
      [{ ftp: true }, 'FTP'],
      [{ database: true }, 'MySQL'],
      [{ ftp: true, database: true }, 'FTP, MySQL'],
    ] as const) {
      fake.sites.fails = fails;
      const site = siteOn();
      const made = await call((deadline) => driver.create(site, deadline));
      expect(made).toMatchObject({ outcome: 'refused', problem: { code: 'SERVER_PARTIAL', params: { text } } });
      expect(stands(site)).toBe(false);
      expect([...fake.state.ftps, ...fake.state.databases].some(({ name }) => name === site.username)).toBe(false);
    }
  });

  it('is created once when the response was lost', async () => {
    const site = siteOn();
    fake.silent = (asked) => asked === '/site AddSite';
    expect((await call((deadline) => driver.create(site, deadline), 500)).outcome).toBe('unknown');
    fake.silent = null;
    expect((await call((deadline) => driver.create(site, deadline))).outcome).toBe('already');
    expect(fake.state.sites.filter(({ name }) => name === site.siteName)).toHaveLength(1);
  });

  it('is never mistaken for one with the same name prefix, or for one that later got its id', async () => {
    const site = await make();
    await make({ ...siteOn(), siteName: `${site.siteName}.longer`, ownerMark: `host:900:${site.siteName}.longer` });
    expect((await call((deadline) => driver.stop(site, deadline))).outcome).toBe('ok');
    expect(fake.state.sites.filter(({ status }) => status === '0').map(({ name }) => name)).toEqual([site.siteName]);
    // The server is reinstalled: ids start again, and this id now belongs to someone else's site.
    fake.state.reset();
    const stranger = await make();
    const late = { ...site, siteId: stranger.siteId };
    expect((await call((deadline) => driver.terminate(late, deadline))).outcome).toBe('not_found');
    expect(stands(stranger)).toBe(true);
  });

  it('is left alone when it carries a foreign mark; an imported site gets its own mark', async () => {
    const site = await make();
    const row = fake.state.sites.find(({ name }) => name === site.siteName)!;
    for (const ps of ['host:99999:other', 'my own site', '']) {
      row.ps = ps;
      for (const [what, run] of Object.entries({
        terminate: (deadline: AbortSignal) => driver.terminate({ ...site, siteId: '' }, deadline),
        stop: (deadline: AbortSignal) => driver.stop({ ...site, siteId: '' }, deadline),
        php: (deadline: AbortSignal) => driver.php!.use({ ...site, siteId: '' }, '74', deadline),
        files: (deadline: AbortSignal) => driver.files!.discard({ ...site, siteId: '' }, ['/index.html'], deadline),
        database: (deadline: AbortSignal) => driver.database!.changePassword({ ...site, siteId: '' }, 'stolen-1', deadline),
      }))
        expect([ps, what, await call<unknown>(run)]).toMatchObject([ps, what, problemOf('SITE_FOREIGN')]);
    }
    row.ps = 'host:99999:other';
    expect(await call((deadline) => driver.stop(site, deadline))).toMatchObject(problemOf('SITE_FOREIGN'));
    row.ps = '由其他面板创建';
    expect((await call((deadline) => driver.stop(site, deadline))).outcome).toBe('ok');
    expect(row.ps).toBe(site.ownerMark);
  });

  it('does not get a domain of another site there, which the error names; its other domains are bound', async () => {
    const [site, other] = [await make(), await make()];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name: `${name}${count}.example.com`, folder: '' })) as [
      DriverDomain,
      DriverDomain,
      DriverDomain,
    ];
    const apply = (of: SiteSpecification, ...domains: DriverDomain[]) => call((deadline) => driver.domains!.apply(of, domains, deadline));
    const taken = (name: string) => ({ outcome: 'refused', problem: { code: 'SERVER_DOMAIN', params: { name } } });
    const inFolder = ({ name }: DriverDomain): DriverDomain => ({ name, folder: 'shop' });
    expect((await apply(other, a, inFolder(b))).outcome).toBe('ok');
    expect(await apply(site, a, c)).toMatchObject(taken(a.name));
    expect(await apply(site, b, c)).toMatchObject(taken(b.name));
    expect(await apply(site, inFolder(a), c)).toMatchObject(taken(a.name));
    expect(await apply(site, inFolder(b), c)).toMatchObject(taken(b.name));
    // It has its own name, and the other domains it was given.
    expect((await apply(site, { name: site.siteName, folder: '' }, c)).outcome).toBe('already');
    // Refusals for other reasons are passed on in the panel's own words.
    expect(await apply(site, { name: 'not_a_name', folder: '' }, c)).toEqual({ outcome: 'refused', message: '域名格式不正确' });
  });

  it('is not backed up when that would fill the disk', async () => {
    const site = await make();
    const backUp = () =>
      call(() =>
        driver.backups!.make(
          site,
          { name: `${site.siteName}.tar.gz` },
          { id: `room${(count += 1)}`, signal: AbortSignal.timeout(20_000), progress: () => undefined },
        ),
      );
    // 2 % of 40 GB stay free.
    fake.free = '0.8G';
    expect(await backUp()).toMatchObject({ outcome: 'refused', problem: { code: 'DISK_FULL' } });
    expect(existsSync(fake.disk.at('/www/backup/svc')) ? readdirSync(fake.disk.at('/www/backup/svc')) : []).toEqual([]);
    fake.free = '0.9G';
    expect((await backUp()).outcome).toBe('ok');
  });

  it('keeps its folder when another site uses it', async () => {
    const [site, other] = [await make(), await make()];
    const path = fake.state.sites.find(({ name }) => name === site.siteName)!.path;
    fake.state.sites.find(({ name }) => name === other.siteName)!.path = `${path}/below`;
    expect((await call((deadline) => driver.terminate(site, deadline))).outcome).toBe('ok');
    expect(fake.disk.size(path)).toBeGreaterThan(0);
    expect(stands(site)).toBe(false);
  });

  it('rejects names, passwords and paths that are special to a shell', async () => {
    for (const more of [{ username: 'root' }, { username: 'a$(id)b' }, { username: 'much.too.long.for.mysql' }])
      expect(await call((deadline) => driver.create({ ...siteOn(), ...more }, deadline))).toMatchObject(problemOf('SERVER_NAME'));
    for (const password of ["it's-wrong", 'a`id`bcd', '密码密码密码', '$(reboot)'])
      expect(await call((deadline) => driver.create({ ...siteOn(), password }, deadline))).toMatchObject(problemOf('SERVER_PASSWORD'));
    const site = await make();
    const space = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
    for (const name of ['a;id', '$(id)', '`id`', 'a b&c', "it's", 'a|b', '-rf', '#x', '*', 'a\\b']) {
      const written = await call((deadline) =>
        driver.files!.write(site, { path: `/${name}`, bytes: Buffer.from('x'), isNew: true }, space, deadline),
      );
      expect([name, written.outcome]).toEqual([name, 'refused']);
      expect([name, (await call((deadline) => driver.files!.makeFolder(site, `/${name}`, deadline))).outcome]).toEqual([name, 'refused']);
      expect([name, (await call((deadline) => driver.files!.discard(site, [`/${name}`], deadline))).outcome]).not.toEqual([
        name,
        'unknown',
      ]);
    }
    expect(fake.files.dangerous).toEqual([]);
  });

  const problemOf = (code: string) => ({ outcome: 'refused', problem: { code } });
});

describe('symbolic links in a site on a server panel', () => {
  it('are not followed by any call, wherever they occur in a path', async () => {
    const site = await make();
    const files = driver.files!;
    const space = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
    const turn = () => ({ id: `links${(count += 1)}`, signal: AbortSignal.timeout(20_000), progress: () => undefined });
    const root = fake.disk.at(`/www/wwwroot/${site.siteName}`);
    mkdirSync(fake.disk.at('/etc/deep'), { recursive: true });
    writeFileSync(fake.disk.at('/etc/shadow'), 'TOP-SECRET');
    symlinkSync(fake.disk.at('/etc/shadow'), join(root, 'soft.txt'));
    symlinkSync(fake.disk.at('/etc'), join(root, 'away'));
    symlinkSync('nowhere', join(root, 'dangling'));
    mkdirSync(join(root, 'plain'));
    writeFileSync(join(root, 'plain', 'a.txt'), 'a');
    symlinkSync(fake.disk.at('/etc/shadow'), join(root, 'plain', 'link.txt'));
    const bytes = Buffer.from('written');
    const calls: Record<string, (path: string) => Promise<DriverResult<unknown>>> = {
      read: (path) => call((deadline) => files.read(site, path, 100, deadline)),
      open: (path) => call((deadline) => files.open(site, path, deadline)),
      size: (path) => call((deadline) => files.size(site, path, deadline)),
      write: (path) => call((deadline) => files.write(site, { path, bytes, isNew: false }, space, deadline)),
      create: (path) => call((deadline) => files.write(site, { path, bytes, isNew: true }, space, deadline)),
      makeFolder: (path) => call((deadline) => files.makeFolder(site, path, deadline)),
      discard: (path) => call((deadline) => files.discard(site, [path], deadline)),
      run: (path) => call(() => driver.database!.run(site, `${path}.sql`, turn())),
      unpack: (path) => call(() => files.unpack(site, { archive: `${path}.zip`, folder: '/' }, space, turn())),
    };
    for (const path of ['/soft.txt', '/away', '/away/shadow', '/away/deep/x', '/plain/link.txt'])
      for (const [name, run] of Object.entries(calls)) expect([name, path, (await run(path)).outcome]).toEqual([name, path, 'refused']);
    expect((await call((deadline) => files.list(site, { ...whole, folder: '/away' }, deadline))).outcome).toBe('refused');
    const listed = await call((deadline) => files.list(site, whole, deadline));
    const types = 'value' in listed ? Object.fromEntries(listed.value.entries.map(({ name, type }) => [name, type])) : {};
    expect(types).toMatchObject({ 'soft.txt': 'other', away: 'other', plain: 'folder', 'index.html': 'file' });
    expect(types).not.toHaveProperty('.user.ini');
    const packed = await call(() => files.pack(site, { folder: '/', names: ['plain'], archive: '/all.zip' }, space, turn()), 20_000);
    expect(packed).toMatchObject({ outcome: 'ok', value: { done: 2, left: 1 } });
    const copied = await call(() => files.copy(site, { from: '/', names: ['plain', 'soft.txt'], to: '/plain' }, space, turn()), 20_000);
    expect(copied.outcome).toBe('refused');
    await call((deadline) => files.makeFolder(site, '/copies', deadline));
    expect(
      await call(() => files.copy(site, { from: '/', names: ['plain', 'soft.txt'], to: '/copies' }, space, turn()), 20_000),
    ).toMatchObject({
      value: { done: 2, left: 2 },
    });
    expect(readdirSync(join(root, 'copies', 'plain'))).toEqual(['a.txt']);
    const backedUp = await call(() => driver.backups!.make(site, { name: `${site.siteName}.tar.gz` }, turn()), 20_000);
    expect('value' in backedUp && backedUp.value.left).toBeGreaterThanOrEqual(3);
    expect(readFileSync(fake.disk.at('/etc/shadow'), 'utf8')).toBe('TOP-SECRET');
    expect(readdirSync(fake.disk.at('/etc')).sort()).toEqual(['deep', 'shadow']);
  });

  it('are not followed when the folder of the site itself is one', async () => {
    const site = await make();
    const root = fake.disk.at(`/www/wwwroot/${site.siteName}`);
    rmSync(root, { recursive: true });
    symlinkSync(fake.disk.at('/www/server'), root);
    const listed = await call((deadline) => driver.files!.list(site, whole, deadline));
    expect(listed).toMatchObject({ outcome: 'refused', problem: { code: 'SPECIAL' } });
  });
});
