import { afterEach, beforeEach, expect, it } from 'vitest';

import { createMigratedPlace, testEngine, type TestPlace } from './support/database.js';
import { ServerProcess } from './support/server-process.js';
import { svc } from './support/svc.js';

let place: TestPlace;
const servers: ServerProcess[] = [];
beforeEach(async () => (place = await createMigratedPlace()));
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL');
  await place.dispose();
});

async function start(): Promise<ServerProcess> {
  const server = await ServerProcess.start(place);
  servers.push(server);
  return server;
}

it.runIf(testEngine === 'sqlite')(
  'a second panel on the same SQLite file names the process that uses it, and works next to it; not once the first is gone',
  async () => {
    const first = await (await start()).ready();
    expect(first.output).not.toContain('is in use by');
    const second = await (await start()).ready();
    expect(second.output).toMatch(new RegExp(`panel\\.db is in use by panel, process ${first.pid} on .*UTC\\. .*kill ${first.pid}`));
    for (const { url } of [first, second]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await second.stop('SIGTERM')).toBe(0);
    for (const command of [['doctor'], ['admin', 'create', 'beside'], ['plugin', 'list'], ['migrate']])
      expect([command, (await svc(place, command)).code]).toEqual([command, 0]);
    expect(await svc(place, ['secret-key', 'renew'])).toMatchObject({ code: 1 });
    await first.stop('SIGKILL');
    const third = await (await start()).ready();
    expect(third.output).not.toContain('is in use by');
    expect(await third.stop('SIGTERM')).toBe(0);
  },
);

it.runIf(testEngine === 'mysql')('several panels start on one database server', async () => {
  const both = [await start(), await start()];
  for (const server of both) await server.ready();
});
