import { Injectable } from '@nestjs/common';

import type { TextParams, Undo } from '../common/index.js';
import { Routes, type RouteEntry, type RouteHandler } from '../operations/index.js';

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

type Route = RouteEntry<RouteHandler>;

/** Routes of different plugins that fit the same requests: the first one is asked first, and the other only where it says "not mine". */
function routeConflicts(routes: readonly Route[]): { slug: string; notice: PluginNotice }[] {
  const byLength = new Map<number, { route: Route; segments: string[] }[]>();
  for (const route of routes) {
    const segments = route.path.split('/').filter((segment) => segment !== '');
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { route, segments }]);
  }
  const found: { slug: string; notice: PluginNotice }[] = [];
  for (const group of byLength.values()) {
    for (const [i, one] of group.entries()) {
      for (const other of group.slice(i + 1)) {
        if (
          one.route.owner === other.route.owner ||
          !methodsMeet(one.route.method, other.route.method) ||
          !segmentsMeet(one.segments, other.segments)
        )
          continue;
        const [first, second] = [one.route, other.route].sort((a, b) => a.priority - b.priority || a.sequence - b.sequence) as [
          Route,
          Route,
        ];
        const params = { first: nameOf(first), second: nameOf(second), first_owner: first.owner, second_owner: second.owner };
        found.push(
          { slug: second.owner, notice: { text: 'plugins.notice.route_taken', params } },
          { slug: first.owner, notice: { text: 'plugins.notice.route_takes', params } },
        );
      }
    }
  }
  return found;
}

function methodsMeet(one: string, other: string): boolean {
  return one === other || one === '*' || other === '*';
}

function segmentsMeet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((segment, i) => segment === other[i] || segment.startsWith('{') || other[i]!.startsWith('{'));
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
