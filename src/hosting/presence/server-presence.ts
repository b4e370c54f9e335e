import { Injectable } from '@nestjs/common';

import { Clock, Semaphore } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { callDriver, DriverNodes, DriverRegistry } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';
import { ServerLoads } from '../placement/index.js';

import { PresenceNotices } from './presence-notices.js';

/** A server that says nothing for so long is away, in milliseconds. */
const PROBE_DEADLINE_MS = 10_000;
/** One that is away for less is not told of: it was started anew, or a look went wrong. In milliseconds. */
const TOLD_AFTER_MS = 4 * 60_000;
/** Servers that are asked at once. */
const AT_ONCE = 5;
const MOST_SERVERS = 1_000;

/**
 * Knows which servers are there: those with an agent by its heartbeats, the others by asking. One that refuses is there. Since when one
 * is away stands in its row; groups leave it out, pages say so, and administrators are told.
 */
@Injectable()
export class ServerPresence {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly registry: DriverRegistry,
    private readonly nodes: DriverNodes,
    private readonly loads: ServerLoads,
    private readonly notices: PresenceNotices,
  ) {}

  private get rows() {
    return this.database.repository(HostingNode);
  }

  /** Looks at every server. @returns how many are away */
  @Job({ name: 'server-presence', everyMinutes: 5, timeoutMinutes: 30 })
  async look(turn?: JobTurn): Promise<number> {
    const nodes = await this.rows.find({ order: { id: 'ASC' }, take: MOST_SERVERS });
    const loads = await this.loads.of(nodes);
    const turns = new Semaphore(AT_ONCE);
    const found = await Promise.all(
      nodes.map((node) =>
        turns.take(async () => {
          turn?.signal.throwIfAborted();
          const isThere = loads.get(node.id)?.isOnline ?? (await this.answers(node));
          if (isThere !== null) await this.note(node, isThere);
          return isThere;
        }),
      ),
    );
    return found.filter((isThere) => isThere === false).length;
  }

  /** Null: nothing can be said, because nobody drives its kind or what does comes later. */
  private async answers(node: HostingNode): Promise<boolean | null> {
    const driver = this.registry.find(node.driver);
    if (!driver || driver.comesLater) return null;
    const known = this.nodes.of(node);
    const { outcome } = await callDriver((deadline) => driver.probe(known, deadline), PROBE_DEADLINE_MS);
    return outcome !== 'unreachable' && outcome !== 'unknown';
  }

  /** Writes down what is new and tells it, once, whichever process sees it first. */
  private async note({ id }: HostingNode, isThere: boolean): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async () => {
      await this.database.lockRow('HostingNode', 'id', id);
      const present = await this.rows.findOneBy({ id });
      if (!present) return;
      const { awaySince, awayTold } = present;
      if (awaySince === null) {
        if (!isThere) await this.rows.update({ id }, { awaySince: now, awayTold: false });
      } else if (isThere) {
        await this.rows.update({ id }, { awaySince: null, awayTold: false });
        if (awayTold) await this.notices.back(present, awaySince);
      } else if (!awayTold && now.getTime() - awaySince.getTime() >= TOLD_AFTER_MS) {
        await this.rows.update({ id }, { awayTold: true });
        await this.notices.away(present, awaySince);
      }
    });
  }
}
