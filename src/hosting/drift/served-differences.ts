import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan } from 'typeorm';

import { errorMessage, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import { HostingAccount, type HostingNode } from '../entities/index.js';
import type { KnownSite } from '../maintenance/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { type ServedKind, SiteServing } from './site-serving.js';

const log = loggerFor('hosting');
const BATCH = 200;
/** Sites checked in parallel. */
const CONCURRENCY = 4;
/** Time limit per server, in milliseconds: less than the task's timeout. */
const LIMIT_MS = 180 * 60_000;

/** Sites of a server that are served differently from the panel's rows. */
export interface ServedDrift {
  readonly found: readonly (KnownSite & { readonly kind: ServedKind })[];
  /** Sites whose server reported nothing. */
  readonly untold: number;
}

/** Compares domains, settings and certificates of each site with what its server reports. It changes nothing. */
@Injectable()
export class ServedDifferences {
  constructor(
    private readonly database: Database,
    private readonly access: SiteAccess,
    private readonly serving: SiteServing,
  ) {}

  /**
   * Stops after {@link LIMIT_MS} and returns what was found; the remaining sites are counted as untold.
   *
   * @param without accounts whose site is missing or belongs to another
   */
  async of(node: HostingNode, without: ReadonlySet<number>, turn: TaskTurn): Promise<ServedDrift> {
    const found: (KnownSite & { kind: ServedKind })[] = [];
    const comparable = { nodeCode: node.code, state: In(['active', 'paused']), claimedUntil: IsNull() };
    const accounts = this.database.repository(HostingAccount);
    const total = await accounts.countBy(comparable);
    let [done, untold] = [0, 0];
    const end = performance.now() + LIMIT_MS;
    for (let last = 0; ;) {
      const rows = await accounts.find({ where: { ...comparable, id: MoreThan(last) }, order: { id: 'ASC' }, take: BATCH });
      for (let from = 0; from < rows.length; from += CONCURRENCY) {
        turn.signal.throwIfAborted();
        if (performance.now() > end) return { found, untold: untold + Math.max(0, total - done) };
        const some = rows.slice(from, from + CONCURRENCY).filter(({ id }) => !without.has(id));
        const answers = await Promise.all(some.map((account) => this.ofSite(account)));
        if (answers.includes('unsupported')) return { found, untold };
        for (const answer of answers) {
          if (answer === 'unknown') untold += 1;
          else if (answer !== 'unsupported') found.push(...answer);
        }
        done += Math.min(CONCURRENCY, rows.length - from);
        turn.progress(done, total);
      }
      if (rows.length < BATCH) return { found, untold };
      last = rows.at(-1)!.id;
    }
  }

  /** A failed check does not stop the others. `unsupported`: this kind of server cannot report it for any site. */
  private async ofSite({ id, siteName, username }: HostingAccount): Promise<ServedDrift['found'] | 'unknown' | 'unsupported'> {
    try {
      const site = await this.access.ofHost(id);
      if (!this.serving.canReport(site)) return 'unsupported';
      const kinds = await this.serving.differences(site);
      return kinds.map((kind) => ({ accountId: id, siteName, username, kind }));
    } catch (error) {
      log.warn({ reason: errorMessage(error), account: id }, 'the served configuration of a site could not be compared');
      return 'unknown';
    }
  }
}
