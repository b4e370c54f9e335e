import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../../database/index.js';
import type { JobTurn } from '../../jobs/index.js';

import { CertificateNotices } from './certificate-notices.js';

/** Days before the end of a certificate that is not renewed automatically at which its owner is warned. */
const WARNED_DAYS = [14, 7, 1] as const;
const BATCH = 100;

interface Ending {
  readonly id: number;
  readonly username: string;
  readonly version: string;
  readonly names: string;
  readonly endsAt: string;
  readonly warned: number;
}

/** Warns owners of certificates that end soon and are not renewed automatically, or could not be. */
@Injectable()
export class CertificateWarnings {
  private readonly ending;
  private readonly warn;

  constructor(
    database: Database,
    private readonly notices: CertificateNotices,
    private readonly clock: Clock,
  ) {
    this.ending = database.statement<Ending>(
      `SELECT c.{SiteCertificate.accountId} AS id, a.{HostingAccount.username} AS username, c.{SiteCertificate.version} AS version,
         c.{SiteCertificate.names} AS names, c.{SiteCertificate.endsAt} AS endsAt, c.{SiteCertificate.warnedDays} AS warned
       FROM {SiteCertificate} c JOIN {HostingAccount} a ON a.{HostingAccount.id} = c.{SiteCertificate.accountId}
       WHERE c.{SiteCertificate.endsAt} > ? AND c.{SiteCertificate.endsAt} <= ? AND c.{SiteCertificate.accountId} > ?
         AND (c.{SiteCertificate.source} = 'own' OR c.{SiteCertificate.renewFailures} > 0)
       ORDER BY c.{SiteCertificate.accountId} LIMIT ${BATCH}`,
    );
    this.warn = database.statement(
      `UPDATE {SiteCertificate} SET {SiteCertificate.warnedDays} = ? WHERE {SiteCertificate.accountId} = ? AND {SiteCertificate.version} = ?
       AND {SiteCertificate.warnedDays} = ?`,
    );
  }

  async run(turn?: JobTurn): Promise<void> {
    const now = this.clock.now();
    const horizon = toSqlTime(new Date(now.getTime() + WARNED_DAYS[0] * DAY_MS));
    for (let last = 0; ;) {
      turn?.signal.throwIfAborted();
      const rows = await this.ending.all(toSqlTime(now), horizon, last);
      for (const row of rows) await this.warnOwner(row, now);
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  }

  private async warnOwner({ id, username, version, names, endsAt, warned }: Ending, now: Date): Promise<void> {
    const ends = fromSqlTime(endsAt);
    const left = (ends.getTime() - now.getTime()) / DAY_MS;
    const days = [...WARNED_DAYS].reverse().find((day) => left <= day)!;
    if (warned !== 0 && warned <= days) return;
    await this.notices.ends({ id, username }, { names: JSON.parse(names) as string[], version, endsAt: ends }, days);
    await this.warn.run(days, id, version, warned);
  }
}
