import { setTimeout } from 'node:timers/promises';

/** Maximum wait of a response for possibly short work, and polling interval, in milliseconds. */
const MAX_WAIT_MS = 4_000;
const POLL_MS = 50;

/**
 * Waits briefly for background work, so that short work is answered with its result.
 *
 * @returns the last state returned by `look`, finished or not
 * @example
 * ```ts
 * const task = await waitShortly(() => queue.find(id), (found) => found?.state === 'done');
 * ```
 */
export async function waitShortly<State>(poll: () => Promise<State>, isOver: (state: State) => boolean): Promise<State> {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const state = await poll();
    if (isOver(state) || Date.now() > end) return state;
    await setTimeout(POLL_MS);
  }
}
