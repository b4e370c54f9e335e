import { expect, it } from 'vitest';

import { BackgroundQueue, TaskRegistry } from '../src/jobs/index.js';

import { LoopbackProxy } from './support/loopback-proxy.js';
import { TestPanel } from './support/panel.js';

it('a panel without reachable Redis starts, says so, keeps tasks and shows them', async () => {
  // Nothing listens there any more.
  const proxy = await LoopbackProxy.start('redis://127.0.0.1:6379');
  await proxy.close();
  const panel = await TestPanel.start({ REDIS_URL: proxy.url });
  try {
    const queue = panel.get(BackgroundQueue);
    await expect.poll(() => queue.available).toBe(false);
    const ready = await panel.fetch('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'ready', redis: false });
    panel.get(TaskRegistry).add({ name: 'test.work', run: () => undefined });
    const id = await queue.add('test.work', null);
    expect(await panel.admin('rwlist', {})).toMatchObject({ rows: [{ id, zt: 'waiting' }] });
    expect(await panel.admin('rwcs', { id: 'test.work~1' })).toMatchObject({ success: false, err: 'E_UNREACH' });
    expect(await (await panel.adminFetch('/admin/background')).text()).toContain('Redis 无法连接');
    expect(await panel.admin('rwqx', { id })).toMatchObject({ success: true });
  } finally {
    await panel.close();
  }
});
