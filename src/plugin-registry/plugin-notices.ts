import { Injectable } from '@nestjs/common';

import type { TextParams, Undo } from '../common/index.js';
import { Routes, type RegisteredRoute, type RouteHandler } from '../operations/index.js';

/** A hint for the administrator or author of a plugin that does not prevent it from running. */
export interface PluginNotice {
  /** Key of the text. */
  readonly text: string;
  readonly params: TextParams;
}

/** Maximum per plugin. */
const MAX_NOTICES = 20;

/** Hints about running plugins: registrations without effect, and conflicting routes. Shown in the plugin list. */
@Injectable()
export class PluginNotices {
  private readonly bySlug = new Map<string, Map<string, PluginNotice>>();

  constructor(private readonly routes: Routes) {}

  /** Adds a notice about a plugin until it stops; duplicates are merged. */
  add(slug: string, text: string, params: TextParams = {}): void {
    const notices = this.bySlug.get(slug) ?? new Map<string, PluginNotice>();
    this.bySlug.set(slug, notices);
    if (notices.size < MAX_NOTICES) notices.set(JSON.stringify([text, params]), { text, params });
  }

  /** Clears a plugin's notices when it starts; the returned function clears them again. */
  begin(slug: string): Undo {
    this.bySlug.delete(slug);
    return () => void this.bySlug.delete(slug);
  }

  /** Returns the notices of all running plugins, by slug. */
  all(): ReadonlyMap<string, readonly PluginNotice[]> {
    const all = new Map([...this.bySlug].map(([slug, notices]) => [slug, [...notices.values()]]));
    for (const { slug, notice } of routeConflicts(this.routes.list())) {
      const notices = all.get(slug) ?? [];
      all.set(slug, notices);
      if (notices.length < MAX_NOTICES) notices.push(notice);
    }
    return all;
  }
}

type Route = RegisteredRoute<RouteHandler>;

interface SplitRoute {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Finds routes of different plugins that match the same requests: the first is called first, the other only if that one declines. */
function routeConflicts(routes: readonly Route[]): { slug: string; notice: PluginNotice }[] {
  // Indexed by number of segments and by first segment: most routes of different plugins differ in the first segment and need no
  // comparison.
  const ofLength = new Map<number, SplitRoute[]>();
  const ofStart = new Map<string, SplitRoute[]>();
  const found: { slug: string; notice: PluginNotice }[] = [];
  for (const route of routes) {
    const segments = route.path.split('/').filter((segment) => segment !== '');
    const one = { route, segments };
    const start = isOpen(segments[0]) ? '{' : (segments[0] ?? '');
    const alike = listAt(ofLength, segments.length);
    const [same, open] = [start, '{'].map((beginning) => listAt(ofStart, `${segments.length}/${beginning}`)) as [
      SplitRoute[],
      SplitRoute[],
    ];
    for (const other of start === '{' ? alike : [...same, ...open]) found.push(...conflictOf(other, one));
    alike.push(one);
    same.push(one);
  }
  return found;
}

function conflictOf(one: SplitRoute, other: SplitRoute): { slug: string; notice: PluginNotice }[] {
  if (
    one.route.owner === other.route.owner ||
    !methodsMeet(one.route.method, other.route.method) ||
    !segmentsMeet(one.segments, other.segments)
  )
    return [];
  const [first, second] = [one.route, other.route].sort((a, b) => a.priority - b.priority || a.sequence - b.sequence) as [Route, Route];
  const params = { first: nameOf(first), second: nameOf(second), first_owner: first.owner, second_owner: second.owner };
  return [
    { slug: second.owner, notice: { text: 'plugins.notice.route_taken', params } },
    { slug: first.owner, notice: { text: 'plugins.notice.route_takes', params } },
  ];
}

const isOpen = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false;

function listAt<Key>(lists: Map<Key, SplitRoute[]>, key: Key): SplitRoute[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function methodsMeet(one: string, other: string): boolean {
  return one === other || one === '*' || other === '*';
}

function segmentsMeet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((segment, i) => segment === other[i] || isOpen(segment) || isOpen(other[i]));
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
