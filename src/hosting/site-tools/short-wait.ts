import { setTimeout } from 'node:timers/promises';

/** How long an answer waits for work that may be short, and how often it looks, in milliseconds. */
const WAIT_MS = 4_000;
const LOOK_MS = 50;

/**
 * Waits a little for work in the background, so that what is short is answered at once.
 *
 * @returns what `look` saw last: over, or still under way
 * @example
 * ```ts
 * const task = await waitShortly(() => queue.find(id), (found) => found?.state === 'done');
 * ```
 */
export async function waitShortly<State>(look: () => Promise<State>, isOver: (state: State) => boolean): Promise<State> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const state = await look();
    if (isOver(state) || Date.now() > end) return state;
    await setTimeout(LOOK_MS);
  }
}
