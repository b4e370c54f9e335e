import { Injectable } from '@nestjs/common';

import type { HostingNode } from '../entities/index.js';

/** Removes a feature's files from the disk of a server. @returns number of files that could not be removed */
export type LeftoverClearing = (node: HostingNode) => Promise<number>;

/**
 * Removes remaining files from the disk of a server before it is removed from the panel, since they cannot be reached afterwards. Each
 * feature that stores files there registers how to remove them.
 */
@Injectable()
export class ServerLeftovers {
  private readonly clearings: LeftoverClearing[] = [];

  add(clearing: LeftoverClearing): void {
    this.clearings.push(clearing);
  }

  /** @returns number of files left on the server, which does not answer or does not delete them */
  async clear(node: HostingNode): Promise<number> {
    let left = 0;
    for (const clearing of this.clearings) left += await clearing(node);
    return left;
  }
}
