import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppError, Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask } from '../../jobs/index.js';
import { grantedBy } from '../../packaging/index.js';
import { type Actor, actorOf } from '../audit/index.js';
import type { StoreCall } from '../call/index.js';
import { StoreFinding, StoreItem, StoreUser, StoreVersion } from '../entities/index.js';
import { requestedPermissions, BlockedFiles, type SubmissionFollowUp } from '../items/index.js';

import { Decisions } from './decisions.js';

const log = loggerFor('store');

/** Name of the task that retries the publication. */
const TASK = 'store.trusted-version';
/** Delay of the task in milliseconds: longer than the request takes. */
const RETRY_DELAY_MS = 60_000;

/** A trusted author's version and its submitter. */
interface QueuedVersion {
  readonly id: number;
  readonly actor: Actor;
}

/** Percentage of trusted authors' versions that are reviewed anyway. */
export const SPOT_CHECK_PERCENT = 10;

/**
 * Publishes a new version immediately if an administrator trusts its author. Still reviewed are items not published, versions with serious
 * findings or blocked files, those that request more permissions than the published one, and a random share. If the process ends before
 * publishing, a background task completes it.
 */
@Injectable()
export class TrustedAuthors implements SubmissionFollowUp {
  /** Random number from 0 to 99; replaced in tests. */
  chance = (): number => randomInt(100);

  constructor(
    private readonly database: Database,
    private readonly blocked: BlockedFiles,
    private readonly decisions: Decisions,
    private readonly queue: BackgroundQueue,
    private readonly clock: Clock,
  ) {}

  async enqueue(version: StoreVersion, call: StoreCall): Promise<void> {
    const actor = actorOf(call);
    if (!(await this.isTrusted(actor))) return;
    const { caller, ip } = actor;
    const queued: QueuedVersion = { id: version.id, actor: { caller: { id: caller.id, username: caller.username }, ip } };
    await this.queue.add(TASK, queued, { key: String(version.id), runAt: new Date(this.clock.now().getTime() + RETRY_DELAY_MS) });
  }

  async submitted(item: StoreItem, version: StoreVersion, call: StoreCall): Promise<boolean> {
    try {
      return await this.publish(item, version, actorOf(call));
    } catch (error) {
      log.warn(
        { err: error, itemId: item.id, version: version.version },
        'publishing a version of a trusted author failed; it will be retried',
      );
      return false;
    }
  }

  /** Publishes a version that is still pending because its process ended or the database was unreachable. @throws Error to retry */
  @BackgroundTask({ name: TASK, attempts: 6, backoffSeconds: 60, timeoutMinutes: 2, forgetDone: true })
  async retryPublish(payload: unknown): Promise<void> {
    const { id, actor } = payload as QueuedVersion;
    const version = await this.database.repository(StoreVersion).findOneBy({ id, status: 'pending' });
    const item = version && (await this.database.repository(StoreItem).findOneBy({ id: version.itemId }));
    if (item) await this.publish(item, version, actor);
  }

  /** @returns whether it was published; otherwise it waits for a reviewer @throws Error if it could not be decided */
  private async publish(item: StoreItem, version: StoreVersion, actor: Actor): Promise<boolean> {
    if (item.status !== 'approved' || version.spotCheck) return false;
    if (!(await this.isTrusted(actor)) || !(await this.isHarmless(item, version))) return false;
    if (this.chance() < SPOT_CHECK_PERCENT) {
      await this.database.repository(StoreVersion).update({ id: version.id, status: 'pending' }, { spotCheck: true });
      return false;
    }
    try {
      await this.decisions.approve(item.id, '', actor, { version: version.version, byTrust: true });
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ err: error, itemId: item.id, version: version.version }, 'a version of a trusted author waits for a reviewer');
      return false;
    }
  }

  private async isTrusted({ caller }: Actor): Promise<boolean> {
    return (await this.database.repository(StoreUser).findOneBy({ id: caller.id }))?.trustedAt != null;
  }

  private async isHarmless(item: StoreItem, version: StoreVersion): Promise<boolean> {
    if (await this.database.repository(StoreFinding).existsBy({ versionId: version.id, severity: 'danger' })) return false;
    if ((await this.blocked.ofVersion(version.id)).length > 0) return false;
    const published = await this.database
      .repository(StoreVersion)
      .findOneBy({ itemId: item.id, versionKey: item.version.toLowerCase(), status: 'approved' });
    if (!published) return false;
    const known = grantedBy(requestedPermissions(published, item.type));
    return requestedPermissions(version, item.type).every((name) => known.includes(name));
  }
}
