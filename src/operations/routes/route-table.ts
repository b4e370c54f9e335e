import type { Undo } from '../../common/index.js';
import { MAX_ROUTE_SEGMENTS, parseRouteMethod, parseRoutePath, RouteRefusedError } from './route-path.js';
import { HASH_START, hashStep, RouteTrie, type TrieNode } from './route-trie.js';

/** Default priority of a route. Lower runs earlier; 0 and negative numbers are allowed. */
export const DEFAULT_ROUTE_PRIORITY = 10;

/** Route to register with {@link RouteTable.add}. */
export interface RouteDefinition<H> {
  /** HTTP method, any case; `*` answers every method. `GET` does not answer `HEAD`. */
  readonly method: string;
  /** Starts with `/`; `{name}` matches one whole segment. At most 2,048 characters and 32 segments. */
  readonly path: string;
  /** {@link DEFAULT_ROUTE_PRIORITY} by default. */
  readonly priority?: number;
  /** Registering plugin, for {@link RouteTable.countsByOwner}. */
  readonly owner: string;
  readonly handler: H;
}

/** A registered route. */
export interface RegisteredRoute<H> {
  /** Upper case, or `*`. */
  readonly method: string;
  /** As registered. */
  readonly path: string;
  readonly priority: number;
  readonly owner: string;
  readonly handler: H;
  /** Increases with every registration in this table: the order within one priority. */
  readonly sequence: number;
}

/** One candidate for a request. */
export interface RouteMatch<H> {
  readonly entry: RegisteredRoute<H>;
  /**
   * Percent-decoded values by parameter name, on an object of this request alone that inherits nothing (no `constructor`, no `__proto__`).
   * A value may contain any character, including `/` (sent as `%2F`), `..` and NUL: never use one as a file name unchecked.
   */
  readonly params: Record<string, string>;
}

/** Result of {@link RouteTable.match} if no route matches; one shared frozen array. */
export const NO_ROUTES: readonly never[] = Object.freeze([]);

/** A route as stored in the trie; `method` is repeated here to save a lookup. */
interface StoredRoute<H> {
  readonly method: string;
  readonly entry: RegisteredRoute<H>;
  readonly names: readonly string[];
}

/** Instances inherit from an object without a prototype; unlike `Object.create(null)`, V8 keeps them in fast mode. */
const Params = function () {} as unknown as { new (): Record<string, string>; prototype: object };
Params.prototype = Object.freeze(Object.create(null) as object);

const SLASH = 47;

/**
 * The generic routes of plugins, as a trie of path segments: a lookup costs as much as the path has segments, however many routes exist.
 * Existing routers were measured (`npm run bench:routes`): none has priorities and returns all candidates, which "not mine, try the next"
 * needs, and those that scan take 100 times as long with 1,000 routes.
 *
 * - `{name}` matches one segment of at least one character. A segment with invalid percent-encoding matches no parameter.
 * - A literal segment and a parameter may both match a path: every matching route is a candidate, ordered by priority, then by
 *   registration, never by how specific it is.
 * - A trailing slash is ignored, in the route and in the request. `//` is not collapsed.
 * - Literal segments are compared byte by byte in the form they were sent: `/%61dmin` is not `/admin`, case matters.
 *
 * @example
 * ```ts
 * const table = new RouteTable<() => string>();
 * const undo = table.add({ method: 'GET', path: '/shop/{plan}', owner: 'shop', handler: () => 'hello' });
 * table.match('GET', '/shop/42/')[0]?.params.plan; // "42"
 * undo();
 * ```
 */
export class RouteTable<H> {
  private readonly trie = new RouteTrie<StoredRoute<H>>();
  private readonly entries = new Set<RegisteredRoute<H>>();
  private sequence = 0;

  // Start and end of the parameter values in the path being walked. Reused between calls to save an allocation; a lookup never starts
  // another one.
  private readonly starts: number[] = new Array<number>(MAX_ROUTE_SEGMENTS).fill(0);
  private readonly ends: number[] = new Array<number>(MAX_ROUTE_SEGMENTS).fill(0);

  /** Number of nodes in the trie, including its root. For specs: nodes left behind by a removal are visible nowhere else. */
  get nodeCount(): number {
    return this.trie.nodeCount;
  }

  /**
   * Adds a route. Existing results of {@link match} are not affected, neither by this nor by the undo.
   *
   * @throws RouteRefusedError for an invalid method, path or priority; the table is unchanged then.
   */
  add(route: RouteDefinition<H>): Undo {
    const parsed = parseRoutePath(route.path);
    const method = parseRouteMethod(route.method, route.path);
    const priority = route.priority ?? DEFAULT_ROUTE_PRIORITY;
    if (!Number.isFinite(priority)) throw new RouteRefusedError(route.path, 'the priority must be a number; lower runs earlier.');

    const entry: RegisteredRoute<H> = Object.freeze({
      method,
      path: route.path,
      priority,
      owner: route.owner,
      handler: route.handler,
      sequence: this.sequence++,
    });
    const stored: StoredRoute<H> = { method, entry, names: parsed.names };
    const node = this.trie.nodeOf(parsed);
    setRoutes(node, [...routesAt(node), stored].sort(byOrder));
    this.entries.add(entry);
    return () => {
      if (!this.entries.delete(entry)) return;
      setRoutes(
        node,
        routesAt(node).filter((other) => other !== stored),
      );
      this.trie.prune(node);
    };
  }

  /**
   * Returns all matching routes in the order to try them: by priority, then by registration.
   *
   * @param method as in the request line (upper case).
   * @param path as in the request line, still percent-encoded, without the query.
   */
  match(method: string, path: string): readonly RouteMatch<H>[] {
    if (path.charCodeAt(0) !== SLASH) return NO_ROUTES;
    const found = this.walk(this.trie.root, path, 0, endOf(path), 0, method, null);
    if (found === null) return NO_ROUTES;
    if (found.length > 1) found.sort(byOrder);
    return found;
  }

  /** Returns all routes in order of registration. */
  list(): readonly RegisteredRoute<H>[] {
    return [...this.entries];
  }

  /** Returns the number of routes per owner; owners without routes are omitted. */
  countsByOwner(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { owner } of this.entries) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return counts;
  }

  /**
   * Follows the segments after the slash at `slash`; recurses only where a literal and a parameter both match. Returns `before` extended by
   * its matches; the array is created for the first candidate, at its exact size.
   */
  private walk(
    from: TrieNode<StoredRoute<H>>,
    path: string,
    slash: number,
    end: number,
    taken: number,
    method: string,
    before: RouteMatch<H>[] | null,
  ): RouteMatch<H>[] | null {
    let found = before;
    let node = from;
    let at = slash;
    let parameters = taken;
    while (at < end) {
      const start = at + 1;
      let hash = HASH_START;
      let code = 0;
      for (at = start; at < end && (code = path.charCodeAt(at)) !== SLASH; at++) hash = hashStep(hash, code);
      const { parameter } = node;
      const literal = node.literals === 0 ? null : this.trie.literal(node, path, start, at, hash);
      if (parameter === null || at === start) {
        if (literal === null) return found;
        node = literal;
        continue;
      }
      if (literal !== null) found = this.walk(literal, path, at, end, parameters, method, found);
      this.starts[parameters] = start;
      this.ends[parameters] = at;
      parameters++;
      node = parameter;
    }
    if (node.first === null) return found;
    found = this.collect(node.first, path, parameters, method, found);
    if (node.others !== null) for (const route of node.others) found = this.collect(route, path, parameters, method, found);
    return found;
  }

  private collect(
    route: StoredRoute<H>,
    path: string,
    parameters: number,
    method: string,
    before: RouteMatch<H>[] | null,
  ): RouteMatch<H>[] | null {
    if (route.method !== method && route.method !== '*') return before;
    const params = new Params();
    for (let index = 0; index < parameters; index++) {
      const value = decode(path.slice(this.starts[index]!, this.ends[index]!));
      if (value === null) return before;
      params[route.names[index]!] = value;
    }
    const match = { entry: route.entry, params };
    if (before === null) return [match];
    before.push(match);
    return before;
  }
}

function routesAt<H>(node: TrieNode<StoredRoute<H>>): StoredRoute<H>[] {
  return node.first === null ? [] : [node.first, ...(node.others ?? [])];
}

function setRoutes<H>(node: TrieNode<StoredRoute<H>>, routes: StoredRoute<H>[]): void {
  const [first = null, ...others] = routes;
  node.first = first;
  node.others = others.length === 0 ? null : others;
}

/** End of the path without its trailing slash; 0 for `/`, which has no segments. */
function endOf(path: string): number {
  return path.charCodeAt(path.length - 1) === SLASH ? path.length - 1 : path.length;
}

function decode(value: string): string | null {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

function byOrder<H>(one: { entry: RegisteredRoute<H> }, other: { entry: RegisteredRoute<H> }): number {
  return one.entry.priority - other.entry.priority || one.entry.sequence - other.entry.sequence;
}
