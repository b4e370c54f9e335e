import { Injectable } from '@nestjs/common';

import { FailureLimits } from '../auth/index.js';
import { DAY_MS, Clock } from '../common/index.js';
import { Database, type Statement } from '../database/index.js';
import { Job } from '../jobs/index.js';

import { AuditLog, type AuditText } from './audit-log.js';

/** The actor of a line that somebody outside caused, as programs read it: no account's name has a colon. */
export const outsideActor = (source: string): string => `callback:${source}`;
/** Lines of one address and source in a window. */
const LINES = { limit: 30, windowSeconds: 600 };
/** How long such lines are kept, in milliseconds: 90 days. */
export const OUTSIDE_LINES_KEPT_MS = 90 * DAY_MS;
const BATCH = 1_000;

/** A line of the operation log that somebody outside caused. */
export interface OutsideLine {
  /** Where it came in, such as the slug of a gateway. */
  readonly source: string;
  readonly category: string;
  /** The caller may have chosen every word of it. */
  readonly quoted: string;
  readonly ip: string;
  /** The same for readers of any language, in quotation marks as well. */
  readonly text?: AuditText;
  /** What we make of it. */
  readonly outcome: string;
}

/**
 * Lines of the operation log whose words come from outside. They have an actor of their own and their text stands in quotation marks, so
 * they never read like an act of somebody with an account; an address writes a bounded number of them, and they are removed after 90 days.
 */
@Injectable()
export class OutsideLog {
  private readonly remove: readonly Statement[];

  constructor(
    private readonly audit: AuditLog,
    private readonly failures: FailureLimits,
    private readonly clock: Clock,
    database: Database,
  ) {
    this.remove = [
      "{OperationLog.source} > ''",
      // Of panels that took the name somebody had typed for the actor.
      "{OperationLog.category} = '登陆' AND {OperationLog.outcome} <> 'ok'",
    ].map((condition) =>
      database.statement(
        `DELETE FROM {OperationLog} WHERE {OperationLog.id} IN (SELECT id FROM (SELECT {OperationLog.id} AS id FROM {OperationLog}
          WHERE ${condition} AND {OperationLog.createdAt} < ? ORDER BY {OperationLog.id} LIMIT ${BATCH}) AS old)`,
      ),
    );
  }

  /** Writes one line, unless the address has written its share. Never throws. */
  async write({ source, category, quoted, text: words, ip, outcome }: OutsideLine): Promise<void> {
    if ((await this.failures.count(`line:${source}`, ip, LINES).catch(() => 0)) > 0) return;
    const text = `「${quoted.replaceAll('「', '[').replaceAll('」', ']')}`;
    await this.audit.write({
      actor: outsideActor(source),
      source,
      category,
      summary: text.length > 253 ? `${text.slice(0, 252)}…」` : `${text}」`,
      text: words,
      ip,
      outcome,
    });
  }

  /**
   * Removes lines that are older than they are kept, those of failed sign-ins and of wrong keys of the
   * provisioning API too; for the cron tick.
   *
   * @returns how many
   */
  @Job({ name: 'outside-log', everyMinutes: 60, catchUp: true })
  async removeOld(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - OUTSIDE_LINES_KEPT_MS);
    let removed = 0;
    for (const statement of this.remove) {
      for (let affected = BATCH; affected === BATCH;) {
        ({ affected } = await statement.run(before));
        removed += affected;
      }
    }
    return removed;
  }
}
