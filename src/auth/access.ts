import type { AdminIdentity } from '../sdk/index.js';

/** Valid patterns: the characters of names, and at most three `*`, each for any number of characters; more would be slow to match. */
export const PERMISSION_PATTERN = /^(?!(?:[^*]*\*){4})[A-Za-z0-9_.*-]{1,64}$/;

/**
 * Permissions of an administrator: patterns of operation names (`listzj`, `zj*`), `plugin.<slug>` for the pages, routes and operations of a
 * plugin, `page.<path>` for a page without operations of its own; and the servers to which they are limited.
 */
export class Access {
  /** All permissions, on all servers. */
  static readonly FULL = new Access(['*'], null);
  /** No permissions: those of an identity that was not passed to {@link withAccess}. */
  static readonly NONE = new Access([], []);

  private readonly expressions: readonly RegExp[];

  constructor(
    readonly patterns: readonly string[],
    /** Ids of the servers (`listbt`) the administrator may see and manage; null: all. */
    readonly servers: readonly number[] | null,
  ) {
    this.expressions = patterns.map(expressionOf);
  }

  get isFull(): boolean {
    return this.servers === null && this.patterns.includes('*');
  }

  /** Returns whether a pattern matches the whole name. */
  allows(name: string): boolean {
    return this.expressions.some((expression) => expression.test(name));
  }

  /** Returns whether this allows everything `other` allows; administrators can only grant permissions they have. */
  covers(other: Access): boolean {
    // Matching the other's patterns as plain text is enough, because our `*` also matches their `*`.
    return other.patterns.every((pattern) => this.allows(pattern)) && this.coversServers(other.servers);
  }

  private coversServers(servers: readonly number[] | null): boolean {
    if (this.servers === null) return true;
    return servers !== null && servers.every((id) => this.servers!.includes(id));
  }
}

/** `*` matches any number of characters; every other character matches itself. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[^A-Za-z0-9_]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}

const granted = new WeakMap<AdminIdentity, Access>();

/** Attaches permissions to an identity, and returns it. */
export function withAccess(identity: AdminIdentity, access: Access): AdminIdentity {
  granted.set(identity, access);
  return identity;
}

/** Returns the permissions of an identity; none for null and for an identity without attached permissions. */
export function accessOf(identity: AdminIdentity | null): Access {
  return (identity && granted.get(identity)) ?? Access.NONE;
}
