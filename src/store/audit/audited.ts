import { SetMetadata } from '@nestjs/common';

import type { StoreCall } from '../call/index.js';

import type { AuditAction, AuditEntry, OwnAction } from './audit-log.js';

const AUDIT = 'store:audit';

/** A call that went well. */
export interface SuccessfulCall {
  readonly call: StoreCall;
  /** `:id` of the path; NaN without one. */
  readonly id: number;
  /** `data` of the answer. */
  readonly data: Record<string, unknown>;
}

/** What an entry says besides its action; null where nothing was changed. */
export type EntryOf = (call: SuccessfulCall) => Pick<AuditEntry, 'subject' | 'subjectId' | 'detail'> | null;

/** What an endpoint that is not only read leaves in the log. */
export type AuditRule =
  /** Written behind a good answer, by {@link AuditTrail}. */
  | { readonly kind: 'own'; readonly action: OwnAction; readonly entryOf: EntryOf }
  /** Written by what does it, in its transaction. */
  | { readonly kind: 'within'; readonly actions: readonly AuditAction[] }
  | { readonly kind: 'none'; readonly reason: string };

/** The rule of another endpoint, for what does the same. */
export const AuditedAs = (rule: AuditRule) => SetMetadata(AUDIT, rule);
const about = AuditedAs;

/**
 * What somebody does for himself: the log has an entry of it afterwards. Every endpoint of another method than GET declares this,
 * {@link AuditedWithin} or {@link NotAudited}.
 *
 * @example
 * ```ts
 * @Audited('auth.logout', ofCaller)
 * ```
 */
export const Audited = (action: OwnAction, entryOf: EntryOf) => about({ kind: 'own', action, entryOf });

/** What does it writes one of these entries in the same transaction. */
export const AuditedWithin = (...actions: [AuditAction, ...AuditAction[]]) => about({ kind: 'within', actions });

/** Nothing that anybody would ask for later. @param reason why */
export const NotAudited = (reason: string) => about({ kind: 'none', reason });

/** It is about the caller's account. */
export const ofCaller: EntryOf = ({ call }) => ({ subject: 'user', subjectId: call.caller!.id });

/** It is about the item of the path. */
export const ofItem: EntryOf = ({ id }) => ({ subject: 'item', subjectId: id });

/** What a handler declared. */
export function auditRuleOf(handler: (...args: never[]) => unknown): AuditRule | undefined {
  return Reflect.getMetadata(AUDIT, handler) as AuditRule | undefined;
}
