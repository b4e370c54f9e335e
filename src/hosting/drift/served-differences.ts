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
/** Sites that are asked about at once. */
const AT_ONCE = 4;
/** How long one server is asked, in milliseconds: less than the task has. */
const LIMIT_MS = 180 * 60_000;

/** Sites of a server that are served otherwise than the panel's rows say. */
export interface ServedDrift {
  readonly found: readonly (KnownSite & { readonly kind: ServedKind })[];
  /** Sites their server told nothing about. */
  readonly untold: number;
}

/** Asks a server about the domains, settings and certificates of each of its sites. It changes nothing. */
@Injectable()
export class ServedDifferences {
  constructor(
    private readonly database: Database,
    private readonly access: SiteAccess,
    private readonly serving: SiteServing,
  ) {}

  /**
   * Ends after {@link LIMIT_MS} with what it has found; those it did not come to are counted as untold.
   *
   * @param without accounts whose site is not there, or not theirs
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
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        turn.signal.throwIfAborted();
        if (performance.now() > end) return { found, untold: untold + Math.max(0, total - done) };
        const some = rows.slice(from, from + AT_ONCE).filter(({ id }) => !without.has(id));
        const answers = await Promise.all(some.map((account) => this.ofSite(account)));
        if (answers.includes('cannot tell')) return { found, untold };
        for (const answer of answers) {
          if (answer === 'untold') untold += 1;
          else if (answer !== 'cannot tell') found.push(...answer);
        }
        done += Math.min(AT_ONCE, rows.length - from);
        turn.progress(done, total);
      }
      if (rows.length < BATCH) return { found, untold };
      last = rows.at(-1)!.id;
    }
  }

  /** One that cannot be asked about keeps nobody from the others. `cannot tell`: no site of this kind of server can. */
  private async ofSite({ id, siteName, username }: HostingAccount): Promise<ServedDrift['found'] | 'untold' | 'cannot tell'> {
    try {
      const site = await this.access.ofHost(id);
      if (!this.serving.canTell(site)) return 'cannot tell';
      const kinds = await this.serving.differences(site);
      return kinds.map((kind) => ({ accountId: id, siteName, username, kind }));
    } catch (error) {
      log.warn({ reason: errorMessage(error), account: id }, 'what a site is served with could not be compared');
      return 'untold';
    }
  }
}
