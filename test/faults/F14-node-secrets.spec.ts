import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestAgent } from '../support/agent.js';
import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
let agent: TestAgent;
let secret: string;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on' });
  const { config } = (await panel.admin('addnode', { bt_id: '1', node_id: 'limited' })).data as {
    config: { node_secret: string; platform_secret: string };
  };
  secret = config.node_secret;
  agent = new TestAgent(panel.url, 'limited', { platformSecret: config.platform_secret, nodeSecret: secret }, () => Date.now());
});
afterAll(() => panel?.close());

const heartbeat = (node: string, given: string): Promise<Response> =>
  panel.fetch('/api/node.php?act=heartbeat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ node_id: node, node_secret: given }),
  });

describe('F14 node API', () => {
  it('sixty wrong secrets get 429, in the form of the node API', async () => {
    const answers = [];
    for (let i = 0; i < 60; i += 1) answers.push(await heartbeat('limited', `wrong-${i}`));
    expect(answers[0]!.status).toBe(200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    const last = answers.at(-1)!;
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ success: false, code: 400, data: [] });
  });

  it('wrong signatures count with them, and the node itself is always accepted', async () => {
    const { status } = await panel.fetch('/api/node.php?act=heartbeat', {
      method: 'POST',
      headers: {
        'X-SVC-Node': 'limited',
        'X-SVC-Time': String(Math.floor(Date.now() / 1_000)),
        'X-SVC-Nonce': 'n'.repeat(16),
        'X-SVC-Sign': 'a'.repeat(64),
      },
      body: '{}',
    });
    expect(status).toBe(429);
    for (let i = 0; i < 50; i += 1) expect((await heartbeat('limited', secret)).status).toBe(200);
    expect(await agent.call('pull_task')).toMatchObject({ success: true });
  });

  it('unknown node names count together, and lock out nobody', async () => {
    const statuses = [];
    for (let i = 0; i < 40; i += 1) statuses.push((await heartbeat(`nobody-${i}`, 'x')).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await heartbeat('limited', secret)).status).toBe(200);
  });
});
