/** A server that accepts requests and never responds: pages about its sites say so soon, and what to do, in both languages. */
import { In } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { AgentNode, NodeTask } from '../src/agents/index.js';
import { Database } from '../src/database/index.js';

import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';

/** How long a page may stay empty, in milliseconds; five seconds of it are the server's. */
const SOON_MS = 10_000;
const SILENT = {
  en: 'is not responding correctly at the moment, so this cannot be shown. Refresh the page in a minute',
  'zh-CN': '暂时没有正常应答，无法显示。请一分钟后刷新页面',
};
const AWAY = { en: 'The server cannot be reached at the moment. Nothing was changed. Try again later.', 'zh-CN': '暂时连接不上服务器' };
/** The message of the agent's log page, whatever the reason for no response. */
const NO_LOG = { en: 'The agent did not respond. Check on the server that it is running', 'zh-CN': '节点程序没有响应' };
type Language = keyof typeof SILENT;

/** Pages with data that only the server has; the part after `?` is added to the request. */
const OWN = ['files', 'files-trash', 'file-edit?path=/index.html', 'database', 'php', 'file-access', 'commands', 'statistics'];
const OF_HOST = [
  ...['files', 'files-trash', 'file-edit?path=/index.html', 'host-database', 'host-php', 'host-file-access', 'host-commands'],
  ...['host-statistics'],
];
/** Pages with the panel's own data: available whatever the server does. */
const KNOWN = ['', 'backups', 'domains', 'certificate', 'site-settings', 'programs'];

let panel: TestPanel;
let server: FakeServer;
let agent: FakeAgent;
/** Path of the log of its agent. */
let log: string;
let owner: OwnerClient;
/** What the server waits for before it acts; null: it responds. */
let gate: Promise<void> | null = null;

beforeAll(async () => {
  panel = await TestPanel.start();
  server = new FakeServer();
  server.seen = () => gate ?? Promise.resolve();
  agent = await startFakeServer(panel, 'quiet', server);
  owner = await OwnerClient.open(panel, 'silent01', 'quiet');
  const { id } = await panel.get(Database).repository(AgentNode).findOneByOrFail({ nodeId: agent.nodeId });
  log = `/admin/agent-log?node_id=${id}`;
  // Views are read when they are first shown.
  await pages('en', { own: [...OWN, ...KNOWN], ofHost: OF_HOST });
}, 60_000);
afterAll(async () => {
  await agent.stopNow();
  await panel.close();
  server.dispose();
});

/** The pages of the owner and of administrators, all requested at once, and the agent's log; each with a maximum time. */
async function pages(language: Language, paths: { own?: readonly string[]; ofHost?: readonly string[] }): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  const look = async (path: string, headers: Record<string, string>): Promise<void> => {
    const began = performance.now();
    const response = await panel.fetch(path, { headers: { ...headers, 'Accept-Language': language } });
    const text = await response.text();
    expect([path, response.status, performance.now() - began < SOON_MS]).toEqual([path, 200, true]);
    told.set(path, text);
  };
  const admin = { Cookie: panel.adminCookie };
  await Promise.all([
    ...(paths.own ?? []).map((path) => look(`/user/${path}`, { Cookie: owner.cookie })),
    ...(paths.ofHost ?? []).map((path) => look(`/admin/${path}${path.includes('?') ? '&' : '?'}id=${owner.id}`, admin)),
    look(log, admin),
  ]);
  return told;
}

/** Pages without the message. @param ofLog the expected message of the agent's log */
const lacking = (told: ReadonlyMap<string, string>, words: string, ofLog: string): string[] =>
  [...told].filter(([path, text]) => !text.includes(path === log ? ofLog : words)).map(([path]) => path);

it.each(['en', 'zh-CN'] as const)('is reported on every page with data that only it has: %s', { timeout: 40_000 }, async (language) => {
  let open = (): void => undefined;
  gate = new Promise((resolve) => (open = resolve));
  try {
    const told = await pages(language, { own: [...OWN, ...KNOWN], ofHost: OF_HOST });
    expect(lacking(told, SILENT[language], NO_LOG[language]).sort()).toEqual(KNOWN.map((path) => `/user/${path}`).sort());
    // No work is left for the server when it recovers.
    const tasks = panel.get(Database).repository(NodeTask);
    await expect.poll(() => tasks.countBy({ status: In(['pending', 'running']) })).toBe(0);
  } finally {
    gate = null;
    open();
  }
});

it('is shown again as soon as it responds', async () => {
  const told = await pages('en', { own: OWN, ofHost: OF_HOST });
  expect(lacking(told, SILENT.en, NO_LOG.en)).toEqual([...told.keys()]);
});

it('whose agent has just gone is reported in time as well, and immediately after a minute of absence', async () => {
  await agent.stopNow();
  const told = await pages('en', { own: OWN, ofHost: OF_HOST });
  expect(lacking(told, SILENT.en, NO_LOG.en)).toEqual([]);
  await panel
    .get(Database)
    .repository(AgentNode)
    .update({ nodeId: agent.nodeId }, { lastHeartbeatAt: new Date(Date.now() - 90_000) });
  for (const language of ['en', 'zh-CN'] as const) {
    const away = await pages(language, { own: OWN, ofHost: OF_HOST });
    expect(lacking(away, AWAY[language], NO_LOG[language])).toEqual([]);
  }
}, 40_000);
