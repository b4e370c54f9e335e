import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

const PATH = /^(\/[a-z0-9_-]{1,32}){1,3}$/;

/** Registry of plugins that sell and renew names, by the path of their pages. Without one, names are free and have no last day. */
@Injectable()
export class NameSellers {
  private readonly paths: string[] = [];

  /** Says where names are sold; the first one holds. @returns takes it back @throws Error for what is no such path */
  serve(path: string): Undo {
    if (typeof path !== 'string' || !PATH.test(path))
      throw new Error(`The path of pages that sell names is like /domain, not ${JSON.stringify(path)}.`);
    this.paths.push(path);
    return () => {
      const at = this.paths.lastIndexOf(path);
      if (at >= 0) this.paths.splice(at, 1);
    };
  }

  /** Where names are bought; null while nobody sells any. */
  get path(): string | null {
    return this.paths[0] ?? null;
  }
}
