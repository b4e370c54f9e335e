import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createTestPlace, type TestPlace } from '../support/database.js';
import { ServerProcess } from '../support/server-process.js';
import { StalledClients } from '../support/stalled-clients.js';

let place: TestPlace;
let server: ServerProcess;
beforeEach(async () => {
  place = await createTestPlace({});
});
afterEach(async () => {
  await server.stop('SIGKILL');
  await place.dispose();
});

async function start(env: NodeJS.ProcessEnv): Promise<void> {
  server = await ServerProcess.start(place, { RATE_LIMIT: 'off', LOG_LEVEL: 'fatal', ...env });
  await server.ready();
}
const status = async (path: string): Promise<number | string> =>
  fetch(`${server.url}${path}`).then(
    (response) => response.status,
    () => 'refused',
  );

describe('F13 shutdown', () => {
  it('is announced while the process still accepts requests, and completes current ones, also under load', async () => {
    await start({ SHUTDOWN_DRAIN_SECONDS: '2' });
    const outcomes: (number | string)[] = [];
    let going = true;
    const upload = async (): Promise<void> => {
      while (going) {
        const body = new FormData();
        body.append('gn', 'login');
        body.append('f', 'x'.repeat(500_000));
        outcomes.push(
          await fetch(`${server.url}/user/ajax.php`, { method: 'POST', body }).then(
            async (response) => (await response.text(), response.status),
            (error: Error) => String(error.cause),
          ),
        );
      }
    };
    const load = Promise.all(Array.from({ length: 5 }, upload));
    await expect.poll(() => outcomes.length, { timeout: 10_000 }).toBeGreaterThan(10);
    server.signal('SIGTERM');
    await expect.poll(() => status('/readyz'), { interval: 20, timeout: 2_000 }).toBe(503);
    expect(await status('/healthz')).toBe(200);
    // A load balancer has noticed and sends no new requests.
    going = false;
    await load;
    expect(await server.ended).toBe(0);
    expect(new Set(outcomes)).toEqual(new Set([200]));
  });

  it('exits with 0 within its limit whatever stalls, at every way in', async () => {
    await start({ SHUTDOWN_DRAIN_SECONDS: '0', SHUTDOWN_LIMIT_SECONDS: '8' });
    const ways = [
      '/admin/ajax.php',
      '/user/ajax.php',
      '/pay/order/1',
      '/pay/sandbox/notify',
      '/api/api.php',
      '/api/node.php?act=report_result',
      '/api/auth/login',
      '/api/developer/items',
      '/nowhere',
    ];
    const stalled = await Promise.all(
      [true, false].flatMap((declared) =>
        ways.map((path) =>
          StalledClients.open(server.port, 10, {
            path,
            headers: { 'content-type': 'application/json' },
            sent: Buffer.alloc(10_000, ' '),
            declared: declared ? 20_000 : null,
          }),
        ),
      ),
    );
    const begun = Date.now();
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(Date.now() - begun).toBeLessThan(8_500);
    stalled.forEach((clients) => clients.close());
  });
});
