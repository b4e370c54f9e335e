import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';

import { Generations } from './index.js';

let place: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => (place = await createTestDatabase()));
afterAll(() => place.dispose());

it("a process is behind from another one's change until it has reloaded, even while its follower waits for a tick", async () => {
  const [here, there] = [new Generations(place.database), new Generations(place.database)];
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let began = 0;
  await here.follow('plugins', async () => {
    began += 1;
    await held;
  });
  expect(await here.isBehind('plugins')).toBe(false);
  await there.bump('plugins');
  expect(await here.isBehind('plugins')).toBe(true);
  await expect.poll(() => began, { timeout: 5_000 }).toBe(1);
  expect(await here.isBehind('plugins')).toBe(true);
  goOn();
  await expect.poll(() => here.isBehind('plugins')).toBe(false);
  expect(await there.isBehind('plugins')).toBe(false);
  here.beforeApplicationShutdown();
});
