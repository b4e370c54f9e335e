import { Injectable } from '@nestjs/common';

import type { StoreItem, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { BlockedFiles } from '../items/index.js';
import { type FileDigest, printable } from '../packages/index.js';

/** Maximum files listed in an error. */
const MAX_NAMED = 5;

/** A request to publish a version. */
export interface Publication {
  readonly item: Pick<StoreItem, 'slug'>;
  readonly version: Pick<StoreVersion, 'id' | 'version'>;
  readonly userId: number;
  /** SHA-256 of the blocked files shown to the reviewer. */
  readonly seen: readonly string[];
}

/** The blocked files of a version. */
export interface BlockedNow {
  /** SHA-256 of all blocked files. */
  readonly digests: readonly string[];
  /** Files not yet acknowledged. */
  readonly unseen: readonly FileDigest[];
}

/**
 * Requires the reviewer to acknowledge blocked files before publication. A file may be blocked after the upload, or after the reviewer
 * opened the page, and some front ends show no findings. A decision that does not name the blocked files is therefore rejected once with
 * their names; repeating it acknowledges them.
 */
@Injectable()
export class BlockedFileGate {
  constructor(private readonly blocked: BlockedFiles) {}

  /** Returns the currently blocked files; call it in the decision's transaction, which is rolled back if any is unseen. */
  async check({ version, userId, seen }: Publication): Promise<BlockedNow> {
    const files = await this.blocked.ofVersion(version.id);
    if (files.length === 0) return { digests: [], unseen: [] };
    const known = new Set([...seen, ...(await this.blocked.acknowledged(version.id, userId))]);
    return { digests: [...new Set(files.map(({ sha256 }) => sha256))], unseen: files.filter(({ sha256 }) => !known.has(sha256)) };
  }

  /** Makes the error that names the `unseen` files and records that the user was warned; call it after the rollback. */
  async refusal({ item, version, userId }: Publication, unseen: readonly FileDigest[]): Promise<StoreError> {
    await this.blocked.recordWarning(version.id, userId, unseen);
    const names = unseen.map(({ path }) => printable(path || `${item.slug}-v${version.version}.zip`, 100));
    const files = [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ['…'] : [])].join(', ');
    return new StoreError('BLOCKED_FILES', { version: version.version, files });
  }
}
