import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThanOrEqual } from 'typeorm';

import { addressForLimits } from '../../auth/index.js';
import { DAY_MS, HOUR_MS, Clock } from '../../common/index.js';
import { Database, EntityPages, type SqlValue } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { StoreAudit, type StoreUser } from '../entities/index.js';
import type { PageSlice, StoreCall, StoreCaller } from '../call/index.js';

/** Entry of the audit log: an action and its subject. */
export interface StoreAuditEntry {
  readonly action: AuditAction;
  /** Type of the subject, such as `item`. */
  readonly subject: string;
  readonly subjectId: number;
  /** What changed; must not contain secrets. */
  readonly detail?: Record<string, unknown>;
}

/** The acting account and its client address. */
export interface Actor {
  readonly caller: Pick<StoreCaller, 'id' | 'username'>;
  readonly ip: string;
}

/** Returns the {@link Actor} of an authenticated request. */
export function actorOf({ caller, ip }: Pick<StoreCall, 'caller' | 'ip'>): Actor {
  if (!caller) throw new Error('Only actions of accounts can be logged.');
  return { caller, ip };
}

/** Filter of log entries. */
export type AuditFilter = Partial<Pick<StoreAudit, 'action' | 'subject' | 'subjectId' | 'actorId'>>;

/** Maximum networks listed per account and hour for failed sign-ins; further networks share one entry. */
const NETWORKS_PER_HOUR = 20;
const FAILED = 'auth.login_failed';
/** Administrators' decisions. */
const DECISIONS = [
  'item.approve',
  'item.approve_trusted',
  'item.reject',
  'item.suspend',
  'item.block',
  'item.unblock',
  'item.delete',
  'edit.approve',
  'edit.reject',
  'user.update',
  'user.password_link',
  'user.factor_off',
  'report.close',
  'rating.hide',
  'rating.show',
  'digest.block',
  'digest.unblock',
  'key.rotate',
] as const;
/** Actions of accounts on their own behalf, and anonymous ones. */
const OWN_ACTIONS = [
  'auth.register',
  'auth.login',
  FAILED,
  'auth.logout',
  'auth.password',
  'auth.password_reset',
  'auth.factor_on',
  'auth.factor_codes',
  'auth.factor_off',
  'auth.profile',
  'auth.session_end',
  'auth.failures_seen',
  'token.create',
  'webhook.create',
  'webhook.delete',
  'token.revoke',
  'image.upload',
  'item.submit',
  'item.edit',
  'item.version',
  'item.invite',
  'item.accept',
  'item.leave',
  'item.remove_author',
  'item.offer',
  'item.version_withdraw',
  'item.version_delete',
  'item.report',
  'rating.give',
  'rating.remove',
  'rating.reply',
  'rating.report',
] as const;
/** One of the own actions. */
export type OwnAction = (typeof OWN_ACTIONS)[number];
/** All audited actions. */
export const AUDIT_ACTIONS = [...DECISIONS, ...OWN_ACTIONS] as const;
/** One of {@link AUDIT_ACTIONS}. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
/** How long entries of own actions are kept, in milliseconds. */
const OWN_RETENTION_MS = 400 * DAY_MS;
const BATCH = 1_000;

/** The audit log. Administrators' decisions are kept permanently, own actions of accounts for 400 days. */
@Injectable()
export class StoreAuditLog {
  private readonly lists;
  private readonly followers: ((entry: StoreAuditEntry) => Promise<void>)[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.lists = new EntityPages(database, StoreAudit);
  }

  /** Registers a function to run with every new entry, in the same transaction. */
  follow(follower: (entry: StoreAuditEntry) => Promise<void>): void {
    this.followers.push(follower);
  }

  /** Records an action. Call it inside the transaction of the change, so that both commit or roll back together. */
  async record({ caller, ip }: Actor, entry: StoreAuditEntry): Promise<void> {
    const { action, subject, subjectId, detail = {} } = entry;
    await this.database.repository(StoreAudit).insert({
      actorId: caller.id,
      actorName: caller.username,
      action,
      subject,
      subjectId,
      detail: detail as object,
      ip: ip.slice(0, 64),
      createdAt: this.clock.now(),
    });
    for (const follower of this.followers) await follower(entry);
  }

  /** Records a failed sign-in. Entries are aggregated per account, network and hour, so that attackers cannot fill the log. */
  async recordFailedSignIn({ id, username }: Pick<StoreUser, 'id' | 'username'>, ip: string): Promise<void> {
    const now = this.clock.now();
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const log = this.database.repository(StoreAudit);
    const present = await log.find({
      where: { subject: 'user', subjectId: id, action: FAILED, createdAt: MoreThanOrEqual(hour) },
      order: { id: 'DESC' },
      take: NETWORKS_PER_HOUR + 10,
    });
    const own = addressForLimits(ip);
    const network = present.some((entry) => entry.ip === own) || present.length < NETWORKS_PER_HOUR ? own : '';
    const entry = present.find((candidate) => candidate.ip === network);
    if (entry) await log.update({ id: entry.id }, { detail: { failures: Number(entry.detail.failures) + 1 } as object });
    else
      await this.record(
        { caller: { id, username }, ip: network },
        { action: FAILED, subject: 'user', subjectId: id, detail: { failures: 1 } },
      );
  }

  /** Removes own actions older than 400 days. */
  @Job({ name: 'store-audit-sweep', dailyAt: '05:10' })
  async removeOld(): Promise<void> {
    const log = this.database.repository(StoreAudit);
    const before = new Date(this.clock.now().getTime() - OWN_RETENTION_MS);
    for (;;) {
      // Selected first without a lock: there is no index by time, and new entries must not wait for the scan.
      const old = await log.find({
        select: { id: true },
        where: { action: In([...OWN_ACTIONS]), createdAt: LessThan(before) },
        order: { id: 'ASC' },
        take: BATCH,
      });
      if (old.length > 0) await log.delete({ id: In(old.map(({ id }) => id)) });
      if (old.length < BATCH) return;
    }
  }

  /** Returns a page of entries, newest first. */
  async page(filter: AuditFilter, slice: PageSlice): Promise<{ total: number; entries: StoreAudit[] }> {
    const wanted = Object.entries(filter).filter((entry): entry is [string, SqlValue & (string | number)] => entry[1] !== undefined);
    const { total, rows } = await this.lists.page({
      conditions: wanted.map(([property]) => `{StoreAudit.${property}} = ?`),
      params: wanted.map(([, value]) => value),
      sort: null,
      direction: 'desc',
      offset: slice.offset,
      limit: slice.pageSize,
    });
    return { total, entries: rows };
  }
}
