import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TaskQueue } from '../../src/agents/index.js';

import { AgentPlace, type RunningAgent } from '../support/agent-process.js';
import { TestPanel } from '../support/panel.js';

interface Row {
  readonly [name: string]: unknown;
}

let panel: TestPanel;
let place: AgentPlace;
let agent: RunningAgent;
let nodeKey: string;

const rows = async (gn: string, fields: Record<string, string> = {}): Promise<Row[]> =>
  (await panel.admin(gn, { limit: '100', ...fields })).rows as unknown as Row[];
const task = async (id: string): Promise<Row | undefined> =>
  (await rows('listnodetask', { node_pk: nodeKey })).find((row) => row.task_id === id);
const send = async (gn: string, fields: Record<string, string> = {}): Promise<string> =>
  String((await panel.admin(gn, { id: nodeKey, ...fields })).data.task_id);

/** The reference agent in a separate process, configured with the response of `addnode`, on a folder with hostile and innocent files. */
beforeAll(async () => {
  panel = await TestPanel.start();
  const { id, config } = (await panel.admin('addnode', { bt_id: '1', node_name: 'Server A', interval_seconds: '5' })).data as {
    id: number;
    config: Record<string, unknown>;
  };
  nodeKey = String(id);
  place = new AgentPlace({ ...config, svc_url: panel.url });
  const site = join(place.sites, 'shop');
  mkdirSync(join(site, 'sub'), { recursive: true });
  writeFileSync(join(site, 'index.html'), '<h1>Welcome</h1>\n<p>nothing here</p>\n');
  writeFileSync(join(site, 'sub', 'page.php'), '<?php\n// first\necho "Cheap CASINO tonight";\n');
  writeFileSync(
    join(site, 'notice.txt'),
    Buffer.concat([Buffer.from('line one\n'), Buffer.from([0xb2, 0xa9, 0xb2, 0xca]), Buffer.from('\n')]),
  );
  agent = place.start();
});
afterAll(async () => {
  await agent.stop();
  await place.dispose();
  await panel.close();
});

describe('the reference agent and a running panel', () => {
  it('shows the server as online and answers a ping', async () => {
    await expect
      .poll(async () => (await rows('listnode'))[0], { timeout: 20_000 })
      .toMatchObject({ node_name: 'Server A', display_status: 'online' });
    const ping = await send('nodeping');
    await expect.poll(() => task(ping), { timeout: 20_000 }).toMatchObject({ action: 'ping', status: 'success' });
    expect(String((await task(ping))!.result_text)).toContain('pong');
  });

  it('finds the planted words, in any encoding, and the administrator sees where', async () => {
    const scan = await send('nodeforbiddenscan', { root: place.sites, site: 'shop', keywords: 'casino\n博彩，unheard-of' });
    await expect.poll(() => task(scan), { timeout: 20_000 }).toMatchObject({ status: 'success' });
    const [summary] = (await rows('listforbiddenscan', { node_pk: nodeKey })).filter((row) => row.task_id === scan);
    expect(summary).toMatchObject({ status: 'success', site: 'shop' });
    const found = await rows('listforbiddenmatch', { task_id: scan });
    expect(Object.fromEntries(found.map((match) => [match.file, [match.line_no, match.keyword, match.excerpt]]))).toEqual({
      [join(place.sites, 'shop', 'sub', 'page.php')]: [3, 'casino', 'echo "Cheap CASINO tonight";'],
      [join(place.sites, 'shop', 'notice.txt')]: [2, '博彩', '博彩'],
    });
    expect((await panel.admin('nodestats')).data).toMatchObject({ online: 1, today_matches: 2, pending_tasks: 0 });
  });

  it('does what was ordered while it was offline, after a kill -9', async () => {
    await agent.stop('SIGKILL');
    const [lost, ping] = [await send('nodeping'), await send('nodeping')];
    // The killed process had claimed the first task, and its response was lost.
    expect(await panel.get(TaskQueue).claim(String((await task(lost))!.node_id))).toMatchObject({ taskId: lost });
    agent = place.start();
    await expect.poll(() => task(ping), { timeout: 30_000 }).toMatchObject({ status: 'success' });
    expect(await task(lost)).toMatchObject({ status: 'success', attempts: 2 });
  });

  it('is rejected once its node is disabled, and reconnects automatically', async () => {
    await panel.admin('setnodestatus', { id: nodeKey, enabled: 'false' });
    await expect.poll(() => agent.output, { timeout: 20_000 }).toContain('节点不存在或已禁用');
    expect((await rows('listnode'))[0]).toMatchObject({ display_status: 'disabled' });
    await panel.admin('setnodestatus', { id: nodeKey, enabled: 'true' });
    const ping = await send('nodeping');
    await expect.poll(() => task(ping), { timeout: 60_000 }).toMatchObject({ status: 'success' });
  });
});
