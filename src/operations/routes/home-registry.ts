import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';
import type { CallContext, PageResult } from '../../sdk/index.js';

/** Renders the site's home page, redirects the visitor, or passes on. */
export type HomeCallback = (ctx: CallContext) => PageResult | Promise<PageResult>;

interface HomeEntry {
  readonly owner: string;
  readonly priority: number;
  readonly callback: HomeCallback;
}

/** Registry of handlers for the home page `/`, tried by ascending priority, then in order of registration. */
@Injectable()
export class HomeRegistry {
  private entries: readonly HomeEntry[] = [];

  /** @throws Error for a priority that is not a whole number */
  add(callback: HomeCallback, priority: number, owner: string): Undo {
    if (!Number.isInteger(priority)) throw new Error(`${owner}: the priority of a home page must be a whole number.`);
    const entry: HomeEntry = { owner, priority, callback };
    const at = this.entries.findIndex((other) => other.priority > priority);
    this.entries = at < 0 ? [...this.entries, entry] : [...this.entries.slice(0, at), entry, ...this.entries.slice(at)];
    return () => {
      this.entries = this.entries.filter((other) => other !== entry);
    };
  }

  /** Returns the handlers in the order they are tried. */
  list(): readonly HomeEntry[] {
    return this.entries;
  }
}
