import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

const PATH = /^(\/[a-z0-9_-]{1,32}){1,3}$/;

/** Registry of plugins that sell and renew names, by the path of their pages. Without one, names are free and do not expire. */
@Injectable()
export class NameSellers {
  private readonly paths: string[] = [];

  /** Registers where names are sold; the first registration is used. @returns unregisters it @throws Error for an invalid path */
  serve(path: string): Undo {
    if (typeof path !== 'string' || !PATH.test(path))
      throw new Error(`The path of pages that sell names must be like /domain, not ${JSON.stringify(path)}.`);
    this.paths.push(path);
    return () => {
      const at = this.paths.lastIndexOf(path);
      if (at >= 0) this.paths.splice(at, 1);
    };
  }

  /** Path of the pages that sell names; null if there is no seller. */
  get path(): string | null {
    return this.paths[0] ?? null;
  }
}
