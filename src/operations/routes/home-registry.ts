import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';
import type { CallContext, PageResult } from '../../sdk/index.js';

/** Makes the site's home page, sends the visitor elsewhere, or passes on. */
export type HomeCallback = (ctx: CallContext) => PageResult | Promise<PageResult>;

interface HomeEntry {
  readonly owner: string;
  readonly priority: number;
  readonly callback: HomeCallback;
}

/** Registry of handlers for the home page `/`: asked by ascending priority, then in the order of registration. */
@Injectable()
export class HomeRegistry {
  private entries: readonly HomeEntry[] = [];

  /** @throws Error for a priority that is no whole number */
  add(callback: HomeCallback, priority: number, owner: string): Undo {
    if (!Number.isInteger(priority)) throw new Error(`${owner}: the priority of a home page must be a whole number.`);
    const entry: HomeEntry = { owner, priority, callback };
    const at = this.entries.findIndex((other) => other.priority > priority);
    this.entries = at < 0 ? [...this.entries, entry] : [...this.entries.slice(0, at), entry, ...this.entries.slice(at)];
    return () => {
      this.entries = this.entries.filter((other) => other !== entry);
    };
  }

  /** In the order of asking. */
  list(): readonly HomeEntry[] {
    return this.entries;
  }
}
