import type { Locale, TextRef } from '../common/index.js';

/** What a notice can be about. */
export const NOTICE_KINDS = ['monitor', 'expire', 'traffic', 'scan', 'payment', 'backup', 'certificate', 'report', 'system'] as const;

/** One of {@link NOTICE_KINDS}. */
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The kinds somebody of a side is told of: what the installation did in a week is for administrators. */
export const noticeKindsOf = (side: 'admin' | 'user'): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => side === 'admin' || kind !== 'report');

/** How serious a notice is, the least first. */
export const NOTICE_LEVELS = ['info', 'success', 'warning', 'danger'] as const;

/** One of {@link NOTICE_LEVELS}. */
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

/** A notice as keys of texts, told in whichever language its reader has. */
export interface NoticeWords {
  readonly title: TextRef;
  readonly text: TextRef;
}

/** A notice as somebody wrote it. */
export interface TypedWords {
  readonly title: string;
  readonly content: string;
}

/** Whose notices are: of who runs the panel, of the owner of a hosting account, or of a customer. */
export type NoticeSide = 'admin' | 'user' | 'customer';

/** Who is told: the owner of one hosting account, by its name or id, a customer by his id, or everybody who runs the panel. */
export type NoticeAudience =
  { readonly account: string } | { readonly accountId: number } | { readonly customer: number } | 'administrators';

/** A notice for whoever gets it: texts of the language files, or what somebody typed. */
export interface WrittenNotice {
  readonly kind: NoticeKind;
  readonly level: NoticeLevel;
  readonly key: string;
  readonly link: string;
  /** False: not by mail, whatever its receivers want otherwise. */
  readonly mail?: boolean;
  readonly says: NoticeWords | TypedWords | ((locale: Locale) => TypedWords);
}

/** Something to tell somebody. */
export interface NoticeDraft extends NoticeWords {
  readonly to: NoticeAudience;
  readonly kind: NoticeKind;
  readonly level: NoticeLevel;
  /**
   * What it tells of, at most 160 characters: the same receiver is told once of the same key. One per transition, such
   * as `monitor:12:down:1795500400`.
   */
  readonly key: string;
  /** A path of the panel where more is to be seen, such as `/user/monitors`. */
  readonly link?: string;
  /** False: not by mail, whatever its receivers want otherwise. */
  readonly mail?: boolean;
}

/** Something a plugin tells: its own words, in the language of each receiver when it is told. */
export interface PluginNoticeDraft extends Omit<NoticeDraft, keyof NoticeWords> {
  readonly says: (locale: Locale) => TypedWords;
}
