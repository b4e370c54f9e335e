import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import type { Database } from '../../src/database/index.js';
import { LEASE_SECONDS, NodeTask, TaskQueue } from '../../src/agents/index.js';

import { createAgentNode } from '../support/agent.js';
import { createTestDatabase, type TestPlace } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';

const PROCESSES = 2;
const TASKS = 200;

let database: Database;
let place: TestPlace;
let dispose: () => Promise<void>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  if (!existsSync(join(PACKAGE_ROOT, 'dist/ormconfig.js'))) throw new Error('This test runs the compiled code: npm run build first.');
  ({ database, place, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  }
});

async function start(): Promise<ChildProcess> {
  const child = fork(join(PACKAGE_ROOT, 'test/support/pulling-process.mjs'), {
    env: { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, LOG_LEVEL: 'fatal' },
    execArgv: [],
  });
  children.push(child);
  expect(await Promise.race([once(child, 'message'), once(child, 'exit')])).toEqual(['ready', undefined]);
  return child;
}

async function pull(child: ChildProcess, nodeId: string, most: number): Promise<string[]> {
  const answer = once(child, 'message');
  child.send({ nodeId, most });
  return ((await answer) as [string[]])[0];
}

it(`each task goes to one of ${PROCESSES} processes`, async () => {
  const { nodeId } = await createAgentNode(database, 'shared');
  const added = await new TaskQueue(database, new ManualClock(new Date())).add(
    Array.from({ length: TASKS }, () => nodeId),
    'ping',
    {},
  );
  const processes = await Promise.all(Array.from({ length: PROCESSES }, start));
  const pulled = (await Promise.all(processes.map((child) => pull(child, nodeId, TASKS)))).flat();
  expect(pulled.sort()).toEqual(added.sort());
  expect(await database.repository(NodeTask).countBy({ nodeId, status: 'running', attempts: 1 })).toBe(TASKS);
});

it('a task whose process is killed goes to the next one when its lease expires', async () => {
  const { nodeId } = await createAgentNode(database, 'killed');
  const clock = new ManualClock(new Date());
  const queue = new TaskQueue(database, clock);
  const added = await queue.add([nodeId], 'ping', {});
  const child = await start();
  expect(await pull(child, nodeId, 1)).toEqual(added);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await gone).toEqual([null, 'SIGKILL']);
  expect(await queue.claim(nodeId)).toBeNull();
  const { leaseUntil } = await database.repository(NodeTask).findOneByOrFail({ nodeId });
  expect(leaseUntil!.getTime() - Date.now()).toBeLessThanOrEqual(LEASE_SECONDS * 1_000);
  clock.set(leaseUntil!);
  expect(await queue.claim(nodeId)).toMatchObject({ taskId: added[0], attempt: 2 });
});
