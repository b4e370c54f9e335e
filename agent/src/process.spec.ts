import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { AGENT_FILE, AgentPlace, eventually } from '../../test/support/agent-process.js';
import { FakeNodePanel } from '../../test/support/fake-node-panel.js';
import { canMount } from '../../test/support/own-disk.js';
import { main } from './command-line.js';

/** The program as a server runs it: a process that is started, stopped and killed. */
describe('the agent as a process', () => {
  let panel: FakeNodePanel;
  let places: AgentPlace[];
  beforeEach(async () => {
    panel = await FakeNodePanel.start();
    places = [];
  });
  afterEach(async () => {
    for (const place of places) await place.dispose();
    await panel.close();
  });

  function placeWith(config: Record<string, unknown> | string = panel.config(), files = 1): AgentPlace {
    const place = new AgentPlace(config);
    places.push(place);
    mkdirSync(place.sites);
    for (let i = 0; i < files; i++) writeFileSync(join(place.sites, `${i}.php`), i === 0 ? 'casino' : 'x');
    return place;
  }

  const scanOf = (place: AgentPlace) => ({
    task_id: 'task_scan',
    action: 'forbidden_scan',
    payload: { root: place.sites, keywords: ['casino'], scan_mode: 'incremental' },
  });

  it('works, allows one instance, and exits cleanly on SIGTERM', async () => {
    const place = placeWith();
    panel.tasks.push({ task_id: 'task_1', action: 'ping', payload: {} });
    const agent = place.start();
    await panel.until(() => panel.reports.length === 1);
    const second = place.start();
    expect(await second.ended).toBe(1);
    expect(second.output).toContain('Another agent');
    expect(await agent.stop()).toBe(0);
    expect(agent.output).toMatch(/INFO Stopping signal="SIGTERM"\n.*INFO Ended\n$/);
    expect(readdirSync(place.state)).not.toContain('agent.lock');
  });

  it('exits during a scan on SIGTERM and repeats the scan at the next start', async () => {
    const place = placeWith(panel.config(), 10_000);
    panel.tasks.push(scanOf(place));
    const agent = place.start();
    await eventually(async () => (await place.stateFile('tasks.json')).includes('"attempts":1'));
    expect(await agent.stop()).toBe(0);
    expect(panel.reports).toEqual([]);
    place.start();
    await panel.until(() => panel.reports.length === 1);
    expect(panel.reports[0]).toMatchObject({
      task_id: 'task_scan',
      status: 'success',
      result: { summary: { matches: 1, total_files: 10_000 } },
    });
  });

  it('killed during a scan: repeats it after the start; killed twice: gives it up', async () => {
    const place = placeWith(panel.config(), 10_000);
    panel.tasks.push(scanOf(place));
    for (const attempt of [1, 2]) {
      const agent = place.start();
      await eventually(async () => (await place.stateFile('tasks.json')).includes(`"attempts":${attempt}`));
      expect(await agent.stop('SIGKILL')).toBe('SIGKILL');
    }
    expect(panel.reports).toEqual([]);
    expect(readdirSync(join(place.state, 'index')).filter((name) => name.endsWith('.jsonl'))).toEqual([]);
    place.start();
    await panel.until(() => panel.reports.length === 1);
    expect(panel.reports[0]).toMatchObject({ task_id: 'task_scan', status: 'failed', error: expect.stringContaining('中断') as string });
  });

  it('killed once during a scan: reports the complete scan after the start', async () => {
    const place = placeWith(panel.config(), 10_000);
    panel.tasks.push(scanOf(place));
    const agent = place.start();
    await eventually(async () => (await place.stateFile('tasks.json')).includes('"attempts":1'));
    await agent.stop('SIGKILL');
    place.start();
    await panel.until(() => panel.reports.length === 1);
    expect(panel.reports[0]).toMatchObject({ status: 'success', result: { summary: { matches: 1, scanned_files: 10_000 } } });
  });

  it('killed during a report: reports again after the start without a new scan', async () => {
    const place = placeWith();
    panel.tasks.push(scanOf(place));
    let received = 0;
    panel.interfere = ({ act }) => act === 'report_result' && ++received === 1;
    const agent = place.start();
    await panel.until(() => received === 1);
    await agent.stop('SIGKILL');
    writeFileSync(join(place.sites, '0.php'), 'nothing any more');
    const again = place.start();
    await panel.until(() => panel.reports.length === 1);
    expect(panel.reports[0]).toMatchObject({ task_id: 'task_scan', status: 'success', result: { matches: [{ keyword: 'casino' }] } });
    await eventually(() => readdirSync(join(place.state, 'outbox')).length === 0);
    expect(await again.stop()).toBe(0);
    expect(panel.reports).toHaveLength(1);
  });

  it('continues after the panel was unreachable', async () => {
    const place = placeWith();
    let away = 1;
    panel.interfere = (_call, response) => away-- > 0 && Boolean(response.writeHead(503, { 'Retry-After': '0' }).end('<html>'));
    const agent = place.start();
    await panel.until(() => panel.callsOf('pull_task').length === 1);
    expect(agent.output.match(/ERROR No heartbeat: The panel answered HTTP 503/g)).toHaveLength(1);
    await eventually(() => agent.output.includes('Connected again failures=1'));
  });

  it('runs one round with --once', async () => {
    const place = placeWith();
    panel.tasks.push(scanOf(place), { task_id: 'task_1', action: 'ping', payload: {} });
    expect(await place.start(['--once']).ended).toBe(0);
    expect(panel.callsOf('heartbeat')).toHaveLength(1);
    expect(panel.reports.map(({ task_id }) => task_id).sort()).toEqual(['task_1', 'task_scan']);
    expect(await placeWith(panel.config({ svc_url: 'http://127.0.0.1:9' })).start(['--once']).ended).toBe(1);
  });

  it('runs as a copied file with a config next to it', async () => {
    const place = placeWith();
    await copyFile(AGENT_FILE, join(place.folder, 'svc-agent.mjs'));
    const output: string[] = [];
    const argv1 = process.argv[1]!;
    process.argv[1] = join(place.folder, 'svc-agent.mjs');
    try {
      expect(await main(['--check'], { write: (text) => void output.push(text) })).toBe(0);
    } finally {
      process.argv[1] = argv1;
    }
    expect(output.join('')).toContain('the panel accepts this node');
  });

  describe('--check', () => {
    const checkOf = async (config: Record<string, unknown> | string): Promise<[number | NodeJS.Signals, string]> => {
      const agent = placeWith(config).start(['--check']);
      return [await agent.ended, agent.output];
    };

    it('accepts a valid setup and changes nothing', async () => {
      const [code, output] = await checkOf(panel.config());
      expect(output).toMatch(/^ok {4}config: node node_test/);
      expect(output).toContain('WARN  "sites_root" is not set');
      expect(code).toBe(0);
      expect(panel.calls.map(({ act }) => act)).toEqual(['get_config']);
      expect(existsSync(places[0]!.state)).toBe(false);
    });

    it.each<[string, Record<string, unknown>, string]>([
      ['a wrong secret', { node_secret: 'another' }, 'copy the config from the panel again'],
      ['a node the panel does not have', { node_id: 'node_other' }, 'deleted or disabled'],
      ['a panel that is not there', { svc_url: 'http://127.0.0.1:9' }, 'Connection refused'],
      ['a folder that is not there', { sites_root: '/no/such/folder' }, '"sites_root": cannot read /no/such/folder (ENOENT)'],
      ['a state folder that cannot be', { state_dir: `${AGENT_FILE}/state` }, 'Set "state_dir" to a folder'],
    ])('says what is wrong: %s', async (_name, change, text) => {
      const [code, output] = await checkOf(panel.config(change));
      expect(output).toContain('FAIL');
      expect(output).toContain(text);
      expect(output).not.toContain(panel.platformSecret);
      expect(code).toBe(1);
    });

    it('exits with 2 if the config is invalid', async () => {
      expect(await checkOf('{ not json')).toEqual([2, expect.stringContaining('not valid JSON')]);
    });
  });

  it.skipIf(!canMount)('ends with 1, so that it is started again, where the disk of its state is full (needs root on Linux)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]);
    try {
      const file = join(folder, 'agent.json');
      writeFileSync(file, JSON.stringify({ ...panel.config(), state_dir: join(folder, 'state') }), { mode: 0o600 });
      mkdirSync(join(folder, 'state'));
      expect(() => writeFileSync(join(folder, 'log'), Buffer.alloc(20_000))).toThrow('ENOSPC');
      let output = '';
      expect(await main(['--config', file], { write: (text) => void (output += text) })).toBe(1);
      expect(output).toContain('full');
      output = '';
      expect(await main(['--config', file, '--check'], { write: (text) => void (output += text) })).toBe(1);
      expect(output).toMatch(/FAIL .*The disk of the state folder .* is full/);
      expect(output).not.toContain('Cannot write');
    } finally {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    }
  });

  it('prints help, version and unknown arguments', async () => {
    const outputs: string[] = [];
    const write = (text: string): void => void outputs.push(text);
    expect(await main(['--help'], { write })).toBe(0);
    expect(await main(['--version'], { write })).toBe(0);
    expect(await main(['--nonsense'], { write })).toBe(2);
    expect(await main(['--config', '/no/such/agent.json'], { write })).toBe(2);
    expect(outputs[0]).toContain('--check');
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(outputs[1]).toBe(`${version}\n`);
    expect(outputs[2]).toContain('--nonsense');
    expect(outputs[3]).toContain('/no/such/agent.json');
  });
});
