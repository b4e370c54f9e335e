import type { TextRef } from '../../common/index.js';
import type { NoticeKind } from '../notice.js';

/** A notice of the panel with example values. */
export interface KnownNotice {
  readonly kind: NoticeKind;
  readonly title: TextRef;
  /** Possible texts; all of their values are available to templates. */
  readonly texts: readonly [TextRef, ...TextRef[]];
}

const known = new Map<string, KnownNotice>();

/** Registers a notice for customization; called next to the code that sends it. */
export function registerNotice(notice: KnownNotice): void {
  known.set(notice.title.key, notice);
}

/** Returns all registered notices, by kind. */
export const knownNotices = (): KnownNotice[] => [...known.values()].sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));

/** Returns the notice with this title key. */
export const knownNotice = (key: string): KnownNotice | undefined => known.get(key);
