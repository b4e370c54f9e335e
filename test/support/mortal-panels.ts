import { setTimeout as pause } from 'node:timers/promises';

import type { TestPlace } from './database.js';
import { PanelClient, type PanelAnswer } from './panel-client.js';
import { ServerProcess } from './server-process.js';

/** How long one thing is tried before it counts as impossible, in milliseconds. */
const PATIENCE_MS = 180_000;
/** What a start takes where little else goes on. */
const USUAL_START_MS = 3_000;
const PAUSE_MS = 250;

/** Somebody with one browser and an address for each panel. */
export type Visitor = readonly PanelClient[];

/** Several panels over one database, that are killed and started again where they were. */
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

  /** Has `work` done for each item, so many at once, while panels are killed. */
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

  /** Kills each of them at moments that chance decides, both at once where it so happens, until `signal` says it is enough. */
  private async killOn(signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.panels.map(async (_panel, at) => {
        // The first of them soon: a short rush is one with deaths, too.
        for (let [most, slow] = [at === 0 ? 200 : 2_500, 1]; !signal.aborted; most = 2_500) {
          await pause((300 + this.chance() * most) * slow, undefined, { signal }).catch(() => undefined);
          if (!signal.aborted) slow = await this.kill(at);
        }
      }),
    );
  }

  /** Ends all of them the hard way, does something, and starts them again. */
  async restartAll(between: () => Promise<void>): Promise<void> {
    await this.stop();
    await between();
    for (const [at, { port, sitesPort }] of this.panels.entries()) this.panels[at] = await this.begin([port, sitesPort]);
    for (const panel of this.panels) await panel.ready();
  }

  async stop(): Promise<void> {
    await Promise.all(this.panels.map((panel) => panel.stop('SIGKILL')));
  }

  /** Signs somebody in: the session is good for all of them. */
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
   * Does something at whichever panel chance decides, again and again until it worked: a panel may be dead, or die over it.
   *
   * @param attempt null: not yet, ask again
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

  /** @returns how many times longer than usual it lives from now on: where starts take long, all it does takes long */
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

/** The JSON of an answer. @throws Error with the answer where it is none, or a refusal */
export function accepted({ status, text }: PanelAnswer): Record<string, unknown> {
  const json = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  if (json.success !== true && json.code !== 'ok') throw new Error(`${status} ${text.slice(0, 300)}`);
  return json;
}
