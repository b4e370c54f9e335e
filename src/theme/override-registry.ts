import { Injectable, Optional } from '@nestjs/common';

import { Faults, isRefusedCall, loggerFor, runInFrame, type Undo } from '../common/index.js';
import type { CallContext, OverrideResult } from '../sdk/index.js';
import { isThemeSide, parseViewName, type ThemeSide } from './names.js';

const log = loggerFor('theme');

/** What is overridden: a whole page, or a partial. */
export type OverrideKind = 'page' | 'partial';

/** Receives the view's values as plain data and the request; decides what to show. */
export type OverrideCallback = (vars: Record<string, unknown>, call: CallContext) => OverrideResult | Promise<OverrideResult>;

/** Owner and priority of an override. */
export interface OverrideOptions {
  owner: string;
  /** Ascending, default 10; equal priorities in the order of registration. */
  priority?: number;
}

/** The decision of the first override that made one. */
export type OverrideDecision = string | { before: string; after: string } | null;

interface OverrideEntry {
  owner: string;
  priority: number;
  callback: OverrideCallback;
}

/** Plugins' overrides of pages and partials. */
@Injectable()
export class OverrideRegistry {
  private readonly entries = new Map<string, OverrideEntry[]>();

  constructor(@Optional() private readonly faults: Faults = new Faults()) {}

  /**
   * Adds an override of `view` (optionally `side/view`, which overrides the side) on the side `scope`.
   *
   * @throws Error for an invalid side or view name
   */
  add(kind: OverrideKind, scope: ThemeSide, view: string, callback: OverrideCallback, { owner, priority = 10 }: OverrideOptions): Undo {
    const parsed = parseViewName(view);
    if (!parsed || !isThemeSide(scope)) {
      throw new Error(
        `"${view}" is not a valid view name: use a-z, 0-9, _ and -, at most 64 characters, optionally with a side as ` +
          `prefix, such as "${String(scope)}/".`,
      );
    }
    if (!Number.isFinite(priority)) throw new Error(`The priority of the override of "${view}" must be a number.`);
    const side = parsed.folder !== null && isThemeSide(parsed.folder) ? parsed.folder : scope;
    const key = keyOf(kind, side, parsed.name);
    const entry: OverrideEntry = { owner, priority, callback };
    const list = this.entries.get(key) ?? [];
    const at = list.findIndex((other) => other.priority > priority);
    this.entries.set(key, at < 0 ? [...list, entry] : [...list.slice(0, at), entry, ...list.slice(at)]);
    return () => {
      const left = (this.entries.get(key) ?? []).filter((other) => other !== entry);
      if (left.length > 0) this.entries.set(key, left);
      else this.entries.delete(key);
    };
  }

  /** Returns whether this view has overrides; spares the copy of the values otherwise. */
  has(kind: OverrideKind, side: ThemeSide, view: string): boolean {
    return this.entries.has(keyOf(kind, side, view));
  }

  /** Returns whether any partial has overrides, so that pages may have to wait for plugins. */
  hasPartials(): boolean {
    return [...this.entries.keys()].some((key) => key.startsWith('partial:'));
  }

  /** Owners with at least one override. */
  owners(): string[] {
    return [...new Set([...this.entries.values()].flat().map((entry) => entry.owner))];
  }

  /** Calls the overrides in order; one that throws is logged with its owner and skipped. */
  async decide(
    kind: OverrideKind,
    side: ThemeSide,
    view: string,
    vars: () => Record<string, unknown>,
    call: CallContext,
  ): Promise<OverrideDecision> {
    for (const { owner, callback } of this.entries.get(keyOf(kind, side, view)) ?? []) {
      try {
        const result = await runInFrame({ owner, call }, async () => callback(vars(), call));
        if (typeof result === 'string') return result;
        if (result) return { before: String(result.before ?? ''), after: String(result.after ?? '') };
      } catch (error) {
        if (!isRefusedCall(error)) log.error({ err: error, plugin: owner, kind, view: `${side}/${view}` }, 'view override failed');
        this.faults.note(owner, `override ${side}/${view}`, error);
      }
    }
    return null;
  }
}

function keyOf(kind: OverrideKind, side: ThemeSide, view: string): string {
  return `${kind}:${side}/${view}`;
}
