import { Injectable } from '@nestjs/common';

import type { HostingNode } from '../entities/index.js';

/** Clears away what it keeps on the disk of a server. @returns how many files stay there */
export type LeftoverClearing = (node: HostingNode) => Promise<number>;

/**
 * What is still on the disk of a server that is taken out of the panel: nobody can reach it from here afterwards. Who puts something
 * there says how it is cleared away.
 */
@Injectable()
export class ServerLeftovers {
  private readonly clearings: LeftoverClearing[] = [];

  add(clearing: LeftoverClearing): void {
    this.clearings.push(clearing);
  }

  /** @returns how many files stay on the server, which does not answer or does not delete them */
  async clear(node: HostingNode): Promise<number> {
    let left = 0;
    for (const clearing of this.clearings) left += await clearing(node);
    return left;
  }
}
