import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { HOUR_MS, AppError, Clock, translate, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { Actor } from '../audit/index.js';
import { StoreFinding, StoreUser, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { BlockedFiles } from '../items/index.js';

import { Decisions } from './decisions.js';

/** How long a claim lasts, in milliseconds: two hours. */
const CLAIM_MS = 2 * HOUR_MS;

/** Outcome for one version of a bulk decision. */
export interface Outcome {
  readonly id: number;
  readonly version: string;
  readonly done: boolean;
  readonly msg: string;
}

/** Coordinates reviewers: claims of versions and bulk decisions. */
@Injectable()
export class ReviewQueue {
  private readonly claimOne;
  private readonly releaseOne;

  constructor(
    private readonly database: Database,
    private readonly decisions: Decisions,
    private readonly blocked: BlockedFiles,
    private readonly clock: Clock,
  ) {
    this.claimOne = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.claimedBy} = ?, {StoreVersion.claimedAt} = ?
       WHERE {StoreVersion.id} = ? AND {StoreVersion.status} = 'pending'
        AND ({StoreVersion.claimedBy} IS NULL OR {StoreVersion.claimedBy} = ? OR {StoreVersion.claimedAt} < ?)`,
    );
    this.releaseOne = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.claimedBy} = NULL, {StoreVersion.claimedAt} = NULL
       WHERE {StoreVersion.id} = ? AND {StoreVersion.claimedBy} = ?`,
    );
  }

  /**
   * Claims a pending version for two hours. Advisory only: it tells other reviewers to pick another version but does not prevent their
   * decision.
   *
   * @throws StoreError VERSION_NOT_FOUND, VERSION_DECIDED, VERSION_CLAIMED (with the claiming user)
   */
  async claim(id: number, userId: number): Promise<void> {
    const now = this.clock.now();
    if ((await this.claimOne.run(userId, now, id, userId, new Date(now.getTime() - CLAIM_MS))).affected > 0) return;
    const row = await this.require(id);
    if (row.status !== 'pending') throw new StoreError('VERSION_DECIDED');
    throw new StoreError('VERSION_CLAIMED', { user: (await this.names([row])).get(row.claimedBy ?? 0) ?? '' });
  }

  /** Releases one's own claim, if any. @throws StoreError VERSION_NOT_FOUND */
  async release(id: number, userId: number): Promise<void> {
    await this.require(id);
    await this.releaseOne.run(id, userId);
  }

  /** Returns the current claims of these versions, by version id. */
  async claims(ids: readonly number[]): Promise<Map<number, { readonly by: string; readonly userId: number; readonly at: string }>> {
    if (ids.length === 0) return new Map();
    const since = this.clock.now().getTime() - CLAIM_MS;
    const rows = (await this.database.repository(StoreVersion).findBy({ id: In([...ids]), status: 'pending' })).filter(
      ({ claimedBy, claimedAt }) => claimedBy !== null && claimedAt !== null && claimedAt.getTime() >= since,
    );
    const names = await this.names(rows);
    return new Map(
      rows.map(({ id, claimedBy, claimedAt }) => [
        id,
        { by: names.get(claimedBy!) ?? '', userId: claimedBy!, at: claimedAt!.toISOString() },
      ]),
    );
  }

  /**
   * Decides many pending versions independently: failures are reported per version and do not affect the others. Versions with serious
   * findings or blocked files are never published this way.
   */
  async decide(ids: readonly number[], isApproval: boolean, note: string, actor: Actor, locale: Locale): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const id of [...new Set(ids)]) {
      let version = '';
      try {
        const row = await this.require(id);
        ({ version } = row);
        if (row.status !== 'pending') throw new StoreError('VERSION_DECIDED');
        if (isApproval) {
          await this.requireHarmless(row);
          await this.decisions.approve(row.itemId, note, actor, { version });
        } else await this.decisions.reject(row.itemId, note, actor, { version });
        outcomes.push({ id, version, done: true, msg: translate(locale, isApproval ? 'store.item_approved' : 'store.item_rejected') });
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        outcomes.push({ id, version, done: false, msg: translate(locale, error.shape.text, (error as AppError).params) });
      }
    }
    return outcomes;
  }

  private async requireHarmless({ id }: StoreVersion): Promise<void> {
    const isGrave = await this.database.repository(StoreFinding).existsBy({ versionId: id, severity: 'danger' });
    if (isGrave || (await this.blocked.ofVersion(id)).length > 0) throw new StoreError('LOOK_AT_IT');
  }

  private async require(id: number): Promise<StoreVersion> {
    const row = await this.database.repository(StoreVersion).findOneBy({ id });
    if (!row) throw new StoreError('VERSION_NOT_FOUND');
    return row;
  }

  private async names(rows: readonly StoreVersion[]): Promise<Map<number, string>> {
    const ids = [...new Set(rows.flatMap(({ claimedBy }) => claimedBy ?? []))];
    const users = ids.length === 0 ? [] : await this.database.repository(StoreUser).findBy({ id: In(ids) });
    return new Map(users.map(({ id, username }) => [id, username]));
  }
}
