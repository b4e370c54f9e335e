import type { Undo } from '../../common/index.js';
import { MAX_ROUTE_SEGMENTS, parseRouteMethod, parseRoutePath, RouteRefusedError } from './route-path.js';
import { HASH_START, hashStep, RouteTrie, type TrieNode } from './route-trie.js';

/** Priority of a route that names none. Lower runs earlier; 0 and negative numbers are legal. */
export const DEFAULT_ROUTE_PRIORITY = 10;

/** Route to register with {@link RouteTable.add}. */
export interface RouteDefinition<H> {
  /** HTTP method, any case; `*` answers every method. `GET` does not answer `HEAD`. */
  readonly method: string;
  /** Starts with `/`; `{name}` stands for one whole segment. At most 2,048 characters and 32 segments. */
  readonly path: string;
  /** {@link DEFAULT_ROUTE_PRIORITY} where nothing is given. */
  readonly priority?: number;
  /** Who registered it, for {@link RouteTable.countsByOwner}. */
  readonly owner: string;
  readonly handler: H;
}

/** A registered route. */
export interface RegisteredRoute<H> {
  /** Upper case, or `*`. */
  readonly method: string;
  /** As it was registered. */
  readonly path: string;
  readonly priority: number;
  readonly owner: string;
  readonly handler: H;
  /** Grows with every registration in this table: the order inside one priority. */
  readonly sequence: number;
}

/** One candidate for a request. */
export interface RouteMatch<H> {
  readonly entry: RegisteredRoute<H>;
  /**
   * Percent-decoded values by parameter name, on an object of this request alone that inherits nothing (no `constructor`,
   * no `__proto__`). A value may hold any character, `/` (sent as `%2F`), `..` and NUL among them: never use one as a
   * file name unchecked.
   */
  readonly params: Record<string, string>;
}

/** Answer of {@link RouteTable.match} when no route fits; one frozen array for all. */
export const NO_ROUTES: readonly never[] = Object.freeze([]);

/** A route as the trie keeps it; `method` is repeated here to spare a look-up. */
interface StoredRoute<H> {
  readonly method: string;
  readonly entry: RegisteredRoute<H>;
  readonly names: readonly string[];
}

/** Instances inherit from an object without a prototype; unlike `Object.create(null)` V8 keeps them in fast mode. */
const Params = function () {} as unknown as { new (): Record<string, string>; prototype: object };
Params.prototype = Object.freeze(Object.create(null) as object);

const SLASH = 47;

/**
 * The generic routes of plugins, as a trie of path segments: a look-up costs the segments of the path, however many
 * routes there are. Routers at hand were measured (`npm run bench:routes`): none has priorities and hands out every
 * candidate, which "not mine, try the next" needs, and those that scan cost 100 times as much at 1,000 routes.
 *
 * - `{name}` takes one segment of at least one character. A segment with invalid percent-encoding fits no parameter.
 * - A literal segment and a parameter may both fit a path: every route that fits is a candidate, ordered by priority, then
 *   by registration, never by how specific it is.
 * - A trailing slash means nothing, neither in the route nor in the request. `//` is not collapsed.
 * - Literal segments are compared byte by byte in the form they were sent: `/%61dmin` is not `/admin`, case counts.
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

  // Where the parameter values of the path being walked start and end. Kept between calls to spare an allocation;
  // a look-up calls nothing that could start another one.
  private readonly starts: number[] = new Array<number>(MAX_ROUTE_SEGMENTS).fill(0);
  private readonly ends: number[] = new Array<number>(MAX_ROUTE_SEGMENTS).fill(0);

  /** Nodes the trie has, its root among them. Only specs ask: what a removal leaves behind in it is seen by nothing else. */
  get nodeCount(): number {
    return this.trie.nodeCount;
  }

  /**
   * Adds a route. Results of {@link match} that are in use are not touched, neither by this nor by the undo.
   *
   * @throws RouteRefusedError when method, path or priority are not legal; the table stays as it was.
   */
  add(route: RouteDefinition<H>): Undo {
    const parsed = parseRoutePath(route.path);
    const method = parseRouteMethod(route.method, route.path);
    const priority = route.priority ?? DEFAULT_ROUTE_PRIORITY;
    if (!Number.isFinite(priority)) throw new RouteRefusedError(route.path, 'a priority is a number; lower runs earlier.');

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
    place(node, [...standing(node), stored].sort(byOrder));
    this.entries.add(entry);
    return () => {
      if (!this.entries.delete(entry)) return;
      place(
        node,
        standing(node).filter((other) => other !== stored),
      );
      this.trie.prune(node);
    };
  }

  /**
   * Every route that fits, in the order to try them: by priority, then by registration.
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

  /** All routes in the order of registration. */
  list(): readonly RegisteredRoute<H>[] {
    return [...this.entries];
  }

  /** How many routes each owner has; owners without any are not in it. */
  countsByOwner(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { owner } of this.entries) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return counts;
  }

  /**
   * Follows the segments after the slash at `slash`; only where a literal and a parameter both fit does it call itself.
   * Returns `before` with what it found; the array is made for the first candidate, at its exact size.
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

function standing<H>(node: TrieNode<StoredRoute<H>>): StoredRoute<H>[] {
  return node.first === null ? [] : [node.first, ...(node.others ?? [])];
}

function place<H>(node: TrieNode<StoredRoute<H>>, routes: StoredRoute<H>[]): void {
  const [first = null, ...others] = routes;
  node.first = first;
  node.others = others.length === 0 ? null : others;
}

/** End of the path without its trailing slash; 0 for `/`, so that it has no segments. */
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
