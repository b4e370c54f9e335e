import type { ParsedRoutePath } from './route-path.js';

const FIRST_BUCKETS = 64;
const SPREAD = 0x9e3779b1;

/** Start value of the running hash of a segment; see {@link hashStep}. */
export const HASH_START = 0x811c9dc5 | 0;

/** Takes one more character code into the hash of a segment (FNV-1a). */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** A place in the trie: the segments from the root to here. `T` is what may stand at a place. */
export class TrieNode<T> {
  /** The child for any one segment. */
  parameter: TrieNode<T> | null = null;
  /** Children reached by a literal segment; they are in the index of the trie. */
  literals = 0;
  /** What stands here; never an empty array. The first is apart because a place rarely has a second. */
  first: T | null = null;
  others: T[] | null = null;
  /** Next node of the same bucket of the index. */
  next: TrieNode<T> | null = null;

  constructor(
    readonly parent: TrieNode<T> | null,
    /** The literal segment that leads here; null for a parameter and for the root. */
    readonly segment: string | null,
    readonly hash: number,
    /** Mixed into the buckets of the children, so that equal segments of different parents spread. */
    readonly salt: number,
  ) {}
}

/**
 * A trie of path segments whose literal edges live in one hash index for all nodes, looked up by a hash taken while the
 * path is scanned. Against a `Map` in every node this spares a substring for each segment and many cache misses: half of
 * the time from 100 routes on. What is in the index comes from plugins, not from requests, so requests
 * cannot make its buckets long.
 */
export class RouteTrie<T> {
  readonly root = new TrieNode<T>(null, null, 0, 0);
  private buckets: (TrieNode<T> | null)[] = new Array<TrieNode<T> | null>(FIRST_BUCKETS).fill(null);
  private indexed = 0;
  private created = 0;
  private nodes = 1;

  /** Nodes, the root among them. Only specs ask: a node that {@link prune} leaves behind is seen by nothing else. */
  get nodeCount(): number {
    return this.nodes;
  }

  /** The node of a parsed path, made where there is none yet. */
  nodeOf({ segments }: ParsedRoutePath): TrieNode<T> {
    let node = this.root;
    for (const segment of segments) {
      node = segment === null ? (node.parameter ??= this.create(node, null, 0)) : this.literalOf(node, segment);
    }
    return node;
  }

  /** The child of `parent` for the segment `path[start, stop)` with that hash, or null. */
  literal(parent: TrieNode<T>, path: string, start: number, stop: number, hash: number): TrieNode<T> | null {
    let node = this.buckets[this.slotOf(hash, parent)] ?? null;
    while (node !== null) {
      if (node.hash === hash && node.parent === parent && equals(node.segment!, path, start, stop)) return node;
      node = node.next;
    }
    return null;
  }

  /** Takes away `node` and the parents above it, as far as nothing stands there and nothing hangs below. */
  prune(node: TrieNode<T>): void {
    let leaf = node;
    while (leaf.parent !== null && leaf.first === null && leaf.parameter === null && leaf.literals === 0) {
      const { parent } = leaf;
      if (leaf.segment === null) parent.parameter = null;
      else this.unlink(leaf, parent);
      this.nodes--;
      leaf = parent;
    }
  }

  private literalOf(parent: TrieNode<T>, segment: string): TrieNode<T> {
    let hash = HASH_START;
    for (let index = 0; index < segment.length; index++) hash = hashStep(hash, segment.charCodeAt(index));
    const present = this.literal(parent, segment, 0, segment.length, hash);
    if (present !== null) return present;
    // A copy of its own: a slice would keep the whole path, and is slower to compare with.
    // A copy of its own: a slice would keep the whole path, and is slower to compare with.
    const child = this.create(parent, Buffer.from(segment, 'latin1').toString('latin1'), hash);
    parent.literals++;
    this.link(child, parent);
    if (++this.indexed > this.buckets.length) this.grow();
    return child;
  }

  private create(parent: TrieNode<T>, segment: string | null, hash: number): TrieNode<T> {
    this.nodes++;
    return new TrieNode<T>(parent, segment, hash, Math.imul(++this.created, SPREAD) >>> 7);
  }

  private slotOf(hash: number, parent: TrieNode<T>): number {
    return (hash ^ parent.salt) & (this.buckets.length - 1);
  }

  private link(node: TrieNode<T>, parent: TrieNode<T>): void {
    const slot = this.slotOf(node.hash, parent);
    node.next = this.buckets[slot]!;
    this.buckets[slot] = node;
  }

  private unlink(node: TrieNode<T>, parent: TrieNode<T>): void {
    const slot = this.slotOf(node.hash, parent);
    let before = this.buckets[slot]!;
    if (before === node) {
      this.buckets[slot] = node.next;
    } else {
      while (before.next !== node) before = before.next!;
      before.next = node.next;
    }
    parent.literals--;
    this.indexed--;
  }

  private grow(): void {
    const old = this.buckets;
    this.buckets = new Array<TrieNode<T> | null>(old.length * 2).fill(null);
    for (let node of old) {
      while (node !== null) {
        const { next } = node;
        this.link(node, node.parent!);
        node = next;
      }
    }
  }
}

function equals(segment: string, path: string, start: number, stop: number): boolean {
  if (segment.length !== stop - start) return false;
  for (let index = 0; index < segment.length; index++) {
    if (segment.charCodeAt(index) !== path.charCodeAt(start + index)) return false;
  }
  return true;
}
