import { Injectable } from '@nestjs/common';

import { FailureLimits } from '../auth/index.js';
import { DAY_MS, Clock } from '../common/index.js';
import { Database, type Statement } from '../database/index.js';
import { Job } from '../jobs/index.js';

import { AuditLog, type AuditText } from './audit-log.js';

/** Returns the actor of a line caused from outside; account names never contain a colon. */
export const outsideActor = (source: string): string => `callback:${source}`;
/** Lines per address and source in a time window. */
const LINES = { limit: 30, windowSeconds: 600 };
/** Retention of such lines, in milliseconds: 90 days. */
export const OUTSIDE_LINES_KEPT_MS = 90 * DAY_MS;
const BATCH = 1_000;

/** A line of the operation log caused from outside. */
export interface OutsideLine {
  /** Entry point, such as the slug of a gateway. */
  readonly source: string;
  readonly category: string;
  /** Untrusted text: the caller may have chosen every word. */
  readonly quoted: string;
  readonly ip: string;
  /** The same for readers of any language, quoted as well. */
  readonly text?: AuditText;
  /** Our evaluation. */
  readonly outcome: string;
}

/**
 * Writes log lines whose text comes from outside. They have an actor of their own and quoted text, so that they cannot be mistaken for an
 * account's action; the number of lines per address is limited, and they are removed after 90 days.
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
      // Lines of earlier versions, which stored the typed name as the actor.
      "{OperationLog.category} = '登陆' AND {OperationLog.outcome} <> 'ok'",
    ].map((condition) =>
      database.statement(
        `DELETE FROM {OperationLog} WHERE {OperationLog.id} IN (SELECT id FROM (SELECT {OperationLog.id} AS id FROM {OperationLog}
          WHERE ${condition} AND {OperationLog.createdAt} < ? ORDER BY {OperationLog.id} LIMIT ${BATCH}) AS old)`,
      ),
    );
  }

  /** Writes one line, unless the address has reached its limit. Never throws. */
  async write({ source, category, quoted, text: message, ip, outcome }: OutsideLine): Promise<void> {
    if ((await this.failures.count(`line:${source}`, ip, LINES).catch(() => 0)) > 0) return;
    const text = `「${quoted.replaceAll('「', '[').replaceAll('」', ']')}`;
    await this.audit.write({
      actor: outsideActor(source),
      source,
      category,
      summary: text.length > 253 ? `${text.slice(0, 252)}…」` : `${text}」`,
      text: message,
      ip,
      outcome,
    });
  }

  /**
   * Removes expired lines, including those of failed sign-ins and of invalid keys of the provisioning API; run by the scheduler.
   *
   * @returns the number of removed lines
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
