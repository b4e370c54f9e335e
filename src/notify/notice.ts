import type { Locale, TextRef } from '../common/index.js';

/** Kinds of notices. */
export const NOTICE_KINDS = ['monitor', 'expire', 'traffic', 'scan', 'payment', 'backup', 'certificate', 'report', 'system'] as const;

/** One of {@link NOTICE_KINDS}. */
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Returns the kinds available on a side: reports are for administrators only. */
export const noticeKindsOf = (side: 'admin' | 'user'): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => side === 'admin' || kind !== 'report');

/** Severity levels, lowest first. */
export const NOTICE_LEVELS = ['info', 'success', 'warning', 'danger'] as const;

/** One of {@link NOTICE_LEVELS}. */
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

/** A notice as text keys, translated for each reader. */
export interface NoticeWords {
  readonly title: TextRef;
  readonly text: TextRef;
}

/** A notice with fixed text. */
export interface TypedWords {
  readonly title: string;
  readonly content: string;
}

/** Recipient side: administrators, owners of hosting accounts, or customers. */
export type NoticeSide = 'admin' | 'user' | 'customer';

/** Recipients: the owner of an account by name or id, a customer by id, or all administrators. */
export type NoticeAudience =
  { readonly account: string } | { readonly accountId: number } | { readonly customer: number } | 'administrators';

/** A notice to be written: text keys, fixed text, or text per language. */
export interface WrittenNotice {
  readonly kind: NoticeKind;
  readonly level: NoticeLevel;
  readonly key: string;
  readonly link: string;
  /** False: never by mail, regardless of the recipients' preferences. */
  readonly mail?: boolean;
  readonly says: NoticeWords | TypedWords | ((locale: Locale) => TypedWords);
}

/** A notice to be sent. */
export interface NoticeDraft extends NoticeWords {
  readonly to: NoticeAudience;
  readonly kind: NoticeKind;
  readonly level: NoticeLevel;
  /**
   * Deduplication key, at most 160 characters: a recipient gets one notice per key. Use one per state transition, such as
   * `monitor:12:down:1795500400`.
   */
  readonly key: string;
  /** Path in the panel with details, such as `/user/monitors`. */
  readonly link?: string;
  /** False: never by mail, regardless of the recipients' preferences. */
  readonly mail?: boolean;
}

/** A plugin's notice: its own text, generated in each recipient's language when it is sent. */
export interface PluginNoticeDraft extends Omit<NoticeDraft, keyof NoticeWords> {
  readonly says: (locale: Locale) => TypedWords;
}
