import { Injectable } from '@nestjs/common';

import type { TextParams, Undo } from '../common/index.js';
import { Routes, type RegisteredRoute, type RouteHandler } from '../operations/index.js';

/** Something about a plugin that whoever installed or wrote it should know, and that stops nothing. */
export interface PluginNotice {
  /** Key of the text. */
  readonly text: string;
  readonly params: TextParams;
}

/** Of one plugin; the first ones tell enough. */
const MAX_NOTICES = 20;

/** What running plugins said that has no effect, and whose routes stand in each other's way. Shown in the plugin list. */
@Injectable()
export class PluginNotices {
  private readonly bySlug = new Map<string, Map<string, PluginNotice>>();

  constructor(private readonly routes: Routes) {}

  /** Notes something about a plugin until it stops; the same thing once. */
  add(slug: string, text: string, params: TextParams = {}): void {
    const notices = this.bySlug.get(slug) ?? new Map<string, PluginNotice>();
    this.bySlug.set(slug, notices);
    if (notices.size < MAX_NOTICES) notices.set(JSON.stringify([text, params]), { text, params });
  }

  /** Starts a plugin's list anew; the answer empties it again. */
  begin(slug: string): Undo {
    this.bySlug.delete(slug);
    return () => void this.bySlug.delete(slug);
  }

  /** What there is to say about every running plugin, by slug. */
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

/** Routes of different plugins that fit the same requests: the first one is asked first, and the other only where it says "not mine". */
function routeConflicts(routes: readonly Route[]): { slug: string; notice: PluginNotice }[] {
  // Of as many segments, and of those with the same first one: of many plugins nearly all begin with another, and need no look.
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
