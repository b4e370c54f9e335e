import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { type ItemStatus, StoreItem, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { SlugClaims } from '../items/index.js';
import type { FileDigest } from '../packages/index.js';
import { PackageSigner, type PackageSignature } from '../signing/index.js';

import { type Actor, StoreAuditLog } from '../audit/index.js';
import { BlockedFileGate } from './blocked-file-gate.js';
import { GraveFindingGate } from './grave-finding-gate.js';

/** State of a version as seen by its reviewer, against which a decision is checked. */
export interface Reviewed {
  /** The reviewed version, or the published one when lifting a suspension; the decision fails if another one is pending by now. */
  readonly version?: string;
  /** SHA-256 of the blocked files shown. */
  readonly blockedSeen?: readonly string[];
  /** Rules of the serious findings shown. */
  readonly findingsSeen?: readonly string[];
  /** Whether it is published without a review because its author is trusted. */
  readonly byTrust?: boolean;
}

/**
 * Reviewers' decisions about items and versions. Each is a conditional update on the expected state: of two concurrent decisions one wins,
 * and the other gets an error with the current state.
 */
@Injectable()
export class Decisions {
  private readonly moveItem;
  private readonly approveVersion;
  private readonly publishVersion;
  private readonly rejectVersion;
  private readonly deleteItem;
  private readonly blockPackages;
  private readonly unblockPackages;

  constructor(
    private readonly database: Database,
    private readonly signer: PackageSigner,
    private readonly blocked: BlockedFileGate,
    private readonly findings: GraveFindingGate,
    private readonly slugs: SlugClaims,
    private readonly audit: StoreAuditLog,
    private readonly clock: Clock,
  ) {
    this.moveItem = database.statement(
      `UPDATE {StoreItem} SET {StoreItem.status} = ?, {StoreItem.reviewMessage} = ?, {StoreItem.updatedAt} = ?
       WHERE {StoreItem.id} = ? AND {StoreItem.status} = ?`,
    );
    this.approveVersion = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.status} = 'approved', {StoreVersion.reviewMessage} = ?, {StoreVersion.signature} = ?,
        {StoreVersion.keyId} = ?,
        {StoreVersion.signedAt} = ?, {StoreVersion.decidedAt} = ?, {StoreVersion.decidedBy} = ?
       WHERE {StoreVersion.id} = ? AND {StoreVersion.status} = 'pending'`,
    );
    this.publishVersion = database.statement(
      'UPDATE {StoreItem} SET {StoreItem.version} = ?, {StoreItem.sha256} = ?, {StoreItem.zipSize} = ? WHERE {StoreItem.id} = ?',
    );
    this.rejectVersion = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.status} = 'rejected', {StoreVersion.reviewMessage} = ?, {StoreVersion.decidedAt} = ?,
        {StoreVersion.decidedBy} = ?
       WHERE {StoreVersion.id} = ? AND {StoreVersion.status} = 'pending'`,
    );
    this.blockPackages = database.statement(
      `${database.insertIgnore} {StoreBlockedDigest} ({StoreBlockedDigest.sha256}, {StoreBlockedDigest.reason},
        {StoreBlockedDigest.createdBy}, {StoreBlockedDigest.createdAt})
       SELECT DISTINCT {StoreVersion.sha256}, ?, ?, ? FROM {StoreVersion} WHERE {StoreVersion.itemId} = ?`,
    );
    this.unblockPackages = database.statement(
      `DELETE FROM {StoreBlockedDigest} WHERE {StoreBlockedDigest.sha256} IN
        (SELECT {StoreVersion.sha256} FROM {StoreVersion} WHERE {StoreVersion.itemId} = ?)`,
    );
    this.deleteItem = database.statement('DELETE FROM {StoreItem} WHERE {StoreItem.id} = ? AND {StoreItem.status} = ?');
  }

  /**
   * Publishes the pending version, or lifts a suspension.
   *
   * @throws StoreError NOT_FOUND, INVALID (with the current state, or with what the reviewer has not seen)
   */
  async approve(
    id: number,
    note: string,
    actor: Actor,
    { version: reviewed, blockedSeen = [], findingsSeen = [], byTrust = false }: Reviewed = {},
  ): Promise<void> {
    const { item, waiting } = await this.load(id);
    checkReviewed(item, waiting, reviewed);
    if (item.status === 'rejected' || (!waiting && item.status !== 'suspended')) throw await this.conflict(id);
    if (waiting?.channel === 'beta' && item.status !== 'approved') throw new StoreError('BETA_NEEDS_RELEASE');
    // Already published versions were checked at their approval.
    const grave = waiting ? await this.findings.require({ version: waiting, userId: actor.caller.id, seen: findingsSeen }) : [];
    const signedAt = this.clock.now();
    const signature =
      waiting &&
      (await this.signer.sign({
        type: item.type,
        slug: item.slug,
        version: waiting.version,
        sha256: waiting.sha256,
        size: waiting.zipSize,
        signedAt: signedAt.toISOString(),
      }));
    const version =
      waiting ?? (await this.database.repository(StoreVersion).findOneByOrFail({ itemId: id, versionKey: item.version.toLowerCase() }));
    if (!waiting && version.status !== 'approved') throw new StoreError('VERSION_WITHDRAWN', { version: version.version });
    const publication = { item, version, userId: actor.caller.id, seen: blockedSeen };
    let unseen: readonly FileDigest[] = [];
    const isDecided = await this.database.transactionIf(async () => {
      if (!(await this.move(item, 'approved', note))) return false;
      if (waiting && signature && !(await this.publish(waiting, signature, signedAt, note, actor))) return false;
      const blocked = await this.blocked.check(publication);
      unseen = blocked.unseen;
      if (unseen.length > 0) return false;
      await this.slugs.reopen(item);
      const detail = {
        from: item.status,
        version: waiting?.version ?? null,
        msg: note,
        ...(blocked.digests.length > 0 ? { blocked: blocked.digests } : {}),
        ...(grave.length > 0 ? { findings: grave } : {}),
      };
      await this.audit.record(actor, { action: byTrust ? 'item.approve_trusted' : 'item.approve', subject: 'item', subjectId: id, detail });
      return true;
    });
    if (unseen.length > 0) throw await this.blocked.refusal(publication, unseen);
    if (!isDecided) throw await this.conflict(id);
  }

  /**
   * Rejects the pending version, checked against the reviewed one as in {@link approve}; the published version stays.
   *
   * @throws StoreError NOT_FOUND, INVALID (with the current state)
   */
  async reject(id: number, note: string, actor: Actor, { version: reviewed }: Reviewed = {}): Promise<void> {
    const { item, waiting } = await this.load(id);
    checkReviewed(item, waiting, reviewed);
    if (!waiting || item.status === 'rejected') throw await this.conflict(id);
    await this.decide(id, async () => {
      if (!(await this.move(item, item.status === 'pending' ? 'rejected' : item.status, note))) return false;
      if ((await this.rejectVersion.run(note, this.clock.now(), actor.caller.id, waiting.id)).affected === 0) return false;
      await this.audit.record(actor, {
        action: 'item.reject',
        subject: 'item',
        subjectId: id,
        detail: { from: item.status, version: waiting.version, msg: note },
      });
      return true;
    });
  }

  /** Unlists a published item. @throws StoreError NOT_FOUND, INVALID (with the current state) */
  async suspend(id: number, note: string, actor: Actor): Promise<void> {
    const { item } = await this.load(id);
    if (item.status !== 'approved') throw await this.conflict(id);
    await this.decide(id, () => this.unlist(item, note, actor));
  }

  /**
   * Blocks an item completely: adds the packages of all its versions to the blocked files, which makes panels disable them, and suspends it
   * if published. Later versions are not blocked; approving one lifts the suspension.
   *
   * @returns number of newly blocked packages
   * @throws StoreError NOT_FOUND, INVALID (already blocked, or decided meanwhile)
   */
  async block(id: number, reason: string, actor: Actor): Promise<number> {
    const { item } = await this.load(id);
    let packages = 0;
    await this.decide(id, async () => {
      packages = (await this.blockPackages.run(reason, actor.caller.id, this.clock.now(), id)).affected;
      if (packages === 0) throw new StoreError('ITEM_BLOCKED_ALREADY');
      if (item.status === 'approved' && !(await this.unlist(item, reason, actor))) return false;
      await this.audit.record(actor, { action: 'item.block', subject: 'item', subjectId: id, detail: { packages, msg: reason } });
      return true;
    });
    return packages;
  }

  /** Unblocks the packages of all versions; a suspension stays until it is lifted. @throws StoreError NOT_FOUND, INVALID */
  async unblock(id: number, actor: Actor): Promise<number> {
    return this.database.transaction(async () => {
      await this.load(id);
      const { affected } = await this.unblockPackages.run(id);
      if (affected === 0) throw new StoreError('ITEM_NOT_BLOCKED');
      await this.audit.record(actor, { action: 'item.unblock', subject: 'item', subjectId: id, detail: { packages: affected } });
      return affected;
    });
  }

  /**
   * Deletes an item with all dependent rows. Its slug stays reserved for its author and its version strings stay used; the sweep removes
   * unused packages. If it was published, its removal stays on record. @throws StoreError NOT_FOUND, INVALID (decided meanwhile)
   */
  async remove(id: number, note: string, actor: Actor): Promise<void> {
    const { item } = await this.load(id);
    await this.decide(id, async () => {
      if ((await this.deleteItem.run(id, item.status)).affected === 0) return false;
      if (item.status === 'approved' || item.status === 'suspended') await this.slugs.close(item, note, this.clock.now());
      await this.audit.record(actor, {
        action: 'item.delete',
        subject: 'item',
        subjectId: id,
        detail: { type: item.type, slug: item.slug, name: item.name, status: item.status, author_id: item.authorId, msg: note },
      });
      return true;
    });
  }

  /** Suspends a published item within the current transaction. @returns false if its state changed meanwhile */
  private async unlist(item: StoreItem, note: string, actor: Actor): Promise<boolean> {
    if (!(await this.move(item, 'suspended', note))) return false;
    await this.slugs.close(item, note, this.clock.now());
    await this.audit.record(actor, { action: 'item.suspend', subject: 'item', subjectId: item.id, detail: { msg: note } });
    return true;
  }

  private async load(id: number): Promise<{ item: StoreItem; waiting: StoreVersion | null }> {
    const item = await this.database.repository(StoreItem).findOneBy({ id });
    if (!item) throw itemGone();
    const waiting = await this.database
      .repository(StoreVersion)
      .findOne({ where: { itemId: id, status: 'pending' }, order: { id: 'DESC' } });
    return { item, waiting };
  }

  /** Error with the current state, which may have changed since it was read. */
  private async conflict(id: number): Promise<StoreError> {
    return new StoreError('STATE_CONFLICT', { status: (await this.load(id)).item.status });
  }

  private async move(item: StoreItem, status: ItemStatus, note: string): Promise<boolean> {
    return (await this.moveItem.run(status, note, this.clock.now(), item.id, item.status)).affected > 0;
  }

  /** Publishes a pending version. @returns false if it was decided meanwhile */
  private async publish(
    waiting: StoreVersion,
    { signature, keyId }: PackageSignature,
    at: Date,
    note: string,
    { caller }: Actor,
  ): Promise<boolean> {
    const { affected } = await this.approveVersion.run(note, signature, keyId, at, at, caller.id, waiting.id);
    if (affected === 0) return false;
    // A beta does not replace the item's current version.
    if (waiting.channel === 'stable') await this.publishVersion.run(waiting.version, waiting.sha256, waiting.zipSize, waiting.itemId);
    return true;
  }

  /** Runs a decision and rolls it back if the state changed meanwhile. @throws StoreError STATE_CONFLICT */
  private async decide(id: number, work: () => Promise<boolean>): Promise<void> {
    if (!(await this.database.transactionIf(work))) throw await this.conflict(id);
  }
}

/** Rejects the decision if the author submitted another, unreviewed version since the reviewer opened the page. */
function checkReviewed(item: StoreItem, waiting: StoreVersion | null, reviewed: string | undefined): void {
  const { version } = waiting ?? item;
  if (reviewed !== undefined && version.toLowerCase() !== reviewed.toLowerCase())
    throw new StoreError('OTHER_VERSION_WAITS', { version, reviewed });
}

function itemGone(): StoreError {
  return new StoreError('ITEM_NOT_FOUND');
}
