import { FileProblem } from '../../driver/index.js';

import { type Folder, typeOf } from './folder.js';
import { namesOf } from './listing.js';
import { isProtected, presentName } from './site-path.js';

/** Things one action goes through. */
const MOST_THINGS = 200_000;

/** Something an action comes by. Its folder is open until the next one is asked for. */
export interface WalkedThing {
  readonly folder: Folder;
  readonly name: string;
  /** From where the walk began. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Goes through what has these names in an open folder, and everything below; a folder comes before what is in it. Links and special
 * files are counted and passed over.
 */
export class TreeWalk {
  /** What was passed over. */
  left = 0;
  /** What was gone through. */
  seen = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** @throws FileProblem MISSING for a name that is not there, TOO_MANY; what the signal was aborted with */
  async *through(folder: Folder, names: readonly string[]): AsyncGenerator<WalkedThing> {
    for (const name of names) yield* this.one(folder, presentName(name), name, true);
  }

  /** Everything in an open folder. @throws as {@link through} */
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
    if (this.seen > MOST_THINGS) throw new FileProblem('TOO_MANY');
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
