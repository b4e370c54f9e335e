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

/**
 * A blocked file is published only after the reviewer has acknowledged it. A file may be blocked after it was uploaded, and even after the
 * reviewer opened the page; front ends that show no findings decide as well. So a decision that does not name the blocked files is refused
 * once, with their names; repeating it acknowledges them.
 */
@Injectable()
export class BlockedFileGate {
  constructor(private readonly blocked: BlockedFiles) {}

  /**
   * Runs a decision.
   *
   * @param decide calls what it is given inside its transaction: it answers the digests of blocked files that were acknowledged, and
   *   fails for one that was not
   * @throws StoreError INVALID (with the names of the files that were not acknowledged), whatever `decide` throws
   */
  async requireAcknowledgement<T>(publication: Publication, decide: (digests: () => Promise<string[]>) => Promise<T>): Promise<T> {
    try {
      return await decide(() => this.digests(publication));
    } catch (error) {
      if (!(error instanceof UnacknowledgedFiles)) throw error;
      const { item, version, userId } = publication;
      await this.blocked.tell(version.id, userId, error.files);
      const names = error.files.map(({ path }) => printable(path || `${item.slug}-v${version.version}.zip`, 100));
      const files = [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');
      throw new StoreError('BLOCKED_FILES', { version: version.version, files });
    }
  }

  private async digests({ version, userId, seen }: Publication): Promise<string[]> {
    const files = await this.blocked.ofVersion(version.id);
    if (files.length === 0) return [];
    const known = new Set([...seen, ...(await this.blocked.told(version.id, userId))]);
    const unknown = files.filter(({ sha256 }) => !known.has(sha256));
    if (unknown.length > 0) throw new UnacknowledgedFiles(unknown);
    return [...new Set(files.map(({ sha256 }) => sha256))];
  }
}

/** Rolls a decision back; the reviewer is answered after that. */
class UnacknowledgedFiles extends Error {
  constructor(readonly files: readonly FileDigest[]) {
    super('blocked files');
  }
}
