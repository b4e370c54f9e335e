import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { StoreBlockedDigest, StoreReport, StoreUser } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { PageSlice, StoreCall } from '../call/index.js';

import { type Actor, StoreAuditLog } from '../audit/index.js';

/** Reasons for reporting an item. */
export const REPORT_REASONS = ['malware', 'security', 'copyright', 'spam', 'broken', 'other'] as const;
/** One of {@link REPORT_REASONS}. */
export type ReportReason = (typeof REPORT_REASONS)[number];

/** How long a closed report is kept, in milliseconds: 180 days. */
const CLOSED_REPORTS_MS = 180 * DAY_MS;

/** Reports of items and ratings, and the list of blocked files. */
@Injectable()
export class Moderation {
  private readonly closeReport;
  private readonly addDigest;
  private readonly removeReports;

  constructor(
    private readonly database: Database,
    private readonly audit: StoreAuditLog,
    private readonly clock: Clock,
  ) {
    this.closeReport = database.statement(
      "UPDATE {StoreReport} SET {StoreReport.status} = 'closed', {StoreReport.closedAt} = ? " +
        "WHERE {StoreReport.id} = ? AND {StoreReport.status} = 'open'",
    );
    this.removeReports = database.statement(
      "DELETE FROM {StoreReport} WHERE {StoreReport.status} = 'closed' AND {StoreReport.closedAt} < ?",
    );
    this.addDigest = database.statement(
      `${database.insertIgnore} {StoreBlockedDigest} ({StoreBlockedDigest.sha256}, {StoreBlockedDigest.reason},
        {StoreBlockedDigest.createdBy}, {StoreBlockedDigest.createdAt})
       VALUES (?, ?, ?, ?)`,
    );
  }

  /** Stores a report of a public item or of one of its ratings. */
  async report(
    itemId: number,
    reason: ReportReason,
    text: string,
    { caller, ip }: StoreCall,
    ratingId: number | null = null,
  ): Promise<void> {
    await this.database.repository(StoreReport).insert({
      itemId,
      ratingId,
      reason,
      text,
      reporterId: caller?.id ?? null,
      ip: ip.slice(0, 64),
      status: 'open',
      createdAt: this.clock.now(),
      closedAt: null,
    });
  }

  /** Deletes reports closed more than 180 days ago. */
  @Job({ name: 'store-reports-sweep', everyMinutes: 60, catchUp: true })
  async removeOldReports(): Promise<void> {
    await this.removeReports.run(new Date(this.clock.now().getTime() - CLOSED_REPORTS_MS));
  }

  /** Returns reports with their items, newest first. */
  async reports(status: StoreReport['status'] | undefined, { page, pageSize, offset }: PageSlice) {
    const [rows, total] = await this.database
      .repository(StoreReport)
      .findAndCount({ where: status ? { status } : {}, relations: { item: true }, order: { id: 'DESC' }, skip: offset, take: pageSize });
    const names = await this.names(rows.flatMap(({ reporterId }) => reporterId ?? []));
    const items = rows.map((row) => ({
      id: row.id,
      item_id: row.itemId,
      item_name: row.item!.name,
      slug: row.item!.slug,
      type: row.item!.type,
      reason: row.reason,
      rating_id: row.ratingId,
      text: row.text,
      reporter_id: row.reporterId,
      reporter_name: names.get(row.reporterId ?? 0) ?? null,
      ip: row.ip,
      status: row.status,
      created_at: row.createdAt.toISOString(),
      closed_at: row.closedAt?.toISOString() ?? null,
    }));
    return { items, total, page, page_size: pageSize };
  }

  /** Closes an open report. @throws StoreError NOT_FOUND, INVALID (already closed) */
  async close(id: number, note: string, actor: Actor): Promise<void> {
    await this.database.transaction(async () => {
      if ((await this.closeReport.run(this.clock.now(), id)).affected === 0) {
        if (await this.database.repository(StoreReport).existsBy({ id })) throw new StoreError('REPORT_CLOSED_ALREADY');
        throw new StoreError('REPORT_NOT_FOUND');
      }
      const { itemId, reason } = await this.database.repository(StoreReport).findOneByOrFail({ id });
      await this.audit.record(actor, {
        action: 'report.close',
        subject: 'report',
        subjectId: id,
        detail: { item_id: itemId, reason, msg: note },
      });
    });
  }

  /** Returns blocked files, newest first. */
  async blocked({ page, pageSize, offset }: PageSlice) {
    const [rows, total] = await this.database
      .repository(StoreBlockedDigest)
      .findAndCount({ order: { id: 'DESC' }, skip: offset, take: pageSize });
    return {
      items: rows.map(({ id, sha256, reason, createdBy, createdAt }) => ({
        id,
        sha256,
        reason,
        created_by: createdBy,
        created_at: createdAt.toISOString(),
      })),
      total,
      page,
      page_size: pageSize,
    };
  }

  /** Blocks a file by its SHA-256; packages that contain it get a finding. @throws StoreError INVALID (already blocked) */
  async block(sha256: string, reason: string, actor: Actor): Promise<{ id: number }> {
    return this.database.transaction(async () => {
      if ((await this.addDigest.run(sha256, reason, actor.caller.id, this.clock.now())).affected === 0)
        throw new StoreError('DIGEST_BLOCKED_ALREADY');
      const { id } = await this.database.repository(StoreBlockedDigest).findOneByOrFail({ sha256 });
      await this.audit.record(actor, { action: 'digest.block', subject: 'digest', subjectId: id, detail: { sha256, reason } });
      return { id };
    });
  }

  /** Unblocks a file. @throws StoreError NOT_FOUND */
  async unblock(id: number, actor: Actor): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.database.repository(StoreBlockedDigest).findOneBy({ id });
      const { affected } = await this.database.repository(StoreBlockedDigest).delete({ id });
      if (!row || affected === 0) throw new StoreError('DIGEST_NOT_BLOCKED');
      await this.audit.record(actor, { action: 'digest.unblock', subject: 'digest', subjectId: id, detail: { sha256: row.sha256 } });
    });
  }

  private async names(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const users = await this.database
      .repository(StoreUser)
      .find({ select: { id: true, username: true }, where: { id: In([...new Set(ids)]) } });
    return new Map(users.map(({ id, username }) => [id, username]));
  }
}
