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
 * Nobody publishes a blocked file without knowing. A file may be blocked after it was uploaded, and even after the reviewer opened the
 * page; and front ends that show no findings decide as well. So a decision that does not say that it knows is refused with the names of
 * the files, once: findings decide nothing, and who decides the same again means it.
 */
@Injectable()
export class BlockedFileGate {
  constructor(private readonly blocked: BlockedFiles) {}

  /**
   * Runs a decision.
   *
   * @param decide calls what it is given inside its transaction: it answers the digests of blocked files that are published knowingly, and
   *   fails for one nobody told the reviewer of
   * @throws StoreError INVALID (with the names of files the reviewer did not know to be blocked), whatever `decide` throws
   */
  async knowing<T>(publication: Publication, decide: (digests: () => Promise<string[]>) => Promise<T>): Promise<T> {
    try {
      return await decide(() => this.digests(publication));
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      const { item, version, userId } = publication;
      await this.blocked.tell(version.id, userId, error.files);
      const names = error.files.map(({ path }) => printable(path || `${item.slug}-v${version.version}.zip`, 100));
      const files = [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');
      throw StoreError.invalid('store.blocked_files', { version: version.version, files });
    }
  }

  private async digests({ version, userId, seen }: Publication): Promise<string[]> {
    const files = await this.blocked.ofVersion(version.id);
    if (files.length === 0) return [];
    const known = new Set([...seen, ...(await this.blocked.told(version.id, userId))]);
    const unknown = files.filter(({ sha256 }) => !known.has(sha256));
    if (unknown.length > 0) throw new Unknown(unknown);
    return [...new Set(files.map(({ sha256 }) => sha256))];
  }
}

/** Takes a decision back before its reviewer is told. */
class Unknown extends Error {
  constructor(readonly files: readonly FileDigest[]) {
    super('blocked files');
  }
}
