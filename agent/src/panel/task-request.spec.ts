import { describe, expect, it } from 'vitest';

import type { PanelClient } from './panel-client.js';
import { TaskRequest } from './task-request.js';

/** A panel that answers when it is told to. */
function slowPanel() {
  const asked: { body: unknown; answer(task: unknown): void; fail(): void }[] = [];
  const call = (_action: string, body: unknown) =>
    new Promise((resolve, reject) => {
      const answer = (task: unknown): void => resolve({ success: true, message: '', field: () => task });
      asked.push({ body, answer, fail: () => reject(new Error('reset')) });
    });
  return { asked, client: { call } as unknown as PanelClient };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('task requests', () => {
  it('lists the held tasks until the panel has answered, with one request at a time', async () => {
    const { asked, client } = slowPanel();
    const requests = new TaskRequest(client, () => Promise.resolve(['task_old']));
    const stop = new AbortController().signal;
    const lost = requests.next(stop, 25);
    const given = requests.next(stop, 25);
    const next = requests.next(stop, 25);
    await turn();
    expect(asked.map(({ body }) => body)).toEqual([{ held: ['task_old'] }]);
    asked[0]!.fail();
    await expect(lost).rejects.toThrow('reset');
    await turn();
    expect(asked.slice(1).map(({ body }) => body)).toEqual([{ held: ['task_old'] }]);
    asked[1]!.answer({ task_id: 'task_new' });
    expect(await given).toEqual({ task_id: 'task_new' });
    await turn();
    expect(asked.slice(2).map(({ body }) => body)).toEqual([{ wait: 25 }]);
    asked[2]!.answer(null);
    expect(await next).toBeNull();
  });
});
