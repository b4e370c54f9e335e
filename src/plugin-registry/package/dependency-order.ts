import semver from 'semver';

import { PluginError } from '../errors.js';

/** A plugin as needed for ordering. */
export interface DependencyNode {
  readonly slug: string;
  readonly version: string;
  readonly dependencies: ReadonlyMap<string, string>;
}

/** Plugins in start order, and those that cannot start with the reason. */
export interface DependencyOrder<Node extends DependencyNode> {
  readonly ordered: Node[];
  readonly blocked: Map<string, PluginError>;
}

/**
 * Sorts plugins after their dependencies. A plugin with a missing, blocked or outdated dependency is blocked, as are all plugins on a
 * cycle, with its path (`a → b → a`).
 */
export function orderByDependencies<Node extends DependencyNode>(nodes: readonly Node[]): DependencyOrder<Node> {
  const bySlug = new Map(nodes.map((node) => [node.slug, node]));
  const ordered: Node[] = [];
  const blocked = new Map<string, PluginError>();
  const finished = new Set<string>();

  const visit = (node: Node, path: string[]): void => {
    if (finished.has(node.slug)) return;
    const at = path.indexOf(node.slug);
    if (at >= 0) {
      const cycle = [...path.slice(at), node.slug];
      for (const slug of cycle) blocked.set(slug, new PluginError('DEPENDENCY_CYCLE', { path: cycle.join(' → ') }));
      return;
    }
    for (const slug of node.dependencies.keys()) {
      const dependency = bySlug.get(slug);
      if (dependency) visit(dependency, [...path, node.slug]);
    }
    if (finished.has(node.slug)) return;
    finished.add(node.slug);
    if (blocked.has(node.slug)) return;
    const problem = unmetDependency(node, bySlug, blocked);
    if (problem) blocked.set(node.slug, problem);
    else ordered.push(node);
  };
  for (const node of nodes) visit(node, []);
  return { ordered, blocked };
}

/**
 * Finds a dependency cycle through a plugin, such as `['a', 'b', 'a']`; null for none.
 *
 * @param dependenciesOf dependencies of a plugin, installed or not; empty for an unknown one
 */
export function dependencyCycle(slug: string, dependenciesOf: (slug: string) => Iterable<string>): string[] | null {
  const seen = new Set<string>();
  const search = (at: string, path: string[]): string[] | null => {
    for (const needed of dependenciesOf(at)) {
      if (needed === slug) return [...path, slug];
      if (seen.has(needed)) continue;
      seen.add(needed);
      const cycle = search(needed, [...path, needed]);
      if (cycle) return cycle;
    }
    return null;
  };
  return search(slug, [slug]);
}

function unmetDependency<Node extends DependencyNode>(
  node: Node,
  bySlug: ReadonlyMap<string, Node>,
  blocked: ReadonlyMap<string, PluginError>,
): PluginError | null {
  const missing = [...node.dependencies.keys()].filter((slug) => !bySlug.has(slug) || blocked.has(slug));
  if (missing.length) return new PluginError('DEPENDENCY_NOT_ENABLED', { slugs: missing.join(', ') });
  for (const [slug, range] of node.dependencies) {
    const { version } = bySlug.get(slug)!;
    if (range !== '*' && !semver.satisfies(semver.coerce(version)?.version ?? version, range, { includePrerelease: true })) {
      return new PluginError('DEPENDENCY_VERSION', { slug, range, version });
    }
  }
  return null;
}
