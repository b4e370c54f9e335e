import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { Log } from '../log.js';
import { parseCron } from '../cron.js';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';
import { parseConfig } from './parse-config.js';

const GOOD = { svc_url: 'https://panel.example.com', platform_secret: 'platform', node_id: 'node_1', node_secret: 'secret' };

/** What the config is told to be wrong with. */
function problemsOf(change: Record<string, unknown> | string): string[] {
  try {
    parseConfig(typeof change === 'string' ? change : JSON.stringify({ ...GOOD, ...change }), '/etc/agent', {});
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
  }
  throw new Error('Not refused');
}

describe('the config', () => {
  it('accepts the config shown by the panel and applies defaults', () => {
    const { config, warnings } = parseConfig(JSON.stringify({ ...GOOD, sites_root: '/www/wwwroot' }), '/etc/agent', {});
    expect(config).toMatchObject({
      intervalSeconds: 10,
      nodeName: 'node_1',
      logLevel: 'INFO',
      sitesRoot: '/www/wwwroot',
      stateDir: '/etc/agent/svc-agent-state',
      scanIntervalSeconds: 300,
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'],
      quarantine: false,
      hosting: null,
      textSuffixes: 'php html htm js css txt json md xml vue tpl ini conf yml yaml'.split(' '),
      caFile: null,
    });
    expect(warnings).toEqual([]);
  });

  it('uses the state directory provided by systemd', () => {
    expect(parseConfig(JSON.stringify(GOOD), '/etc/agent', { STATE_DIRECTORY: '/var/lib/svc-agent' }).config.stateDir).toBe(
      '/var/lib/svc-agent',
    );
    expect(
      parseConfig(JSON.stringify({ ...GOOD, state_dir: 'here' }), '/etc/agent', { STATE_DIRECTORY: '/var/lib/svc-agent' }).config.stateDir,
    ).toBe('/etc/agent/here');
  });

  it.each<[string, Record<string, unknown> | string, string]>([
    ['half a file', '{"svc_url": "https://p', 'not valid JSON'],
    ['a list', '[]', 'JSON object'],
    ['no address', { svc_url: undefined }, '"svc_url" is missing'],
    ['an address without scheme', { svc_url: 'panel.example.com' }, 'https://'],
    ['another scheme', { svc_url: 'ftp://panel.example.com' }, 'must begin with https://'],
    ['an address with a password', { svc_url: 'https://a:b@panel.example.com' }, 'user name or password'],
    ['no secret', { platform_secret: '' }, '"platform_secret" is missing or not a text. The panel shows it only when the node is added'],
    ['a secret that is a number', { node_secret: 12345 }, '"node_secret" is missing or not a text'],
    ['a node id that would break a header', { node_id: 'a\r\nb' }, '"node_id" must be 1 to 64'],
    ['too short an interval', { interval_seconds: 1 }, '"interval_seconds" must be a whole number of seconds from 5'],
    ['an interval that is none', { interval_seconds: 'soon' }, '"interval_seconds" must be'],
    ['capabilities that are a text', { capabilities: 'heartbeat' }, '"capabilities" must be a list'],
    ['an unknown level', { log_level: 'loud' }, '"log_level" must be one of DEBUG'],
    ['the whole disk', { sites_root: '/' }, '"sites_root" is the whole disk'],
    ['a state folder that is none', { state_dir: 7 }, '"state_dir" must be a path'],
  ])('names the mistake: %s', (_name, change, text) => {
    expect(problemsOf(change).join('\n')).toContain(text);
  });

  it.each([
    ['interval_seconds', 5, 3_600],
    ['scan_interval_seconds', 30, 86_400],
  ])('accepts %s from %i to %i', (key, least, most) => {
    for (const value of [least, most]) expect(parseConfig(JSON.stringify({ ...GOOD, [key]: value }), '/', {})).toBeDefined();
    for (const value of [least - 1, most + 1, least + 0.5])
      expect(problemsOf({ [key]: value }).join()).toContain(`from ${least} to ${most}`);
  });

  it('enables hosting only if configured, with configurable paths', () => {
    const hostingOf = (hosting?: unknown) => parseConfig(JSON.stringify({ ...GOOD, hosting }), '/etc/agent', {}).config;
    for (const off of [undefined, false])
      expect(hostingOf(off)).toMatchObject({ hosting: null, capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'] });
    expect(hostingOf(true).capabilities).toContain('sites');
    expect(hostingOf({ http_port: 8_080, adminer_name: 'db.example.com' }).hosting).toEqual({
      root: '/srv/svc',
      settings: '/etc/svc-hosting',
      run: '/run/svc-hosting',
      archives: '/var/lib/svc-hosting/archives',
      proofs: '/var/lib/svc-hosting/proofs',
      webUser: 'www-data',
      httpPort: 8_080,
      httpsPort: 443,
      sftpPort: 22,
      databaseSocket: '/run/mysqld/mysqld.sock',
      adminerName: 'db.example.com',
      firstUid: 20_000,
    });
    const wrong = { root: 'srv', settings: '/etc/a b', web_user: 'Root', http_port: 0, first_uid: 500, adminer_name: 'DB', port: 1 };
    const problems = problemsOf({ hosting: wrong });
    for (const key of Object.keys(wrong)) expect(problems.join('\n')).toContain(`"hosting.${key}"`);
    expect(problems).toHaveLength(Object.keys(wrong).length);
    expect(problemsOf({ hosting: 'yes' }).join()).toContain('true, false, or an object');
    expect(problemsOf({ hosting: true, state_dir: '/srv/svc/state' }).join()).toContain('inside the folder of the sites');
    expect(problemsOf({ hosting: true, capabilities: ['heartbeat'] }).join()).toContain('needs "task"');
  });

  it('reports all errors at once', () => {
    expect(problemsOf({ svc_url: 'x', node_id: '', node_secret: null, interval_seconds: 0 })).toHaveLength(4);
  });

  it('never includes a secret in an error', () => {
    expect(problemsOf({ platform_secret: 'hush-hush', node_secret: 'hush-hush', node_id: '' }).join()).not.toContain('hush');
  });

  it('warns about discouraged settings', () => {
    const { config, warnings } = parseConfig(
      JSON.stringify({
        ...GOOD,
        svc_url: 'http://panel.example.com/',
        interval_seconds: 120,
        capabilities: ['heartbeat', 'site_stats', 'coffee'],
        intervall: 5,
      }),
      '/',
      {},
    );
    for (const word of ['https://', 'offline', 'coffee', 'intervall', 'sites_root']) expect(warnings.join('\n')).toContain(word);
    expect(warnings.join('\n')).not.toContain('site_stats');
    expect(config.capabilities).toEqual(['heartbeat']);
    expect(parseConfig(JSON.stringify({ ...GOOD, sites_root: '/w', svc_url: 'http://127.0.0.1:3000' }), '/', {}).warnings).toEqual([]);
  });

  describe('as a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-config-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('reports a missing file', async () => {
      await expect(loadConfig(join(folder, 'none.json'))).rejects.toThrow('--config');
    });

    it('warns if others can read it and accepts a byte order mark', async () => {
      const file = join(folder, 'agent.json');
      writeFileSync(file, `\uFEFF${JSON.stringify(GOOD)}`);
      chmodSync(file, 0o644);
      expect((await loadConfig(file)).warnings.join()).toContain('chmod 600');
      chmodSync(file, 0o600);
      expect((await loadConfig(file)).warnings.join()).not.toContain('chmod');
    });

    it('reports a missing CA file', async () => {
      const file = join(folder, 'ca.json');
      writeFileSync(file, JSON.stringify({ ...GOOD, ca_file: 'none.pem' }));
      await expect(loadConfig(file)).rejects.toThrow(join(folder, 'none.pem'));
    });
  });
});

describe('the log', () => {
  it('writes single lines without secrets, colours and suppressed levels', () => {
    const lines: string[] = [];
    const log = new Log('INFO', ['hush-hush', 'quo"te'], (line) => void lines.push(line));
    log.debug('not this');
    log.info('a\nb \u001b[31mred hush-hush', { path: 'x\ny quo"te', n: 3, none: undefined });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z INFO a b {2}?\[31mred \*\*\* path="x\\ny \*\*\*" n=3\n$/);
  });
});

describe('cron expressions', () => {
  const at = (text: string): Date => new Date(text);

  it.each([
    ['0 3 * * *', '2026-11-21T03:00:00', true],
    ['0 3 * * *', '2026-11-21T03:01:00', false],
    ['*/15 * * * *', '2026-11-21T07:45:00', true],
    ['5-10,40/10 * * * *', '2026-11-21T07:50:00', true],
    ['5-10,40/10 * * * *', '2026-11-21T07:45:00', false],
    ['0 0 * * 7', '2026-11-22T00:00:00', true],
    ['0 0 * * 0', '2026-11-22T00:00:00', true],
    ['0 0 1 * *', '2026-11-22T00:00:00', false],
    ['0 0 1 * 0', '2026-11-22T00:00:00', true],
    ['0 0 1 12 *', '2026-12-01T00:00:00', true],
  ])('%s at %s: %s', (expression, time, expected) => {
    expect(parseCron(expression)(at(time))).toBe(expected);
  });

  it.each(['', '0 3 * *', '60 * * * *', '* 24 * * *', '* * 0 * *', 'a * * * *', '*/0 * * * *', '5-1 * * * *', '* * * 13 *', '-1 * * * *'])(
    'rejects %j',
    (expression) => {
      expect(() => parseCron(expression)).toThrow();
    },
  );
});
