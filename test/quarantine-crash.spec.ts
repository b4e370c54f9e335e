import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { NodeTask, QuarantinedFile } from '../src/agents/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';

import { TestAgent } from './support/agent.js';
import { CrashPlace } from './support/crash-place.js';
import type { ServerProcess } from './support/server-process.js';

/** The maximum number of files that one scan quarantines per host. */
const FILES = 20;

describe('quarantining files of a site, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create()));
  afterEach(() => crash.dispose());

  /** A host, a capable agent, and the settings that quarantine files. */
  async function prepare(): Promise<{ panel: ServerProcess; agentAt: (url: string) => TestAgent; site: string }> {
    const { panel, admin } = await crash.start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'crash-proof', pass: 'a-password-of-my-own' });
    const { node_id, config } = (await admin.operate('admin', { gn: 'addnode', bt_id: '1' })).data as {
      node_id: string;
      config: Record<string, string>;
    };
    const secrets = { platformSecret: config.platform_secret!, nodeSecret: config.node_secret! };
    const agentAt = (url: string) => new TestAgent(url, node_id, secrets, () => Date.now());
    await agentAt(panel.url).call('heartbeat', { capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan', 'quarantine'] });
    // Files cannot be quarantined before an agent reports that it supports it.
    await admin.operate('admin', { gn: 'savescancfg', sgl: 'true', sglts: '30', stz: '1' });
    const { siteName } = await crash.database.repository(HostingAccount).findOneByOrFail({ username: 'crash-proof' });
    return { panel, agentAt, site: siteName };
  }

  const found = (agent: TestAgent, site: string) =>
    agent.call('report_result', {
      task_id: 'scan_full_1',
      status: 'success',
      error: '',
      result: {
        matches: Array.from({ length: FILES }, (_, n) => ({
          site: '',
          type: 'file',
          path: `/www/wwwroot/${site}/bad-${n}.php`,
          line: 1,
          keyword: 'casino',
          excerpt: 'the casino',
        })),
      },
    });

  const rows = () => crash.database.repository(QuarantinedFile).find({ order: { id: 'ASC' } });
  const states = async () => (await rows()).map(({ state }) => state);
  const tasks = () => crash.database.repository(NodeTask).find({ where: { action: 'quarantine_file' } });
  const count = async (wanted: string) => (await states()).filter((state) => state === wanted).length;

  it('while it requests them: each is requested once, and none is forgotten', { timeout: 180_000 }, async () => {
    const { panel, agentAt, site } = await prepare();
    await found(agentAt(panel.url), site);
    // The first is requested, the others are in progress.
    await expect.poll(async () => (await rows()).length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    await panel.stop('SIGKILL');
    const before = (await rows()).length;
    await crash.endClaims();
    await crash.recover();
    await expect.poll(() => states(), { timeout: 90_000, interval: 250 }).toEqual(Array.from({ length: FILES }, () => 'moving'));
    const asked = (await tasks()).map(({ payload }) => (payload as unknown as { path: string }).path);
    expect([asked.length, new Set(asked).size, before <= FILES]).toEqual([FILES, FILES, true]);
    const told = await crash.database.repository(Notice).findBy({ username: 'crash-proof', kind: 'scan' });
    await expect
      .poll(() => crash.database.repository(Notice).countBy({ username: 'crash-proof', kind: 'scan' }), { timeout: 60_000 })
      .toBe(1);
    expect(told.length).toBeLessThanOrEqual(1);
    const lines = (await crash.database.repository(OperationLog).findBy({ category: 'wjgl' })).map(({ summary }) => summary);
    expect(lines).toHaveLength(FILES);
  });

  it('while agents report them: each is stored once, and its owner notified once', { timeout: 180_000 }, async () => {
    const { panel, agentAt, site } = await prepare();
    const agent = agentAt(panel.url);
    await found(agent, site);
    await expect.poll(() => count('moving'), { timeout: 90_000, interval: 100 }).toBe(FILES);
    const pulled: string[] = [];
    for (let n = 0; n < FILES; n += 1) pulled.push(((await agent.call('pull_task')).data as { task: { task_id: string } }).task.task_id);
    const report = (to: TestAgent) =>
      Promise.allSettled(
        pulled.map((task_id) =>
          to.call('report_result', { task_id, status: 'success', result: { sha256: 'b'.repeat(64), size: 7 }, error: '' }),
        ),
      );
    const reports = report(agent);
    await expect.poll(() => count('held'), { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    await panel.stop('SIGKILL');
    await reports;
    await crash.endClaims();
    const second = await crash.recover();
    // An agent repeats a report that was not acknowledged.
    await report(agentAt(second.panel.url));
    await expect.poll(() => count('held'), { timeout: 90_000, interval: 250 }).toBe(FILES);
    const told = await crash.database.repository(Notice).findBy({ username: 'crash-proof', kind: 'scan', level: 'danger' });
    expect(told).toHaveLength(FILES);
    expect((await rows()).every(({ sha256, purgeAt }) => sha256 === 'b'.repeat(64) && purgeAt !== null)).toBe(true);
  });
});
