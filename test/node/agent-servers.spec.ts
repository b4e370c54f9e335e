import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AgentNode, NodeTask } from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';

import { FakeServer } from '../support/agent-server.js';
import { FakeAgent } from '../support/fake-agent.js';
import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
const server = new FakeServer();
let agent: FakeAgent | null = null;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on' });
});
afterAll(async () => {
  await agent?.stopNow();
  await panel.close();
  server.dispose();
});

const serverRow = async () =>
  ((await panel.admin('listbt', { limit: '50' })).rows as unknown as Record<string, string>[]).find(({ btdh }) => btdh === 'debian')!;

async function enroll(token: string) {
  const response = await fetch(`${panel.url}/api/node.php?act=enroll`, { method: 'POST', body: JSON.stringify({ token }) });
  return (await response.json()) as { success: boolean; msg: string; data: { config: Record<string, string> } };
}

async function begin(config: Record<string, string>): Promise<FakeAgent> {
  const secrets = { platformSecret: config.platform_secret!, nodeSecret: config.node_secret! };
  return new FakeAgent(() => panel.url, config.node_id!, secrets, server.handle).start();
}

describe('a server with our agent, from its row to a site on it', () => {
  let command = '';

  it('is added before it exists, and shows what is missing', async () => {
    expect(await panel.admin('addbt', { bh: 'debian', driver: 'agent', ip: '192.0.2.10' })).toMatchObject({ success: true });
    expect(await serverRow()).toMatchObject({ driver: 'agent', zx: '' });
    const page = await (await panel.adminFetch('/admin/servers', { headers: { 'Accept-Language': 'en' } })).text();
    expect(page).toContain('no agent yet');
    const { id } = await serverRow();
    const missing = expect.stringMatching(/^无法连接服务器：.*安装命令/) as string;
    expect(await panel.admin('btztjc', { btid: id! })).toMatchObject({ success: false, code: missing });
    expect(await panel.admin('addzj', { user: 'early01', pass: 'secret-pass-1', btdh: 'debian' })).toMatchObject({ success: false });
  });

  it('gets a command with a one-time token, which invalidates the previous one', async () => {
    const { id } = await serverRow();
    const ask = async () => String((await panel.admin('nodeaz', { id: id! })).data.command);
    const tokenOf = (text: string) => /--token '([0-9a-f]{48})'/.exec(text)![1]!;
    const first = tokenOf(await ask());
    command = await ask();
    expect(command).toContain(`${panel.url}/api/agent-install.sh`);
    expect(await enroll(first)).toMatchObject({ success: false, data: [] });
    const { data } = await enroll(tokenOf(command));
    expect(data.config).toMatchObject({ svc_url: panel.url, node_secret: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await enroll(tokenOf(command))).toMatchObject({ success: false });
    const rows = JSON.stringify(await panel.get(Database).dataSource.query('SELECT * FROM SVC_node_token'));
    expect(rows).not.toContain(tokenOf(command));
    agent = await begin(data.config);
    expect(await serverRow()).toMatchObject({ zx: 'true' });
    expect(await panel.admin('btztjc', { btid: id! })).toMatchObject({ success: true });
  });

  it('limits attempts to guess tokens', async () => {
    let status = 200;
    for (let i = 0; i < 12 && status === 200; i += 1)
      ({ status } = await fetch(`${panel.url}/api/node.php?act=enroll`, {
        method: 'POST',
        body: JSON.stringify({ token: 'a'.repeat(48) }),
      }));
    expect(status).toBe(429);
  });

  it('has sites like any other: opened, written to, paused, deleted; no password stays in a task', async () => {
    expect(await panel.admin('addzj', { user: 'debian01', pass: 'Secret-pass-77', btdh: 'debian' })).toMatchObject({ success: true });
    const find = async () =>
      ((await panel.admin('listzj', { limit: '50' })).rows as unknown as Record<string, string>[]).find(({ user }) => user === 'debian01')!;
    const host = await find();
    expect(host.btid).toMatch(/^svc/);
    const cookie = await panel.signInUser('debian01', 'Secret-pass-77').catch(() => '');
    const user = async (gn: string, fields: Record<string, string> = {}) =>
      (await (
        await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: { Cookie: cookie } })
      ).json()) as Record<string, unknown>;
    // Its own server serves it, at the web port, not at the port of this machine's sites.
    expect(await (await panel.fetch('/user/', { headers: { Cookie: cookie } })).text()).toContain('href="http://debian01.localhost/"');
    expect(await user('bcwj', { path: '/hello.txt', nr: 'hello' })).toBeDefined();
    expect(await panel.admin('zjzt', { id: host.id! })).toMatchObject({ success: true });
    const texts = JSON.stringify(await panel.get(Database).repository(NodeTask).find());
    expect(texts).not.toContain('Secret-pass-77');
    expect(texts).toContain('site.create');
    expect(await panel.admin('zjsc', { id: host.id! })).toMatchObject({ success: true });
  });

  it("is offline: manual requests are refused with an explanation, and the panel's own work is done once it is back", async () => {
    expect(await panel.admin('addzj', { user: 'debian02', pass: 'Secret-pass-77', btdh: 'debian' })).toMatchObject({ success: true });
    await agent!.stopNow();
    await panel
      .get(Database)
      .repository(AgentNode)
      .update({ nodeId: agent!.nodeId }, { lastHeartbeatAt: new Date(Date.now() - 120_000) });
    expect(await serverRow()).toMatchObject({ zx: 'false' });
    const { id } = await serverRow();
    const began = performance.now();
    expect(await panel.admin('btztjc', { btid: id! })).toMatchObject({ success: false });
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
