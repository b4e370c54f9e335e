import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DebianMachine, hasDebianMachine } from '../support/debian-machine.js';
import { MachineSite, SETTINGS } from '../support/machine-sites.js';

/** What an owner tries in order to access another one's data, on real Debian programs. */
describe.skipIf(!hasDebianMachine)('sites of one server do not reach each other', () => {
  let machine: DebianMachine;
  let mine: MachineSite;
  let other: MachineSite;
  beforeAll(async () => {
    machine = await DebianMachine.start();
    mine = await new MachineSite(machine, 'svc.mine').make();
    other = await new MachineSite(machine, 'svc.other').make();
    for (const [site, name] of [
      [mine, 'mine_db'],
      [other, 'mineXdb'.toLowerCase()],
      [other, 'other_db'],
    ] as const)
      await site.must('databases.create', { name, most: 9, secret: { password: `password of ${name}` } });
    await other.put('/secret.txt', 'the secret');
    await other.put('/config.php', '<?php $password = "the secret";');
    await machine.must([
      'mariadb',
      '--no-defaults',
      '-e',
      'CREATE TABLE other_db.t (a TEXT); INSERT INTO other_db.t VALUES ("the secret")',
    ]);
    // The permissions a careless owner leaves.
    await machine.must(['chmod', '-R', '777', `${other.home}/public`]);
    await machine.must(['chmod', '750', `${other.home}/public`]);
  });
  afterAll(() => machine?.dispose());

  /** Arguments for adding a command, which runs only on request. */
  const put = (more: object) => ({
    command: { id: 'c1', schedule: '* * * * *', argv: ['true'], folder: '', seconds: 20, enabled: false, ...more },
    most: 10,
  });

  /** The output of a program that runs as the user of my site. */
  const asMe = async (...argv: string[]): Promise<string> => {
    const { stdout, stderr } = await machine.run(argv, { user: mine.user });
    return stdout + stderr;
  };

  it('by files, as the user itself', async () => {
    expect(await asMe('cat', `${other.home}/public/secret.txt`)).toContain('Permission denied');
    expect(await asMe('ls', '/srv/svc')).toContain('Permission denied');
    for (const folder of ['public', 'work', 'trash', 'tmp', 'sessions', 'logs', 'adminer'])
      expect(await asMe('ls', `${other.home}/${folder}`), folder).toContain('Permission denied');
    expect(await asMe('sh', '-c', `echo x > ${other.home}/public/x`)).toContain('Permission denied');
    expect(await asMe('sh', '-c', `mv ${mine.home}/public ${mine.home}/public2`)).toContain('Permission denied');
    for (const place of ['/etc/svc-hosting/certificates', '/var/lib/svc-hosting/archives', '/var/lib/svc-agent'])
      expect(await asMe('sh', '-c', `ls ${place}/*`), place).toMatch(/Permission denied|No such file/);
  });

  it('by PHP, whatever it does', async () => {
    const tries = [
      `readfile('${other.home}/public/secret.txt')`,
      `readfile('/etc/passwd')`,
      `include '${other.home}/public/config.php'; echo $password ?? ''`,
      `copy('${other.home}/public/secret.txt', 'mine.txt')`,
      `print_r(scandir('${other.home}/tmp'))`,
      `print_r(glob('/srv/svc/*'))`,
      `symlink('${other.home}/public/secret.txt', 'link.txt')`,
      `echo file_get_contents('php://filter/resource=${other.home}/public/secret.txt')`,
      `ini_set('open_basedir', '/'); readfile('/etc/passwd')`,
      `system('id')`,
      `echo shell_exec('id')`,
      `echo \`id\``,
      `putenv('LD_PRELOAD=/tmp/x.so'); mail('a@b', '', '')`,
      `print_r(opcache_get_status())`,
      `echo fsockopen('unix://${'/run/svc-hosting/'}${other.user}-82.sock') ? 'the secret' : ''`,
      `readfile('/proc/1/environ')`,
      `include 'data://text/plain,<?php echo "the sec" . "ret";'`,
    ];
    for (const code of tries) {
      const said = await mine.php(`ini_set('display_errors', '1'); try { ${code}; } catch (Throwable $e) { echo get_class($e); }`);
      expect(said, code).not.toMatch(/the secret|root:x:|uid=\d/);
    }
    expect(
      await mine.php('echo posix_getpwuid(posix_geteuid())["name"], " ", ini_get("session.save_path"), " ", sys_get_temp_dir();'),
    ).toBe(`${mine.user} ${mine.home}/sessions ${mine.home}/tmp`);
  });

  it('by symbolic links that nginx would follow', async () => {
    await machine.must(['ln', '-s', `${other.home}/public/secret.txt`, `${mine.home}/public/link.txt`], { user: mine.user });
    await machine.must(['ln', '-s', other.home, `${mine.home}/public/folder`], { user: mine.user });
    await machine.must(['ln', '-s', '/etc/passwd', `${mine.home}/public/passwd.txt`], { user: mine.user });
    for (const path of ['/link.txt', '/folder/public/secret.txt', '/passwd.txt'])
      expect([403, 404], path).toContain((await mine.get(path))[0]);
    // Rules that would lead outside are rejected, however the dots are combined.
    await mine.must('rewrites.apply', { rules: `rewrite "^/(\\.)a/(.*)$" /$1$1/$2 last;` });
    expect((await mine.get(`/.a/../${other.user}/public/secret.txt`))[0]).not.toBe(200);
    expect([400, 403]).toContain((await mine.get(`/.a/${other.user}/public/secret.txt`))[0]);
    await mine.must('rewrites.apply', { rules: '' });
    const out = `../../${other.user}/public`;
    for (const folder of [out, `blog/../${out}`, '..'])
      expect(await mine.act('domains.apply', { domains: [{ name: 'out.test', folder }] }), folder).toMatchObject({
        outcome: 'refused',
        code: 'CONFIG',
      });
    expect(await mine.act('settings.apply', { settings: { ...SETTINGS, runFolder: out } })).toMatchObject({
      outcome: 'refused',
      code: 'CONFIG',
    });
    await mine.must('settings.apply', { settings: { ...SETTINGS, errorPages: { ...SETTINGS.errorPages, '404': `/${out}/secret.txt` } } });
    expect((await mine.get('/nowhere'))[1]).not.toContain('the secret');
    await mine.must('settings.apply', { settings: SETTINGS });
    expect(await mine.act('domains.apply', { domains: [{ name: 'svc.other', folder: '' }] })).toMatchObject({
      outcome: 'refused',
      code: 'SERVER_DOMAIN',
    });
    expect((await machine.fetch({ host: 'nobody.test' })).status).toBe(404);
  });

  it('by paths and archives of the panel', async () => {
    for (const path of ['/../../etc/passwd', `/../../${other.user}/public/secret.txt`, '/link.txt', '/folder/public/secret.txt']) {
      expect((await mine.act('files.read', { path, most: 1_000 })).outcome, path).toBe('refused');
      expect((await mine.act('files.write', { path, isNew: false, version: null, space: 100 }, { body: 'x' })).outcome, path).toBe(
        'refused',
      );
    }
    const foreign = { ...other.ref, mark: mine.ref.mark };
    expect(await machine.act('files.read', foreign, { path: '/secret.txt', most: 100 })).toMatchObject({
      outcome: 'refused',
      code: 'FOREIGN',
    });
  });

  it('by databases: names of others, wildcards in grants, the socket', async () => {
    const sql = (statement: string, ...how: string[]): Promise<string> =>
      asMe('mariadb', '--no-defaults', ...how, '--batch', '--skip-column-names', '-e', statement);
    expect(await sql('SHOW DATABASES')).toBe('information_schema\nmine_db\n');
    expect(await sql('SELECT * FROM other_db.t')).toContain('denied');
    // "_" in a grant stands for any letter unless escaped.
    expect(await sql('CREATE TABLE minexdb.t (a INT)')).toContain('denied');
    expect(await sql('SELECT 1', `--user=${other.user}`)).toContain('denied');
    expect(await sql('SELECT 1', '--user=root')).toContain('denied');
    expect(await sql("SELECT LOAD_FILE('/etc/passwd')")).toBe('NULL\n');
    expect(await sql("SELECT 1 INTO OUTFILE '/tmp/x'")).toContain('denied');
    expect(await sql('SET GLOBAL general_log = 1')).toContain('denied');
    expect(await sql('SELECT 1', '--user=mine_db', '--password=password of mine_db')).toBe('1\n');
    expect(await sql('SELECT * FROM other_db.t', '--user=mine_db', '--password=password of mine_db')).toContain('denied');
    for (const name of ['other_db', 'mysql', other.user])
      expect(await mine.act('databases.create', { name, most: 9, secret: { password: 'x' } }), name).toMatchObject({
        code: 'DATABASE_TAKEN',
      });
    expect(await mine.act('databases.drop', { name: 'other_db' })).toMatchObject({ outcome: 'already' });
    expect(await mine.act('databases.password', { name: 'other_db', secret: { password: 'x' } })).toMatchObject({
      code: 'DATABASE_NONE',
    });
  });

  it('by imported SQL: it reads no files, starts nothing, and touches no other database', async () => {
    const tries = [
      '\\! id > /tmp/owned',
      'system id > /tmp/owned',
      'source /etc/passwd',
      "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t",
      'USE other_db',
      'DROP TABLE other_db.t',
      'tee /tmp/owned',
    ];
    for (const text of tries) {
      const { outcome, code } = await mine.act(
        'databases.import',
        { name: 'mine_db', empty: false },
        { body: `CREATE TABLE IF NOT EXISTS t (a TEXT);\n${text};\n` },
      );
      expect([outcome, code], text).toEqual(['refused', 'DATABASE_SQL']);
    }
    expect((await machine.run(['ls', '/tmp/owned'])).code).not.toBe(0);
    expect(await machine.must(['mariadb', '--no-defaults', '-N', '-e', 'SELECT * FROM other_db.t; SELECT COUNT(*) FROM mine_db.t'])).toBe(
      'the secret\n0\n',
    );
    await mine.must(
      'databases.import',
      { name: 'mine_db', empty: true },
      { body: "CREATE TABLE mine (a TEXT); INSERT INTO mine VALUES ('it''s');" },
    );
    const { body } = await mine.act('databases.export', { name: 'mine_db' });
    expect(Buffer.from(body!, 'base64').subarray(0, 2).toString('hex')).toBe('1f8b');
  });

  it('by commands: their own user, no shell, no view of others', async () => {
    const run = async (...argv: string[]): Promise<{ exit: number; output: string }> => {
      await mine.must('commands.put', put({ argv }));
      return (await mine.must('commands.run', { id: 'c1' })) as { exit: number; output: string };
    };
    expect((await run('id', '-un')).output).toBe(`${mine.user}\n`);
    expect((await run('echo', '$(id)', '`id`', '; id', '| id', '&& id', '$HOME')).output).toBe('$(id) `id` ; id | id && id $HOME\n');
    expect((await run('cat', `${other.home}/public/secret.txt`)).output).toContain('Permission denied');
    expect((await run('ls', '/proc/1/fd')).output).toMatch(/Permission denied|No such file/);
    expect(
      (await run('ps', '-e', '-o', 'user=')).output
        .trim()
        .split('\n')
        .filter((user) => user.slice(0, 7) !== mine.user.slice(0, 7)),
    ).toEqual([]);
    expect((await run('php', '-r', `readfile('${other.home}/public/secret.txt');`)).output).toMatch(/open_basedir|denied/);
    expect(await mine.act('commands.run', { id: 'nothing' })).toMatchObject({ outcome: 'refused', code: 'COMMAND_MISSING' });
    expect(await run('no-such-program')).toMatchObject({ exit: 127, output: expect.stringContaining('does not exist') as string });
  });

  it('by commands: one site neither sees nor changes those of another', async () => {
    await mine.must('commands.put', put({ argv: ['echo', 'mine'] }));
    await mine.must('commands.run', { id: 'c1' });
    expect(await other.must('commands.of')).toMatchObject({ commands: [] });
    expect(await other.must('commands.runs', { id: 'c1' })).toEqual({ runs: [] });
    await other.must('commands.put', put({ argv: ['echo', 'other'] }));
    await other.must('commands.remove', { id: 'c1' });
    expect(((await mine.must('commands.of')).commands as unknown[]).length).toBe(1);
    expect((await mine.must('commands.runs', { id: 'c1' })).runs).toHaveProperty(
      '0',
      expect.objectContaining({ exit: 0, output: 'mine\n' }),
    );
    const thief = new MachineSite(machine, mine.name, 'host:somebody-else');
    for (const [action, args] of [
      ['commands.of', {}],
      ['commands.put', put({ argv: ['id'] })],
      ['commands.remove', { id: 'c1' }],
      ['commands.run', { id: 'c1' }],
      ['commands.runs', { id: 'c1' }],
    ] as const)
      expect([action, await thief.act(action, args)]).toMatchObject([action, { outcome: 'refused', code: 'FOREIGN' }]);
    const logs = await machine.must(['find', '/var/lib/svc-agent/runs', '-not', '-user', 'root', '-o', '-perm', '/077']);
    expect(logs).toBe('');
  });

  it('by commands: limited in duration and number, and not while the site is out of service', async () => {
    await mine.must('commands.put', put({ argv: ['sh', '-c', 'setsid sleep 300 & sleep 300 & sleep 300'], seconds: 1 }));
    const began = Date.now();
    expect((await mine.must('commands.run', { id: 'c1' })).exit).toBe(-9);
    expect(Date.now() - began).toBeLessThan(15_000);
    const left = await machine.run(['pgrep', '-r', 'D,R,S,T', '-u', mine.user, '-x', 'sleep']);
    expect(left.stdout).toBe('');
    await mine.must('commands.put', put({ argv: ['sh', '-c', 'head -c 3000000 /dev/zero | tr "\\\\0" x; echo the end'] }));
    const { output } = (await mine.must('commands.run', { id: 'c1' })) as { output: string };
    expect(output.length).toBeLessThanOrEqual(8_000);
    expect(output).toMatch(/xthe end\n$/);
    for (const schedule of ['99 * * * *', '* * * *', '5-1 * * * *', '*/0 * * * *', '* * * * * *', '@daily', '* * * * *; id'])
      expect([schedule, (await mine.act('commands.put', put({ schedule }))).outcome]).toEqual([schedule, 'refused']);
    for (const wrong of [{ seconds: 3_601 }, { seconds: 0 }, { id: '../c1' }, { argv: [] }, { argv: ['a\nb'] }, { folder: '/' }])
      expect([wrong, await mine.act('commands.put', put(wrong))]).toMatchObject([wrong, { outcome: 'refused', code: 'ARGUMENTS' }]);
    expect(await mine.act('commands.put', { ...put({ id: 'c2' }), most: 1 })).toMatchObject({ outcome: 'refused', code: 'TOO_MANY' });
    await mine.must('site.suspend', { reason: '' });
    expect(await mine.act('commands.run', { id: 'c1' })).toMatchObject({ outcome: 'refused', code: 'SUSPENDED' });
    await mine.must('site.unsuspend', { to: 'running' });
  });

  it('by SFTP: a session sees its own folder, and nobody has a shell', async () => {
    await machine.must(['ssh-keygen', '-A']);
    await machine.must(['/usr/sbin/sshd']);
    await machine.must(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', '/root/key']);
    const key = (await machine.must(['cat', '/root/key.pub'])).trim();
    await mine.must('sftp.keys', { keys: [key] });
    const how = [
      '-i',
      '/root/key',
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'LogLevel=ERROR',
      '-o',
      'BatchMode=yes',
    ];
    const sftp = (commands: string, user = mine.user): Promise<{ code: number; stdout: string; stderr: string }> =>
      machine.run(['sftp', ...how, '-b', '-', `${user}@127.0.0.1`], { input: commands });
    const seen = await sftp('pwd\nls /\nls /..\nput /etc/hostname up.txt\n');
    expect([seen.code, seen.stdout]).toEqual([0, expect.stringContaining('Remote working directory: /public')]);
    expect(seen.stdout).not.toMatch(/(?:^|\s)(?:etc|srv)(?:\s|$)/);
    expect(await machine.must(['stat', '-c', '%U', `${mine.home}/public/up.txt`])).toBe(`${mine.user}\n`);
    for (const commands of [
      'get /etc/passwd /tmp/p\n',
      `get ../../${other.user}/public/secret.txt /tmp/p\n`,
      'get /public/link.txt /tmp/p\n',
      'put /etc/hostname /x\n',
    ])
      expect((await sftp(commands)).code, commands).not.toBe(0);
    expect((await sftp('pwd\n', other.user)).code).not.toBe(0);
    const shell = await machine.run(['ssh', ...how, `${mine.user}@127.0.0.1`, 'id']);
    expect(shell.stdout).not.toContain('uid=');
    const forward = await machine.run([
      'ssh',
      ...how,
      '-N',
      '-o',
      'ExitOnForwardFailure=yes',
      '-W',
      '127.0.0.1:80',
      `${mine.user}@127.0.0.1`,
    ]);
    expect(forward.code).not.toBe(0);
    await mine.must('sftp.switch', { enabled: false });
    expect((await sftp('pwd\n')).code).not.toBe(0);
    await mine.must('sftp.switch', { enabled: true });
    expect((await sftp('pwd\n')).code).toBe(0);
    await mine.must('site.suspend', { reason: '' });
    expect((await sftp('pwd\n')).code).not.toBe(0);
    await mine.must('site.unsuspend', { to: 'running' });
    expect(await mine.must('sftp.of')).toEqual({ enabled: true, user: mine.user, port: 22, hasPassword: true, keys: 1 });
    expect(await machine.must(['grep', '-c', 'correct horse', '-r', '/var/lib/svc-agent', '/etc/svc-hosting']).catch(() => 'none')).toBe(
      'none',
    );
  });

  it('by Adminer: one ticket, once, for one site, as its user', async () => {
    const ticket = 'ab'.repeat(32);
    const { url } = await mine.must('databases.door', { name: 'mine_db', seconds: 60, secret: { ticket } });
    expect(url).toBe(`http://db.machine.test/${mine.user}/?ticket=`);
    const at = (
      path: string,
      cookie = '',
    ): Promise<{ status: number; body: string; headers: Record<string, string | string[] | undefined> }> =>
      machine.fetch({ host: 'db.machine.test', path, headers: cookie ? { Cookie: cookie } : {} });
    const here = `/${mine.user}/`;
    expect((await at(here)).status).toBe(403);
    expect((await at(`/${other.user}/?ticket=${ticket}`)).status).toBe(403);
    const entered = await at(`${here}?ticket=${ticket}`);
    // No redirect: a browser coming from the panel would not send the cookie.
    expect(entered.status).toBe(200);
    const cookies = [entered.headers['set-cookie']].flat().map(String);
    expect(cookies[0]).toMatch(/^svc_adminer=[0-9a-f]{64}; path=\/svc[0-9a-f]{8}\/; HttpOnly; SameSite=Strict$/i);
    const cookie = cookies[0]!.split(';')[0]!;
    expect((await at(`${here}?ticket=${ticket}`)).status).toBe(403);
    const to = /content="0;url=([^"]+)"/.exec(entered.body)![1]!.replaceAll('&amp;', '&');
    const page = await at(to, cookie);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('mine')]);
    expect(page.body).toContain('Adminer');
    // Whatever the query requests, the page uses this user on this server.
    for (const query of [
      '?server=127.0.0.1&username=root&db=mysql',
      `?server=&username=${other.user}&db=other_db`,
      '?sqlite=&db=/etc/passwd',
    ])
      expect((await at(`${here}${query}`, cookie)).body, query).not.toMatch(/the secret|other_db|root:x/);
    expect((await at(`/${other.user}/`, cookie)).status).toBe(403);
    expect((await at('/', cookie)).status).toBe(404);
    const old = 'cd'.repeat(32);
    await mine.must('databases.door', { name: 'mine_db', seconds: 1, secret: { ticket: old } });
    await expect
      .poll(
        async () =>
          (await machine.must(['date', '+%s'])) > '' &&
          (await machine.run(['find', `${mine.home}/adminer`, '-name', 'ticket-*', '-mmin', '+0.05'])).stdout,
      )
      .not.toBe('');
    expect((await at(`${here}?ticket=${old}`)).status).toBe(403);
    expect(await mine.act('databases.door', { name: 'other_db', seconds: 60, secret: { ticket } })).toMatchObject({ outcome: 'refused' });
  });

  it('by values that are special to a program', async () => {
    const signs = [
      '$(id)',
      '`id`',
      ';id',
      '|id',
      '&id',
      '\n',
      "'",
      '"',
      '\\',
      '$uri',
      '${x}',
      '{',
      '}',
      '#',
      '*',
      '?',
      '~',
      '%n',
      '../',
      '-rf',
      '--help',
    ];
    for (const sign of signs) {
      const text = `a${sign}b`;
      const password = `pass ${sign} word`;
      if (sign !== '\n') {
        await mine.must('site.password', { secret: { password } });
        await mine.must('databases.password', { name: 'mine_db', secret: { password } });
        const login = ['--no-defaults', '--user=mine_db', `--password=${password}`, '--batch', '-N', '-e', 'SELECT 1'];
        expect(await asMe('mariadb', ...login), sign).toBe('1\n');
        await mine.must('settings.apply', {
          settings: {
            ...SETTINGS,
            indexes: ['index.php', 'index.html', text.replaceAll('/', '')],
            redirects: [{ id: text, from: `/${text}`, to: `/${text}`, status: 302 }],
            passwords: [{ name: text, folder: `x/${text.replaceAll('/', '')}`, user: text, hash: 'scrypt$x$y' }],
            errorPages: { '403': `/${text}`, '404': null, '503': null },
          },
        });
        expect((await mine.get('/up.txt'))[0], sign).toBe(200);
      }
      const refused = await machine.act(
        'site.create',
        { ...mine.ref, name: `svc${sign}x` },
        { quota: {}, expiresOn: null, php: null, secret: { password: null } },
      );
      expect([refused.outcome, refused.code], sign).toEqual(['refused', 'ARGUMENTS']);
      expect(await mine.act('databases.create', { name: text, most: 9, secret: { password } }), sign).toMatchObject({ code: 'ARGUMENTS' });
      expect(await mine.act('domains.apply', { domains: [{ name: `${text} x`, folder: '' }] }), sign).toMatchObject({ code: 'ARGUMENTS' });
      expect(await mine.act('php.apply', { version: text }), sign).toMatchObject({ code: 'ARGUMENTS' });
    }
    expect(await machine.act('shell.run', mine.ref, {})).toMatchObject({ outcome: 'refused', code: 'UNKNOWN_ACTION' });
    expect(await machine.act('__proto__', mine.ref, {})).toMatchObject({ outcome: 'refused', code: 'UNKNOWN_ACTION' });
    expect(await mine.act('site.stop', { more: 1 })).toMatchObject({ outcome: 'refused', code: 'ARGUMENTS' });
    expect(await machine.act('site.create', mine.ref, { password: 'not sealed', quota: {}, expiresOn: null, php: null })).toMatchObject({
      code: 'ARGUMENTS',
    });
    expect((await mine.get('/up.txt'))[0]).toBe(200);
  });
});
