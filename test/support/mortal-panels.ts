import { setTimeout as pause } from 'node:timers/promises';

import type { TestPlace } from './database.js';
import { PanelClient, type PanelAnswer } from './panel-client.js';
import { ServerProcess } from './server-process.js';

/** Timeout of an attempted action, in milliseconds. */
const PATIENCE_MS = 180_000;
/** Duration of a start on an idle machine, in milliseconds. */
const USUAL_START_MS = 3_000;
const PAUSE_MS = 250;

/** Browser session, with a client for each panel. */
export type Visitor = readonly PanelClient[];

/** Several panel processes on one database that are killed and restarted on the same ports. */
export class MortalPanels {
  private readonly panels: ServerProcess[] = [];
  kills = 0;

  private constructor(
    private readonly place: TestPlace,
    private readonly chance: () => number,
  ) {}

  static async start(place: TestPlace, count: number, chance: () => number): Promise<MortalPanels> {
    const made = new MortalPanels(place, chance);
    for (let at = 0; at < count; at += 1) {
      made.panels.push(await made.begin());
      await made.panels[at]!.ready();
    }
    return made;
  }

  /** Runs `work` for each item, `atOnce` at a time, while panels are killed. */
  async rush<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const killing = this.killOn(over.signal);
    const left = items.values();
    try {
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const item of left) await work(item);
        }),
      );
    } finally {
      over.abort();
      await killing;
    }
  }

  /** Kills each panel at random moments, which may coincide, until `signal` aborts. */
  private async killOn(signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.panels.map(async (_panel, at) => {
        // The first panel is killed early, so that short runs have kills, too.
        for (let [most, slow] = [at === 0 ? 200 : 2_500, 1]; !signal.aborted; most = 2_500) {
          await pause((300 + this.chance() * most) * slow, undefined, { signal }).catch(() => undefined);
          if (!signal.aborted) slow = await this.kill(at);
        }
      }),
    );
  }

  /** Kills all panels, runs `between`, and starts them again. */
  async restartAll(between: () => Promise<void>): Promise<void> {
    await this.stop();
    await between();
    for (const [at, { port, sitesPort }] of this.panels.entries()) this.panels[at] = await this.begin([port, sitesPort]);
    for (const panel of this.panels) await panel.ready();
  }

  async stop(): Promise<void> {
    await Promise.all(this.panels.map((panel) => panel.stop('SIGKILL')));
  }

  /** Signs in; the session is valid on all panels. */
  async visitor(side?: 'admin' | 'user', user = '', pass = ''): Promise<Visitor> {
    const visitor = this.panels.map(({ url }) => new PanelClient(url));
    if (!side) return visitor;
    await this.until(visitor, `sign in as ${user}`, async (client) => {
      const answer = await client.ajax(side, { gn: 'login', user, pass });
      return answer.json.success === true ? answer : null;
    });
    const signedIn = visitor.find(({ cookies }) => cookies.size > 0)!;
    for (const client of visitor) for (const [name, value] of signedIn.cookies) client.cookies.set(name, value);
    return visitor;
  }

  /**
   * Repeats an attempt on random panels until it succeeds: a panel may be down or die during the attempt.
   *
   * @param attempt returns null if it must be repeated
   */
  async until<T>(visitor: Visitor, what: string, attempt: (client: PanelClient) => Promise<T | null>): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    let last = 'no answer';
    while (Date.now() < deadline) {
      const client = visitor[Math.floor(this.chance() * visitor.length)]!;
      try {
        const result = await attempt(client);
        if (result !== null) return result;
        last = 'not yet';
      } catch (error) {
        last = String(error);
      }
      await pause(PAUSE_MS);
    }
    throw new Error(`${what} did not work: ${last}`);
  }

  /** @returns factor by which its lifetime is extended: on a machine where starts are slow, everything else is, too */
  private async kill(at: number): Promise<number> {
    const { port, sitesPort } = this.panels[at]!;
    await this.panels[at]!.stop('SIGKILL');
    this.kills += 1;
    const began = performance.now();
    this.panels[at] = await this.begin([port, sitesPort]);
    await this.panels[at]!.ready();
    return Math.max(1, (performance.now() - began) / USUAL_START_MS);
  }

  private begin(ports?: [number, number]): Promise<ServerProcess> {
    return ServerProcess.start(this.place, { RATE_LIMIT: 'off', LOG_LEVEL: 'error' }, ports);
  }
}

/**
 * Returns the JSON of an answer.
 *
 * @throws Error with the answer if it is a failure or not JSON
 */
export function accepted({ status, text }: PanelAnswer): Record<string, unknown> {
  const json = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  if (json.success !== true && json.code !== 'ok') throw new Error(`${status} ${text.slice(0, 300)}`);
  return json;
}
