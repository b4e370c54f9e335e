import { Injectable } from '@nestjs/common';

import type { StoreItem, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { BlockedFiles } from '../items/index.js';
import { type FileDigest, printable } from '../packages/index.js';

/** Files a refusal names. */
const NAMED = 5;

/** Somebody's wish to publish a version. */
export interface Publication {
  readonly item: Pick<StoreItem, 'slug'>;
  readonly version: Pick<StoreVersion, 'id' | 'version'>;
  readonly userId: number;
  /** SHA-256 of the blocked files that were shown with what was looked at. */
  readonly seen: readonly string[];
}

/** The blocked files of a version. */
export interface BlockedNow {
  /** SHA-256 of each. */
  readonly digests: readonly string[];
  /** Those that were not acknowledged. */
  readonly unseen: readonly FileDigest[];
}

/**
 * A blocked file is published only after the reviewer has acknowledged it. A file may be blocked after it was uploaded, and even after the
 * reviewer opened the page; front ends that show no findings decide as well. So a decision that does not name the blocked files is refused
 * once, with their names; repeating it acknowledges them.
 */
@Injectable()
export class BlockedFileGate {
  constructor(private readonly blocked: BlockedFiles) {}

  /** What is blocked now; asked in the transaction of the decision, which is undone where something is unseen. */
  async look({ version, userId, seen }: Publication): Promise<BlockedNow> {
    const files = await this.blocked.ofVersion(version.id);
    if (files.length === 0) return { digests: [], unseen: [] };
    const known = new Set([...seen, ...(await this.blocked.told(version.id, userId))]);
    return { digests: [...new Set(files.map(({ sha256 }) => sha256))], unseen: files.filter(({ sha256 }) => !known.has(sha256)) };
  }

  /** The refusal that names the `unseen` files, which counts as telling of them; asked once the decision is undone. */
  async refusal({ item, version, userId }: Publication, unseen: readonly FileDigest[]): Promise<StoreError> {
    await this.blocked.tell(version.id, userId, unseen);
    const names = unseen.map(({ path }) => printable(path || `${item.slug}-v${version.version}.zip`, 100));
    const files = [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');
    return new StoreError('BLOCKED_FILES', { version: version.version, files });
  }
}
