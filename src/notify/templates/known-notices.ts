import type { TextRef } from '../../common/index.js';
import type { NoticeKind } from '../notice.js';

/** A notice the panel tells, with examples of what it says. */
export interface KnownNotice {
  readonly kind: NoticeKind;
  readonly title: TextRef;
  /** Each text it may have: their values together are what a template may name. */
  readonly texts: readonly [TextRef, ...TextRef[]];
}

const known = new Map<string, KnownNotice>();

/** Makes a notice one that administrators can word: called beside where it is told. */
export function registerNotice(notice: KnownNotice): void {
  known.set(notice.title.key, notice);
}

/** Every one there is, by kind. */
export const knownNotices = (): KnownNotice[] => [...known.values()].sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));

/** The one whose title has this key. */
export const knownNotice = (key: string): KnownNotice | undefined => known.get(key);
