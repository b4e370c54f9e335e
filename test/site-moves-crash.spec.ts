/** Moves of sites, with the panel killed before each request to a server: a site is completely on one of the two. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { HostingAccount, SiteMove } from '../src/hosting/index.js';
import { FakeServer, joinFakeServer } from './support/agent-server.js';
import { CrashPlace } from './support/crash-place.js';
import type { DemoVisitor } from '../src/cli/demo-visitor.js';
import type { FakeAgent } from './support/fake-agent.js';
import { someMoments } from './support/moments.js';
import { MOVE_STEPS } from './support/move-steps.js';
import { ServerProcess } from './support/server-process.js';

let place: CrashPlace;
let panel: ServerProcess;
let admin: DemoVisitor;
const agents: FakeAgent[] = [];
const [from, to] = [new FakeServer(), new FakeServer()];

beforeAll(async () => {
  place = await CrashPlace.create();
  ({ panel, admin } = await place.start());
  for (const [code, server] of [
    ['from', from],
    ['to', to],
  ] as const)
    agents.push(await joinFakeServer(place.database, () => panel.url, code, server));
}, 60_000);
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stopNow()));
  // Only the first one is configured in the folder.
  await panel?.stop('SIGKILL');
  await place?.dispose();
  from.dispose();
  to.dispose();
});

const rootOn = (server: FakeServer, site: string): string => join(server.dataDir, 'sites', site, 'public');
const accounts = () => place.database.repository(HostingAccount);
const moveOf = (hostId: number) => place.database.repository(SiteMove).findOne({ where: { hostId }, order: { id: 'DESC' } });

/** Kills the panel before a server performs its nth action of a name, and restarts it in place. */
async function killAt(server: FakeServer, action: string, nth: number): Promise<void> {
  let left = nth;
  await new Promise<void>((resolve, reject) => {
    server.seen = async (name) => {
      if (name !== action || --left > 0) return;
      server.seen = null;
      const { port, sitesPort } = panel;
      await panel.stop('SIGKILL');
      await place.endClaims();
      panel = await ServerProcess.start(place.place, {}, [port, sitesPort]);
      await panel.ready().then(() => resolve(), reject);
      throw new Error('The panel was killed.');
    };
  });
}

it.each(someMoments(MOVE_STEPS, ([, , , kind]) => kind).map(([side, action, nth]) => [side, action, nth] as const))(
  'killed before %s does %s (%i)',
  async (side, action, nth) => {
    const user = `crash-${action.replace('.', '-')}-${nth}`.toLowerCase();
    await admin.operate('admin', { gn: 'addzj', btdh: 'from', user, pass: 'a-password-of-my-own' });
    const { id, siteName } = await accounts().findOneByOrFail({ username: user });
    writeFileSync(join(rootOn(from, siteName), 'mine.txt'), user);
    const killed = killAt(side === 'from' ? from : to, action, nth);
    await admin.operate('admin', { gn: 'zjqy', id: String(id), btdh: 'to' });
    await killed;
    await expect.poll(async () => (await moveOf(id))?.busy, { timeout: 60_000, interval: 100 }).toBeNull();
    const move = (await moveOf(id))!;
    const account = await accounts().findOneByOrFail({ id });
    expect([move.state, account.nodeCode, account.claimedBy]).toEqual([
      expect.stringMatching(/^(?:kept|failed)$/),
      move.state === 'kept' ? 'to' : 'from',
      null,
    ]);
    const server = move.state === 'kept' ? to : from;
    expect(readFileSync(join(rootOn(server, siteName), 'mine.txt'), 'utf8')).toBe(user);
    if (move.state === 'failed') expect(existsSync(rootOn(to, siteName))).toBe(false);
    // It is in service there: a failed move can be repeated.
    if (move.state === 'failed') {
      await admin.operate('admin', { gn: 'zjqy', id: String(id), btdh: 'to' });
      await expect.poll(async () => (await moveOf(id))?.state, { timeout: 60_000, interval: 100 }).toBe('kept');
    }
  },
  120_000,
);
