import type { AdminIdentity } from '../sdk/index.js';

/** What a pattern may hold: the characters of names, and `*` for any run of them, three times at most: more would take long to compare. */
export const PERMISSION_PATTERN = /^(?!(?:[^*]*\*){4})[A-Za-z0-9_.*-]{1,64}$/;

/**
 * What an administrator may do: patterns over the names of operations (`listzj`, `zj*`), `plugin.<slug>` for a plugin's pages, routes and
 * operations, `page.<path>` for a page without operations of its own; and the servers all of that is limited to.
 */
export class Access {
  /** Everything, everywhere. */
  static readonly FULL = new Access(['*'], null);
  /** Nothing: what an identity has that nobody vouches for. */
  static readonly NONE = new Access([], []);

  private readonly expressions: readonly RegExp[];

  constructor(
    readonly patterns: readonly string[],
    /** Ids of the servers (`listbt`) he may see and work on; null: every one. */
    readonly servers: readonly number[] | null,
  ) {
    this.expressions = patterns.map(expressionOf);
  }

  get isFull(): boolean {
    return this.servers === null && this.patterns.includes('*');
  }

  /** Whether one of the patterns matches the whole name. */
  allows(name: string): boolean {
    return this.expressions.some((expression) => expression.test(name));
  }

  /** Whether everything `other` allows is allowed here too: nobody gives more than he has. */
  covers(other: Access): boolean {
    // A pattern is covered where one of ours matches it as it stands: our `*` stands for its `*` as for any other character.
    return other.patterns.every((pattern) => this.allows(pattern)) && this.coversServers(other.servers);
  }

  private coversServers(servers: readonly number[] | null): boolean {
    if (this.servers === null) return true;
    return servers !== null && servers.every((id) => this.servers!.includes(id));
  }
}

/** `*` stands for any run of characters, everything else for itself. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[^A-Za-z0-9_]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}

const vouched = new WeakMap<AdminIdentity, Access>();

/** The identity, with what it may do. */
export function withAccess(identity: AdminIdentity, access: Access): AdminIdentity {
  vouched.set(identity, access);
  return identity;
}

/** What somebody may do: nothing where nobody is signed in, or nobody vouched for the identity. */
export function accessOf(identity: AdminIdentity | null): Access {
  return (identity && vouched.get(identity)) ?? Access.NONE;
}
