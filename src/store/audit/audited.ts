import { SetMetadata } from '@nestjs/common';

import type { StoreCall } from '../call/index.js';

import type { AuditAction, StoreAuditEntry, OwnAction } from './audit-log.js';

const AUDIT = 'store:audit';

/** A call that went well. */
export interface SuccessfulCall {
  readonly call: StoreCall;
  /** `:id` of the path; NaN without one. */
  readonly id: number;
  /** `data` of the answer. */
  readonly data: Record<string, unknown>;
}

/** Makes the subject and detail of an audit entry from a successful call; null where nothing was changed. */
export type EntryOf = (call: SuccessfulCall) => Pick<StoreAuditEntry, 'subject' | 'subjectId' | 'detail'> | null;

/** How an endpoint that changes something is audited. */
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

/** Declares that the endpoint's service writes one of these entries itself, in the transaction of the change. */
export const AuditedWithin = (...actions: [AuditAction, ...AuditAction[]]) => about({ kind: 'within', actions });

/** Nothing that anybody would ask for later. @param reason why */
export const NotAudited = (reason: string) => about({ kind: 'none', reason });

/** It is about the caller's account. */
export const ofCaller: EntryOf = ({ call }) => ({ subject: 'user', subjectId: call.caller!.id });

/** It is about the item of the path. */
export const ofItem: EntryOf = ({ id }) => ({ subject: 'item', subjectId: id });

/** Reads the audit rule of a handler; undefined where it declared none. */
export function auditRuleOf(handler: (...args: never[]) => unknown): AuditRule | undefined {
  return Reflect.getMetadata(AUDIT, handler) as AuditRule | undefined;
}
