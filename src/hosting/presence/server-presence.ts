import { Injectable } from '@nestjs/common';

import { Clock, Semaphore } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { callDriver, DriverNodes, DriverRegistry } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';
import { ServerLoads } from '../placement/index.js';

import { PresenceNotices } from './presence-notices.js';

/** Timeout after which a server counts as unreachable, in milliseconds. */
const PROBE_DEADLINE_MS = 10_000;
/** Shorter outages are not reported, because they are caused by restarts or single failed checks. In milliseconds. */
const REPORT_AFTER_MS = 4 * 60_000;
/** Servers checked in parallel. */
const PARALLEL_CHECKS = 5;
const MAX_SERVERS = 1_000;

/**
 * Detects which servers are reachable: those with an agent by its heartbeats, the others by probing. A server that rejects the panel counts
 * as reachable. The start of an outage is stored in the row; groups skip the server, pages show it, and administrators are notified.
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

  /** Checks every server. @returns number of unreachable servers */
  @Job({ name: 'server-presence', everyMinutes: 5, timeoutMinutes: 30 })
  async check(turn?: JobTurn): Promise<number> {
    const nodes = await this.rows.find({ order: { id: 'ASC' }, take: MAX_SERVERS });
    const loads = await this.loads.of(nodes);
    const turns = new Semaphore(PARALLEL_CHECKS);
    const found = await Promise.all(
      nodes.map((node) =>
        turns.take(async () => {
          turn?.signal.throwIfAborted();
          const isReachable = loads.get(node.id)?.isOnline ?? (await this.answers(node));
          if (isReachable !== null) await this.record(node, isReachable);
          return isReachable;
        }),
      ),
    );
    return found.filter((isThere) => isThere === false).length;
  }

  /** Returns null if unknown, because the kind has no driver or its server may be added before it exists. */
  private async answers(node: HostingNode): Promise<boolean | null> {
    const driver = this.registry.find(node.driver);
    if (!driver || driver.comesLater) return null;
    const known = this.nodes.of(node);
    const { outcome } = await callDriver((deadline) => driver.probe(known, deadline), PROBE_DEADLINE_MS);
    return outcome !== 'unreachable' && outcome !== 'unknown';
  }

  /** Stores a change and reports it once, whichever process detects it first. */
  private async record({ id }: HostingNode, isReachable: boolean): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async () => {
      await this.database.lockRow('HostingNode', 'id', id);
      const present = await this.rows.findOneBy({ id });
      if (!present) return;
      const { awaySince, awayTold } = present;
      if (awaySince === null) {
        if (!isReachable) await this.rows.update({ id }, { awaySince: now, awayTold: false });
      } else if (isReachable) {
        await this.rows.update({ id }, { awaySince: null, awayTold: false });
        if (awayTold) await this.notices.back(present, awaySince);
      } else if (!awayTold && now.getTime() - awaySince.getTime() >= REPORT_AFTER_MS) {
        await this.rows.update({ id }, { awayTold: true });
        await this.notices.away(present, awaySince);
      }
    });
  }
}
