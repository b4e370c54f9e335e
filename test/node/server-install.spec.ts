import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testEngine } from '../support/database.js';
import { TestPanel } from '../support/panel.js';

const SCRIPT = readFileSync(new URL('../../agent/server-install.sh', import.meta.url), 'utf8');
/** Root creates a system with `debootstrap`; the panel's database makes no difference to it. */
const canBootstrap = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap') && testEngine === 'sqlite';
/** Replacement of `apt-get` that records its calls and only simulates installations. */
const APT =
  '#!/bin/sh\necho "$@" >>/var/log/apt-calls\n[ "$1" = install ] && exec /usr/bin/apt-get.real --simulate ' +
  '"$@"\nexec /usr/bin/apt-get.real "$@"\n';
const SYSTEMCTL = '#!/bin/sh\necho "$@" >>/var/log/systemctl-calls\n';

/** The installer, on a bare Debian 12 in a folder, which needs root and `debootstrap`. */
describe.skipIf(!canBootstrap)('an installation on a bare system (needs root and debootstrap)', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-bare-'));
  let panel: TestPanel;
  let serverId: string;
  let bare: string[];

  beforeAll(async () => {
    execFileSync('debootstrap', ['--variant=minbase', '--include=wget', 'bookworm', root], { stdio: 'ignore' });
    renameSync(at('/usr/bin/apt-get'), at('/usr/bin/apt-get.real'));
    writeFileSync(at('/usr/bin/apt-get'), APT, { mode: 0o755 });
    panel = await TestPanel.start();
    await panel.admin('addbt', { bh: 'bare', driver: 'agent', ip: '192.0.2.10' });
    serverId = ((await panel.admin('listbt')).rows as unknown as Record<string, string>[]).find(({ btdh }) => btdh === 'bare')!.id!;
    bare = files();
  }, 400_000);
  afterAll(async () => {
    await panel?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const at = (path: string): string => join(root, path);
  /** Everything an installation may change, except the contents of packages. */
  const files = (): string[] =>
    execFileSync('find', ['etc', 'opt', 'srv', 'usr', 'var/lib', '-not', '-path', 'var/lib/apt/*'], { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((path) => !/ld\.so\.cache|usr\/local\/bin\/node/.test(path))
      .sort();
  /** Runs the script like the displayed command: from standard input, without a terminal. */
  const run = (...args: string[]): Promise<{ code: number | null; said: string }> =>
    new Promise((resolve, reject) => {
      const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
      const child = spawn('chroot', [root, 'sh', '-s', '--', ...args], { env, detached: true });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.on('error', reject).on('close', (code) => resolve({ code, said }));
      child.stdin.on('error', () => undefined).end(SCRIPT);
    });
  const token = async (): Promise<string> =>
    /--token '([0-9a-f]{48})'/.exec(String((await panel.admin('nodeaz', { id: serverId })).data.command))![1]!;
  const config = (): Record<string, unknown> =>
    JSON.parse(readFileSync(at('/etc/svc-agent/agent.json'), 'utf8')) as Record<string, unknown>;

  it('says how to get Node when it is missing', async () => {
    const { code, said } = await run('--panel', panel.url, '--token', 'a'.repeat(48));
    expect(code).toBe(1);
    expect(said).toContain('apt-get install -y --no-install-recommends nodejs');
    expect(files()).toEqual(bare);
    copyFileSync(process.execPath, at('/usr/local/bin/node'));
  });

  it('rejects an address that could be intercepted', async () => {
    for (const address of [
      'http://panel.example.com',
      'http://127.0.0.1.example.com',
      'http://127.0.0.1@example.com',
      'http://localhost.example.com:80',
      'https://user:pass@example.com',
      'ftp://127.0.0.1',
      'https://',
    ]) {
      const { code, said } = await run('--panel', address, '--token', 'a'.repeat(48));
      expect([address, code, said]).toEqual([address, 1, expect.stringMatching(/must start with https:\/\/|must not contain a user name/)]);
    }
    const direct = await run('--panel', 'http://127.0.0.1.example.com', '--token', 'x');
    expect(direct.code).toBe(1);
    expect(files()).toEqual(bare);
  });

  it('says what it will change, and changes nothing without consent or with an invalid token', async () => {
    const { code, said } = await run('--panel', panel.url, '--token', await token());
    expect(code).toBe(1);
    expect(said).toMatch(/Debian packages to install: nginx .*mariadb-server/);
    expect(said).toContain('File to write: /opt/svc-agent/svc-agent.mjs');
    expect(said).toContain('Config with secrets to write, readable only by root');
    expect(said).toContain('run this again with --yes');
    expect(files()).toEqual(bare);
    const wrong = await run('--panel', panel.url, '--token', 'a'.repeat(48), '--yes', '--scan-only');
    expect([wrong.code, wrong.said]).toEqual([
      1,
      expect.stringContaining('The installation token is wrong, used or expired: create a new installation command'),
    ]);
    expect(existsSync(at('/etc/svc-agent/agent.json'))).toBe(false);
    // Everything written by then is removed.
    expect((await run('--undo', '--yes')).code).toBe(0);
    expect(files()).toEqual(bare);
  });

  it('installs the Debian packages, the agent, its units and its config', async () => {
    mkdirSync(at('/run/systemd/system'), { recursive: true });
    writeFileSync(at('/usr/bin/systemctl'), SYSTEMCTL, { mode: 0o755 });
    bare = files();
    const { code, said } = await run('--panel', panel.url, '--token', await token(), '--yes', '--adminer-name', 'db.example.com');
    expect([code, said]).toEqual([0, expect.stringContaining('Done. Log of the agent: journalctl -u svc-agent')]);
    for (const name of ['nginx', 'mariadb-server', 'openssh-server', 'php8.2-fpm', 'adminer']) expect(said).toContain(`\nInst ${name} (`);
    expect(readFileSync(at('/var/log/apt-calls'), 'utf8')).toMatch(/^install .* adminer .*php-mysql/m);
    expect(statSync(at('/etc/svc-agent/agent.json')).mode & 0o777).toBe(0o600);
    expect(config()).toMatchObject({ svc_url: panel.url, hosting: { adminer_name: 'db.example.com' }, sites_root: '/srv/svc' });
    expect(readFileSync(at('/etc/systemd/system/svc-agent.service'), 'utf8')).toContain(
      'ExecStart=/usr/local/bin/node /opt/svc-agent/svc-agent.mjs',
    );
    expect(readFileSync(at('/var/log/systemctl-calls'), 'utf8')).toBe(
      'daemon-reload\nenable --quiet svc-agent.service\nrestart svc-agent.service\n',
    );
    const check = execFileSync('chroot', [root, '/usr/local/bin/node', '/opt/svc-agent/svc-agent.mjs', '--version'], { encoding: 'utf8' });
    expect(check).toMatch(/\d+\.\d+/);
  });

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('writes units that systemd accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-units-'));
    try {
      cpSync(at('/etc/systemd/system'), folder, { recursive: true, filter: (path) => !path.endsWith('.wants') });
      // On the bare system neither systemd nor the started programs except Node exist: the units are verified on this machine.
      const unit = readFileSync(join(folder, 'svc-agent.service'), 'utf8').replace('/usr/local/bin/node', process.execPath);
      writeFileSync(join(folder, 'svc-agent.service'), unit);
      const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', 'svc-agent.service'], { encoding: 'utf8', env });
      expect([status, stderr]).toEqual([0, '']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('can be repeated: secrets stay, no token is needed, and existing files are not reported as written', async () => {
    const before = config();
    const { code, said } = await run('--yes');
    expect(code).toBe(0);
    expect(said).not.toContain('File to write');
    expect(config()).toEqual(before);
    const renewed = await run('--panel', panel.url, '--token', await token(), '--yes');
    expect(renewed.code).toBe(0);
    expect(config().node_id).toBe(before.node_id);
    expect(config().node_secret).not.toBe(before.node_secret);
    expect(config().hosting).toEqual({ adminer_name: 'db.example.com' });
  });

  it('gives an agent that only scans no further permissions, however often it is upgraded', async () => {
    const dropIn = '/etc/systemd/system/svc-agent.service.d/hosting.conf';
    expect(existsSync(at(dropIn))).toBe(true);
    const { code, said } = await run('--scan-only', '--yes');
    expect([code, said]).toEqual([0, expect.stringContaining(`File to remove: ${dropIn}`)]);
    expect([existsSync(at(dropIn)), config().hosting]).toEqual([false, false]);
    expect(await run('--yes')).toMatchObject({ code: 0, said: expect.not.stringContaining('Debian packages') as string });
    expect([existsSync(at(dropIn)), config().hosting]).toEqual([false, false]);
  });

  it('names a config it cannot read', async () => {
    const file = at('/etc/svc-agent/agent.json');
    const good = readFileSync(file);
    writeFileSync(file, '{ "svc_url": ');
    expect(await run('--yes')).toMatchObject({ code: 1, said: expect.stringContaining('is not valid JSON') as string });
    writeFileSync(file, good);
  });

  it('is uninstalled, but not while it has sites', async () => {
    mkdirSync(at('/var/lib/svc-agent/sites'), { recursive: true });
    writeFileSync(at('/var/lib/svc-agent/sites/one.json'), '{}');
    expect(await run('--undo', '--yes')).toMatchObject({ code: 1, said: expect.stringContaining('still has 1 site(s)') as string });
    rmSync(at('/var/lib/svc-agent/sites/one.json'));
    const { code, said } = await run('--undo', '--yes');
    expect([code, said]).toEqual([0, expect.stringContaining('Installed packages are kept: nginx')]);
    expect(readFileSync(at('/var/log/systemctl-calls'), 'utf8')).toContain('disable --now --quiet svc-agent.service');
    expect(files()).toEqual(bare);
    expect(await run('--undo', '--yes')).toMatchObject({
      code: 1,
      said: expect.stringContaining('svc-agent.mjs does not exist') as string,
    });
  });
});
