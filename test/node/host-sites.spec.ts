import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Acted, DebianMachine, hasDebianMachine } from '../support/debian-machine.js';
import { MACHINE_DATABASE } from '../support/machine-database.js';
import { hashFolderPassword, MachineSite, QUOTA, SETTINGS } from '../support/machine-sites.js';

/** How the first site responds. */
const DOMAINS = [
  { name: 'www.example.test', folder: '' },
  { name: '*.wild.test', folder: '' },
  { name: 'blog.example.test', folder: 'blog' },
];

/** The life of sites on real Debian programs: nginx, PHP-FPM, MariaDB and OpenSSH in a machine of the test's own. */
describe.skipIf(!hasDebianMachine)('sites on Debian', () => {
  let machine: DebianMachine;
  let site: MachineSite;
  beforeAll(async () => {
    machine = await DebianMachine.start();
    site = await new MachineSite(machine, 'svc.1').make();
  });
  afterAll(() => machine?.dispose());

  it('report what is installed', async () => {
    const { value } = await machine.act('server.probe', null);
    expect(value).toMatchObject({
      system: expect.stringContaining('Debian') as string,
      versions: { nginx: expect.stringMatching(/^1\./) as string, mariadb: expect.stringContaining('MariaDB') as string },
      php: ['81', '82'],
      adminer: 'db.machine.test',
    });
  });

  it('are created once, with a page, and listed', async () => {
    expect(await site.get()).toEqual([200, expect.stringContaining('user-of-svc.1')]);
    expect((await site.act('site.create', { quota: QUOTA, expiresOn: null, php: '82', secret: { password: null } })).outcome).toBe(
      'already',
    );
    const stranger = new MachineSite(machine, 'svc.1', 'host:other');
    expect(await stranger.act('site.create', { quota: QUOTA, expiresOn: null, php: null, secret: { password: null } })).toMatchObject({
      outcome: 'refused',
      code: 'SITE_TAKEN',
    });
    expect(await stranger.act('site.stop')).toMatchObject({ outcome: 'refused', code: 'FOREIGN' });
    expect(await new MachineSite(machine, 'svc.nobody').act('site.stop')).toMatchObject({ outcome: 'not_found' });
    const { value } = await machine.act('site.list', null, { after: null });
    expect(value).toEqual({
      sites: [
        { siteName: 'svc.1', siteId: site.user, ownerMark: 'host:svc.1', username: 'user-of-svc.1', running: true, suspended: false },
      ],
      next: null,
    });
    expect(await site.must('site.idle')).toEqual({ files: true });
  });

  it('stop, start, are suspended and resumed', async () => {
    await site.must('site.stop');
    expect(await site.get()).toEqual([503, expect.stringContaining('503')]);
    await site.must('site.start');
    expect((await site.get())[0]).toBe(200);
    await site.must('site.suspend', { reason: 'unpaid' });
    expect((await site.act('site.suspend', { reason: 'unpaid' })).outcome).toBe('already');
    expect((await site.get())[0]).toBe(503);
    expect(await site.must('site.sync')).toMatchObject({ running: false, suspended: true });
    await site.must('site.unsuspend', { to: 'running' });
    expect((await site.get())[0]).toBe(200);
  });

  it('have domains, each with a folder, and one site never responds for another’s', async () => {
    await site.put('/index.html', 'top');
    await site.must('files.makeFolder', { path: '/blog' });
    await site.put('/blog/index.html', 'blog');
    await site.must('domains.apply', { domains: DOMAINS });
    expect((await site.act('domains.apply', { domains: [...DOMAINS].reverse() })).outcome).toBe('already');
    expect(await site.must('domains.matches', { domains: DOMAINS })).toEqual({ same: true });
    for (const [host, text] of [
      ['www.example.test', 'top'],
      ['a.wild.test', 'top'],
      ['blog.example.test', 'blog'],
    ])
      expect(await site.get('/', {}, host!)).toEqual([200, text]);
    const other = await new MachineSite(machine, 'svc.taken').make();
    const names = ['www.example.test', 'free.example.test', 'a.wild.test'];
    expect(await other.must('domains.taken', { names })).toEqual({ names: ['www.example.test'] });
    expect(await new MachineSite(machine, 'svc.comes').must('domains.taken', { names })).toEqual({ names: ['www.example.test'] });
    expect(await site.must('domains.taken', { names })).toEqual({ names: [] });
    // Its other domains are still bound.
    expect(await other.act('domains.apply', { domains: names.map((name) => ({ name, folder: '' })) })).toMatchObject({
      outcome: 'refused',
      code: 'SERVER_DOMAIN',
      params: { name: 'www.example.test' },
    });
    expect((await other.get('/', {}, 'free.example.test'))[1]).toContain('user-of-svc.taken');
    expect(await site.get('/', {}, 'www.example.test')).toEqual([200, 'top']);
    await other.must('site.terminate');
    expect(await site.must('domains.taken', { names: ['free.example.test'] })).toEqual({ names: [] });
    await other.must('bin.purge');
  });

  it('leave the names of foreign virtual hosts alone', async () => {
    const foreign = '/etc/nginx/sites-enabled/operator';
    const hosts = `# server_name commented.test;
server { listen 80; server_name shop.test "Quoted.test" *.wildcard.test .all.test ~^re.+\\.test$ _; include /etc/nginx/more-names;
  location / { return 200 "operator; server_name spoken.test"; } }
server { server_name portless.test; return 200 operator; }
server { listen 192.0.2.1:443 ssl; ssl_reject_handshake on; server_name secure.test; }
server { listen 127.0.0.1:8081; listen unix:/run/operator.sock; server_name elsewhere.test; return 200 operator; }
`;
    await machine.must(['tee', '/etc/nginx/more-names'], { input: 'server_name included.test;\n' });
    await site.must('domains.apply', { domains: [{ name: 'mine.test', folder: '' }] });
    await machine.must(['ip', 'address', 'add', '192.0.2.1/32', 'dev', 'lo']);
    await machine.must(['tee', foreign], { input: `${hosts}server { listen 80; server_name mine.test; return 200 operator; }\n` });
    try {
      const theirs = [
        'shop.test',
        'quoted.test',
        '*.wildcard.test',
        'all.test',
        '*.all.test',
        'included.test',
        'portless.test',
        'secure.test',
      ];
      // An exact name takes precedence over a wildcard, so both respond.
      const free = ['a.wildcard.test', 'a.all.test', 'rest.test', 'elsewhere.test', 'commented.test', 'spoken.test'];
      const names = [...theirs, ...free, 'mine.test', 'db.machine.test'];
      expect(await site.must('domains.taken', { names })).toEqual({ names: [...theirs, 'db.machine.test'] });
      expect(await new MachineSite(machine, 'svc.comes').must('domains.taken', { names: ['mine.test'] })).toEqual({ names: ['mine.test'] });
      const domains = ['mine.test', 'shop.test', 'a.wildcard.test'].map((name) => ({ name, folder: '' }));
      expect(await site.act('domains.apply', { domains })).toMatchObject({
        outcome: 'refused',
        code: 'SERVER_DOMAIN',
        params: { name: 'shop.test' },
      });
      expect(await site.must('domains.matches', { domains: domains.filter(({ name }) => name !== 'shop.test') })).toEqual({ same: true });
      // Its existing domains stay; "_" is the catch-all name, which is never requested.
      const warned = [...(await machine.run(['nginx', '-t'])).stderr.matchAll(/conflicting server name "([^"]+)"/g)].map(
        ([, name]) => name,
      );
      expect(new Set(warned)).toEqual(new Set(['_', 'mine.test']));
    } finally {
      await machine.must(['rm', foreign, '/etc/nginx/more-names']);
      await site.must('domains.apply', { domains: DOMAINS });
    }
  });

  it('run the given PHP version, or none', async () => {
    await site.put('/version.php', '<?php echo PHP_BINARY;');
    const masterOf = async (): Promise<string> => {
      const [, text] = await site.get('/version.php');
      return text;
    };
    expect(await masterOf()).toContain('php-fpm');
    const poolsOf = async (version: string): Promise<string> =>
      (await machine.run(['ls', `/etc/svc-hosting/php/${version[0]}.${version[1]}/pools`])).stdout;
    expect([await poolsOf('81'), await poolsOf('82')]).toEqual(['', `${site.user}.conf\n`]);
    await site.must('php.apply', { version: '81' });
    expect(await site.must('php.of')).toEqual({ version: '81' });
    expect((await site.get('/version.php'))[0]).toBe(200);
    expect([await poolsOf('81'), await poolsOf('82')]).toEqual([`${site.user}.conf\n`, '']);
    expect(await site.act('php.apply', { version: '74' })).toMatchObject({ outcome: 'refused', code: 'PHP_MISSING' });
    await site.must('php.apply', { version: null });
    expect(await site.get('/version.php')).toEqual([403, expect.not.stringContaining('<?php')]);
    await site.must('php.apply', { version: '82' });
    expect((await site.get('/version.php'))[0]).toBe(200);
  });

  it('are served as their owner configured', async () => {
    await site.put('/a.jpg', 'picture');
    await site.put('/style.css', `${'a{color:red}'.repeat(50)}`);
    await site.put('/missing.html', 'nothing here');
    await site.must('files.makeFolder', { path: '/private $area' });
    await site.put('/private $area/index.html', 'secret');
    const settings = {
      ...SETTINGS,
      redirects: [
        { id: 'r1', from: '/old/*', to: 'https://new.example.test/base', status: 301 },
        { id: 'r2', from: '/one', to: '/two', status: 302 },
      ],
      passwords: [
        { name: 'Private "$uri"', folder: 'private $area', user: 'ann', hash: await hashFolderPassword('pass word') },
        { name: 'Private', folder: 'private $area', user: 'bob', hash: await hashFolderPassword('other') },
      ],
      hotlink: { ...SETTINGS.hotlink, enabled: true, domains: ['friend.test'], status: 403 },
      cache: [{ suffix: 'css,js', time: '30d' }],
      errorPages: { ...SETTINGS.errorPages, '404': '/missing.html' },
    };
    await site.must('settings.apply', { settings });
    expect(await site.must('settings.matches', { settings })).toEqual({ same: true });
    expect(await site.leadsTo('/old/a/b?c=1')).toBe('301 https://new.example.test/base/a/b?c=1');
    // No line of the output is from a visitor.
    expect(await site.leadsTo('/old/%0d%0aSet-Cookie:x')).toMatch(/^301 https:\/\/new\.example\.test\/base\/%0[Dd]%0[Aa]Set-Cookie:x$/);
    expect(await site.leadsTo('/one')).toMatch(/^302 .*\/two$/);
    const basic = (text: string): Record<string, string> => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const folder = '/private%20$area/';
    expect((await site.get(folder))[0]).toBe(401);
    expect((await site.get(folder, basic('ann:wrong')))[0]).toBe(401);
    expect(await site.get(folder, basic('ann:pass word'))).toEqual([200, 'secret']);
    expect(await site.get(folder, basic('bob:other'))).toEqual([200, 'secret']);
    expect((await site.get('/a.jpg', { Referer: 'https://thief.test/' }))[0]).toBe(403);
    for (const from of ['https://friend.test/x', 'http://svc.1/']) expect((await site.get('/a.jpg', { Referer: from }))[0]).toBe(200);
    const style = await machine.fetch({ host: 'svc.1', path: '/style.css', headers: { 'Accept-Encoding': 'gzip' } });
    expect([style.headers['content-encoding'], style.headers['cache-control']]).toEqual(['gzip', 'max-age=2592000']);
    expect(await site.get('/nowhere')).toEqual([404, 'nothing here']);
    await site.must('settings.apply', { settings: SETTINGS });
    expect((await site.get(folder))[0]).toBe(200);
  });

  it('rewrite by a fixed set of rules', async () => {
    await site.put('/front.php', '<?php echo "front ", $_SERVER["QUERY_STRING"], " ", $_SERVER["REQUEST_URI"];');
    const rules = `# as WordPress asks for it
location / {
  try_files $uri $uri/ /front.php?$args;
}
rewrite "^/news/([0-9]{4})$" /front.php?year=$1 last;
if (!-e $request_filename) { rewrite ^/gone$ https://elsewhere.test/ permanent; }
`;
    await site.must('rewrites.apply', { rules });
    expect(await site.get('/pretty/page?x=1')).toEqual([200, 'front x=1 /pretty/page?x=1']);
    expect(await site.get('/news/2026')).toEqual([200, 'front year=2026 /news/2026']);
    expect(await site.leadsTo('/gone')).toBe('301 https://elsewhere.test/');
    expect(await site.get('/style.css')).toEqual([200, expect.stringContaining('color')]);
    expect(await site.get('/blog/', {})).toEqual([200, 'blog']);
    // Where a rule would serve a script as text, it is run instead.
    await site.must('rewrites.apply', { rules: 'location ^~ /blog { try_files $uri /front.php; }' });
    expect(await site.get('/front.php')).toEqual([200, expect.not.stringContaining('<?php')]);
    await site.put('/blog/x.php', '<?php echo 6*7;');
    expect(await site.get('/blog/x.php')).toEqual([200, '42']);
    for (const bad of [
      'root /etc;',
      'location / { alias /etc/; }',
      'location /x { proxy_pass http://127.0.0.1; }',
      'include /etc/passwd;',
      'rewrite ^ /../../etc/passwd last;',
      'try_files /../x =404;',
      'try_files /$arg_a =404;',
      'if (-f /etc/passwd) { return 403; }',
      'rewrite ^/(.*)$ /$document_root last;',
      'rewrite ^/a$ /b break;',
      'location / { try_files $uri =404;',
      'location / { } }',
      'return 200 hello;',
      'if ($uri ~ x) { set $a 1; }',
      'lua_code "x";',
    ])
      expect(await site.act('rewrites.apply', { rules: bad }), bad).toMatchObject({ outcome: 'refused', code: 'CONFIG' });
    expect(await site.get('/blog/x.php')).toEqual([200, '42']);
    await site.must('rewrites.apply', { rules: '' });
  });

  it('never serve program files, copies of them and hidden files, and say why', async () => {
    const isRefused = [403, expect.stringMatching(/这个文件不对访客开放.*This file is not for visitors/) as string];
    const names = ['run.PY', 'tool.pl', 'x.cgi', 'go.sh', 'x.phps', 'x.php7', 'x.pht', 'wp-config.php.bak', 'config.php~', '.env', 'x.env'];
    const inside = ['/blog/run.py', '/blog/.env', '/code.py/a.txt', '/blog/.well-known/a.txt', '/.well-known/.env', '/.well-known/a.sh'];
    const proofs = ['/.well-known/acme-challenge/.env', '/.well-known/acme-challenge/x.php'];
    const refused = [...names.map((name) => `/${name}`), ...inside, ...proofs];
    const served = ['/.well-known/security.txt', '/.well-known/acme-challenge/own', '/python.txt', '/a.py.txt', '/x.shop'];
    const within = (paths: readonly string[]): string[] => paths.map((path) => `${site.home}/public${path}`);
    const folders = ['/code.py', '/.well-known/acme-challenge', '/blog/.well-known'];
    await machine.must(['mkdir', '-p', ...within(folders)], { user: site.user });
    await machine.must(['tee', ...within(refused)], { user: site.user, input: 'password' });
    await machine.must(['tee', ...within(served)], { user: site.user, input: 'open' });
    const look = async (): Promise<void> => {
      for (const path of [...refused, '/missing.sh', '/.missing']) expect([path, ...(await site.get(path))]).toEqual([path, ...isRefused]);
      for (const path of served) expect([path, ...(await site.get(path))]).toEqual([path, 200, 'open']);
      expect((await site.get('/run%2Epy'))[0]).toBe(403);
    };
    await look();
    const page = await machine.fetch({ host: 'svc.1', path: '/tool.pl' });
    expect([page.headers['content-type'], page.headers['cache-control']]).toEqual(['text/html; charset=utf-8', 'no-store']);
    expect(await site.get('/front.php/deep/script.py')).toEqual([200, expect.stringContaining('front')]);
    await site.must('php.apply', { version: null });
    await look();
    expect(await site.get('/front.php')).toEqual(isRefused);
    await site.must('php.apply', { version: '82' });
    // The owner's rules apply to addresses that are no files, and cannot serve protected ones.
    const rules = 'location / { try_files $uri $uri/ /front.php?$args; } location ^~ /blog { try_files $uri /front.php; }';
    await site.must('rewrites.apply', { rules });
    for (const path of refused) expect([path, ...(await site.get(path))]).toEqual([path, ...isRefused]);
    expect(await site.get('/old/page.asp?x=1')).toEqual([200, 'front x=1 /old/page.asp?x=1']);
    expect(await site.get('/blog/page.jsp')).toEqual([200, 'front  /blog/page.jsp']);
    expect(await site.get('/.missing')).toEqual(isRefused);
    await site.must('rewrites.apply', { rules: '' });
    await site.put('/own.html', 'my own words');
    await site.must('settings.apply', { settings: { ...SETTINGS, errorPages: { ...SETTINGS.errorPages, '403': '/own.html' } } });
    for (const path of ['/go.sh', '/.env', '/blog/.env']) expect(await site.get(path)).toEqual([403, 'my own words']);
    await site.must('settings.apply', { settings: SETTINGS });
  });

  it('get the configuration of a newer agent when it starts', async () => {
    const file = `/etc/svc-hosting/nginx/sites/${site.user}.conf`;
    const now = await machine.must(['cat', file]);
    await machine.must(['tee', file], { input: now.replaceAll('return 403', 'return 404') });
    await machine.restart();
    expect(await machine.must(['cat', file])).toBe(now);
    await expect.poll(async () => (await site.get('/go.sh'))[0]).toBe(403);
    // When nginx would not load, they stay as they are.
    const old = now.replaceAll('return 403', 'return 410');
    await machine.must(['tee', file], { input: old });
    await machine.must(['sh', '-c', 'echo "broken {" > /etc/nginx/conf.d/zz-owner.conf']);
    await machine.restart();
    expect(await machine.must(['cat', file])).toBe(old);
    await machine.must(['rm', '/etc/nginx/conf.d/zz-owner.conf']);
    await machine.restart();
    expect(await machine.must(['cat', file])).toBe(now);
  });

  it('get it even if the stored rule of another site is no longer readable: that one keeps its configuration and runs on', async () => {
    // Its name sorts first, so it is processed first.
    const other = await new MachineSite(machine, 'svc.0').make();
    await other.must('rewrites.apply', { rules: 'rewrite ^/from$ /to permanent;' });
    await machine.must(['sed', '-i', 's#rewrite ^/from#lua_code ^/from#', `/var/lib/svc-agent/sites/${other.user}.json`]);
    const fileOf = ({ user }: MachineSite): string => `/etc/svc-hosting/nginx/sites/${user}.conf`;
    const [now, kept] = [await machine.must(['cat', fileOf(site)]), `# kept\n${await machine.must(['cat', fileOf(other)])}`];
    await machine.must(['tee', fileOf(site)], { input: now.replaceAll('return 403', 'return 404') });
    await machine.must(['tee', fileOf(other)], { input: kept });
    await machine.restart();
    expect(await machine.must(['cat', fileOf(site)])).toBe(now);
    expect(await machine.must(['cat', fileOf(other)])).toBe(kept);
    expect(await other.leadsTo('/from')).toMatch(/^301 .*\/to$/);
    expect(await machine.must(['grep', '-rh', 'lua_code', '/var/lib/svc-agent/log'])).toMatch(
      /A site keeps its previous virtual hosts.*svc\.0/,
    );
    // The owner's next change is readable, and brings the configuration of the newer agent.
    await other.must('rewrites.apply', { rules: '' });
    expect(await machine.must(['cat', fileOf(other)])).not.toContain('# kept');
    await other.must('site.terminate');
    await other.must('bin.purge');
  });

  it('have certificates, and respond to authorities whatever is required of visitors', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
    const made = (name: string): { chain: string; key: string } => {
      const [key, chain] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
      const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
      execFileSync('openssl', ['req', '-x509', ...how, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', chain], {
        stdio: 'ignore',
      });
      return { chain: readFileSync(chain, 'utf8'), key: readFileSync(key, 'utf8') };
    };
    try {
      const [first, second] = [made('www.example.test'), made('other.test')];
      const names = ['www.example.test'];
      const apply = (certificate: object | null) => site.act('certificate.apply', { secret: { certificate } });
      expect(await apply({ names, chain: first.chain, key: second.key, forceHttps: false })).toMatchObject({ code: 'CONFIG' });
      expect(await apply({ names, ...first, forceHttps: true })).toMatchObject({ outcome: 'ok' });
      expect(await apply({ names, ...first, forceHttps: true })).toMatchObject({ outcome: 'already' });
      const secure = await machine.fetch({ host: 'www.example.test', secure: true });
      expect([secure.status, secure.body]).toEqual([200, 'top']);
      expect(await site.leadsTo('/a?b', 'www.example.test')).toBe('301 https://www.example.test/a?b');
      // Names it does not cover stay as they were.
      expect((await site.get('/', {}, 'blog.example.test'))[0]).toBe(200);
      const stat = await machine.must(['find', '/etc/svc-hosting/certificates', '-type', 'f', '-printf', '%f %m %u\n']);
      expect(stat.trim().split('\n').sort()).toEqual(['chain.pem 600 root', 'key.pem 600 root']);
      const proofs = [{ name: 'www.example.test', token: 'tok-en_1', answer: 'tok-en_1.answer' }];
      await site.must('proofs.apply', { proofs });
      const path = '/.well-known/acme-challenge/tok-en_1';
      expect(await site.get(path, {}, 'www.example.test')).toEqual([200, 'tok-en_1.answer']);
      // The owner's own files there are served, unless they are protected or of another user.
      const own = (name: string) => site.get(`/.well-known/acme-challenge/${name}`, {}, 'www.example.test');
      await machine.must(['ln', '-s', '/etc/passwd', `${site.home}/public/.well-known/acme-challenge/link`], { user: site.user });
      expect(await own('own')).toEqual([200, 'open']);
      expect(await own('x.php')).toEqual([403, expect.stringContaining('not for visitors')]);
      expect((await own('link'))[0]).toBe(404);
      await site.must('site.suspend', { reason: 'x' });
      expect(await site.get(path, {}, 'www.example.test')).toEqual([200, 'tok-en_1.answer']);
      await site.must('site.unsuspend', { to: 'running' });
      await site.must('proofs.apply', { proofs: [] });
      expect((await site.get(path, {}, 'www.example.test'))[0]).toBe(404);
      expect(await apply(null)).toMatchObject({ outcome: 'ok' });
      expect(await machine.run(['find', '/etc/svc-hosting/certificates', '-type', 'f'])).toMatchObject({ stdout: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('go to the bin with nothing accessible, are restored as they were, and are destroyed', async () => {
    // One process across reloads: data sent during a reload is not sent to a process that is ending.
    const php = (): Promise<string> => machine.must(['cat', '/run/svc-hosting/php-82.pid']);
    const running = await php();
    const gone = await new MachineSite(machine, 'svc.2').make();
    await gone.put('/kept.txt', 'kept');
    await gone.must('databases.create', { name: gone.user, most: 1, secret: { password: 'p' } });
    await gone.must('site.terminate');
    expect((await gone.act('site.terminate')).outcome).toBe('already');
    expect((await gone.get())[0]).not.toBe(200);
    expect(await gone.act('site.sync')).toMatchObject({ outcome: 'not_found' });
    expect(await gone.must('bin.has')).toEqual({ kept: true });
    expect((await machine.run(['mariadb', '--no-defaults', '-e', 'SELECT 1'], { user: gone.user })).code).not.toBe(0);
    const back = await new MachineSite(machine, 'svc.3').make();
    await back.must('bin.restore', { kept: gone.ref });
    expect((await back.act('bin.restore', { kept: gone.ref })).outcome).toBe('already');
    expect(await back.get('/kept.txt')).toEqual([200, 'kept']);
    expect(await machine.must(['ls', '/srv/svc'])).not.toContain(back.user);
    expect((await machine.run(['mariadb', '--no-defaults', '-e', 'SELECT 1'], { user: gone.user })).code).toBe(0);
    // Its database is its old one, by its current id.
    expect(back.user).not.toBe(gone.user);
    for (const [action, args] of [
      ['databases.create', { most: 1, secret: { password: 'another password' } }],
      ['databases.password', { secret: { password: 'another password' } }],
      ['databases.access', { hosts: ['192.0.2.7'] }],
      ['databases.size', {}],
      ['databases.clear', {}],
    ] as const)
      await back.must(action, { name: back.user, ...args });
    expect(await back.must('databases.list')).toMatchObject({ databases: [{ name: gone.user, hosts: ['192.0.2.7'] }] });
    await back.must('site.terminate');
    await back.must('bin.purge');
    expect((await back.act('bin.purge')).outcome).toBe('not_found');
    expect(await php()).toBe(running);
    const left = await machine.run(['grep', '-r', gone.user, '/etc/passwd', '/etc/group', '/etc/svc-hosting', '/var/lib/svc-agent']);
    expect([left.stdout, await machine.must(['ls', '/srv/svc'])]).toEqual(['', `${site.user}\n`]);
    const users = await machine.must([
      'mariadb',
      '--no-defaults',
      '-N',
      '-e',
      `SELECT User FROM mysql.global_priv WHERE User LIKE 'svc%' OR User LIKE 'kept%'`,
    ]);
    expect(users).toBe('');
  });

  it('have databases with allowed addresses only, and report the failing statement or a full disk', async () => {
    const name = site.user;
    const access = (...hosts: string[]) => site.act('databases.access', { name, hosts });
    await site.must('databases.create', { name, most: 1, secret: { password: 'p' } });
    for (const wrong of ['%%', '192.0.2', '192.0.2.0/24', 'abc', ':::'])
      expect(await access('192.0.2.7', wrong)).toMatchObject({ outcome: 'refused', code: 'DATABASE_ACCESS', params: { addresses: wrong } });
    expect(await site.must('databases.list')).toMatchObject({ databases: [{ hosts: [] }] });
    for (const right of ['192.0.2.7', '2001:db8::1', '%']) expect(await access(right)).toMatchObject({ outcome: 'ok' });
    // The client repeats a statement before it reports what is wrong.
    const run = (body: string) => site.act('databases.import', { name, empty: true }, { body });
    expect(await run(`CREATE TABLE t (a TEXT, a TEXT); -- ${'x'.repeat(3_000)}`)).toMatchObject({
      code: 'DATABASE_SQL',
      params: { answer: expect.stringMatching(/^ERROR 1060 .* line 1: Duplicate column name 'a'$/) as string },
    });
    // A table in memory has its own limit.
    const grows = (engine: string) => `CREATE TABLE t (a CHAR(250)) ENGINE=${engine};${"INSERT INTO t VALUES ('x');".repeat(2_000)}`;
    expect(await run(`SET max_heap_table_size=16384;${grows('MEMORY')}`)).toMatchObject({ outcome: 'refused', code: 'DATABASE_SQL' });
    expect(await run(grows('InnoDB'))).toMatchObject({ outcome: 'ok' });
    const folder = `/run/database/${name}`;
    await site.must('databases.clear', { name });
    await machine.must(['sh', '-c', `mount -t tmpfs -o size=8m,mode=777 none ${folder}`]);
    await machine.must(['sh', '-c', `dd if=/dev/zero of=${folder}/fill bs=4k 2>/dev/null; true`]);
    const full = await site.act('databases.import', { name, empty: false }, { body: 'CREATE TABLE u (a TEXT);' });
    await machine.must(['rm', `${folder}/fill`]);
    const large = `CREATE TABLE t (a LONGTEXT);${"INSERT INTO t VALUES (REPEAT('x', 10000));".repeat(1_500)}`;
    const fuller = await site.act('databases.import', { name, empty: false }, { body: large });
    // MariaDB's data in memory finds space, or it would exit.
    await machine.must(['mount', '-o', 'remount,size=60m', folder]);
    await machine.must(['mariadb', '--no-defaults', '-e', `DROP TABLE ${name}.t`]);
    await machine.must(['umount', folder]);
    for (const one of [full, fuller]) expect([one.message, one.code]).toEqual([one.message, 'DISK_FULL']);
    await site.must('databases.drop', { name });
  });

  it('report a full disk when MariaDB exited because of it, and otherwise the database’s own message', async () => {
    const name = site.user;
    const sql = (text: string): Promise<string> => machine.must(['mariadb', '--no-defaults', '-N', '-e', text]);
    await site.must('databases.create', { name, most: 1, secret: { password: 'p' } });
    /** The result of an import whose server exits midway, and of a request for its databases then. */
    const cutShort = async (disk: 'roomy' | 'full'): Promise<Acted[]> => {
      const told = site.act('databases.import', { name, empty: false }, { body: 'SELECT SLEEP(60);' });
      const sleeps = "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(60)%'";
      await expect.poll(() => sql(sleeps), { timeout: 10_000 }).toBe('1\n');
      // InnoDB must be able to write its data in memory sooner or later.
      if (disk === 'full') await machine.must(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/run/database']);
      await machine.end('mariadb', 'SIGKILL');
      const answers = [await told, await site.act('databases.list')];
      // A server that exits removes its socket.
      await machine.must(['rm', '/run/mysqld/mysqld.sock']);
      answers.push(await site.act('databases.create', { name, most: 1, secret: { password: 'p' } }));
      if (disk === 'full') await machine.must(['umount', '/run/database']);
      await machine.launch('mariadb', MACHINE_DATABASE);
      await expect.poll(() => sql('SELECT 1').catch(() => ''), { timeout: 30_000 }).toBe('1\n');
      return answers;
    };
    const [lost, after, stopped] = await cutShort('roomy');
    expect(lost).toMatchObject({ code: 'DATABASE_SQL', params: { answer: expect.stringContaining('Lost connection') as string } });
    for (const one of [after, stopped]) expect(one).toMatchObject({ outcome: 'refused', code: 'PROGRAM' });
    for (const { outcome, code, message } of await cutShort('full'))
      expect([outcome, code, message]).toEqual(['refused', 'DISK_FULL', message]);
    await site.must('databases.drop', { name });
  }, 60_000);

  it('are not backed up when that would fill the disk, of which a fiftieth stays free', async () => {
    const sh = (command: string): Promise<string> => machine.must(['sh', '-c', command]);
    const disk = async (): Promise<{ size: number; free: number }> => {
      const [size, free] = (await sh('df -B1 --output=size,avail /var/lib/svc-hosting/archives | tail -1')).trim().split(/ +/).map(Number);
      return { size: size!, free: free! };
    };
    const backUp = () => site.act('backups.make', { deed: 'room', name: 'room.tar.gz', secret: { url: null } });
    await sh(`head -c 20000000 /dev/urandom >/srv/svc/${site.user}/public/large.bin`);
    const { size, free } = await disk();
    try {
      // Space for the archive, but not for it and the rest.
      await sh(`head -c ${Math.floor(free - size / 50 - 10_000_000)} /dev/zero >/srv/filler`);
      const before = await disk();
      expect(before.free).toBeGreaterThan(20_500_000);
      expect(await backUp()).toMatchObject({ outcome: 'refused', code: 'DISK_FULL' });
      expect(Math.abs((await disk()).free - before.free)).toBeLessThan(1_000_000);
      expect(await sh('find /var/lib/svc-hosting/archives -name "room*"')).toBe('');
      await sh(`truncate -s 5000000 /srv/svc/${site.user}/public/large.bin`);
      await site.must('backups.make', { deed: 'room', name: 'room.tar.gz', secret: { url: null } });
    } finally {
      await sh(`rm -f /srv/filler /srv/svc/${site.user}/public/large.bin`);
    }
    await site.must('backups.remove', { name: 'room.tar.gz' });
  });

  it('lose nothing and keep nothing when a restore is cancelled', async () => {
    await site.put('/kept.txt', 'kept');
    // A large file, so that the restore takes some time.
    await machine.must(['sh', '-c', `head -c 30000000 /dev/urandom >${site.home}/public/large.bin`]);
    const { size, sha256, content } = await site.must('backups.make', { deed: 'b', name: 'b.tar.gz', secret: { url: null } });
    const args = { deed: 'r', archive: { name: 'b.tar.gz', size, sha256, content }, space: 2 ** 30, secret: { url: null } };
    await site.put('/kept.txt', 'changed');
    const restoring = `${site.home}/work/restoring`;
    const [given, after] = await Promise.all([
      site.act('backups.restore', args, { stopAt: restoring }),
      // Requested again immediately, it waits until the cleanup is done.
      site.act('backups.restore', { ...args, deed: 's' }),
    ]);
    expect([given.code, after.outcome]).toEqual(['LATE', 'ok']);
    expect(await site.get('/kept.txt')).toEqual([200, 'kept']);
    await site.put('/kept.txt', 'changed');
    expect(await site.act('backups.restore', args, { stopAt: restoring })).toMatchObject({ code: 'LATE' });
    expect((await machine.run(['ls', restoring])).code).not.toBe(0);
    expect(await site.get('/kept.txt')).toEqual([200, 'changed']);
    await machine.must(['rm', `${site.home}/public/large.bin`]);
    await site.must('backups.remove', { name: 'b.tar.gz' });
  });

  it('never activate an nginx configuration that does not load: others continue', async () => {
    // The server's owner has broken another part of the configuration.
    await machine.must(['sh', '-c', 'echo "broken {" > /etc/nginx/conf.d/zz-owner.conf']);
    const domains = [{ name: 'late.test', folder: '' }];
    expect(await site.act('domains.apply', { domains })).toMatchObject({ outcome: 'refused', code: 'CONFIG' });
    expect(await site.get()).toEqual([200, 'top']);
    expect(await machine.must(['cat', `/etc/svc-hosting/nginx/sites/${site.user}.conf`])).not.toContain('late.test');
    expect(await site.must('domains.matches', { domains })).toEqual({ same: false });
    await machine.must(['rm', '/etc/nginx/conf.d/zz-owner.conf']);
    await site.must('domains.apply', { domains });
    expect(await site.get('/', {}, 'late.test')).toEqual([200, 'top']);
  });
});
