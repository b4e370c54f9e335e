import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

/** Where records of zones can be set. */
export interface NameProvider {
  readonly id: number;
  readonly name: string;
}

/** Asks whoever sets records at DNS providers which there are; without anybody a zone has a wildcard record. */
@Injectable()
export class NameProviders {
  private readonly lists = new Set<() => Promise<NameProvider[]>>();

  /** @returns takes it back */
  serve(list: () => Promise<NameProvider[]>): Undo {
    this.lists.add(list);
    return () => void this.lists.delete(list);
  }

  /** All there are. */
  async all(): Promise<NameProvider[]> {
    const found = await Promise.all([...this.lists].map((list) => list()));
    return found.flat();
  }
}
