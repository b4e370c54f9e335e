import { FileProblem } from '../../driver/index.js';

import { type Folder, typeOf } from './folder.js';
import { namesOf } from './listing.js';
import { isProtected, presentName } from './site-path.js';

/** Maximum entries one action may visit. */
const MAX_ENTRIES = 200_000;

/** An entry visited by an action. Its folder stays open until the next entry is requested. */
export interface WalkedThing {
  readonly folder: Folder;
  readonly name: string;
  /** Relative to the start of the walk. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Walks the named entries of an open folder and everything below them, each folder before its contents. Symbolic links and special files
 * are counted and skipped.
 */
export class TreeWalk {
  /** Entries skipped. */
  left = 0;
  /** Entries visited. */
  seen = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** @throws FileProblem MISSING for a name that does not exist, TOO_MANY; the abort reason of the signal */
  async *through(folder: Folder, names: readonly string[]): AsyncGenerator<WalkedThing> {
    for (const name of names) yield* this.one(folder, presentName(name), name, true);
  }

  /** Walks everything in an open folder. @throws as {@link through} */
  async *everything(folder: Folder): AsyncGenerator<WalkedThing> {
    const { names, cut } = await namesOf(folder);
    if (cut) throw new FileProblem('TOO_MANY');
    for (const { name } of names) yield* this.one(folder, name, name, false);
  }

  private async *one(folder: Folder, name: string, path: string, isWanted: boolean): AsyncGenerator<WalkedThing> {
    this.signal.throwIfAborted();
    const stats = await folder.stat(name);
    if (stats === null) {
      if (isWanted) throw new FileProblem('MISSING', { name });
      return;
    }
    const type = typeOf(stats);
    if (type === 'other' || isProtected(name)) {
      this.left += 1;
      return;
    }
    this.seen += 1;
    if (this.seen > MAX_ENTRIES) throw new FileProblem('TOO_MANY');
    yield { folder, name, path, isFolder: type === 'folder' };
    if (type !== 'folder') return;
    const below = await folder.child(name);
    try {
      const { names, cut } = await namesOf(below);
      if (cut) throw new FileProblem('TOO_MANY');
      for (const entry of names) yield* this.one(below, entry.name, `${path}/${entry.name}`, false);
    } finally {
      await below.close();
    }
  }
}
