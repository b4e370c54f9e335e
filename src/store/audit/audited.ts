import { SetMetadata } from '@nestjs/common';

import type { StoreCall } from '../call/index.js';

import type { AuditAction, StoreAuditEntry, OwnAction } from './audit-log.js';

const AUDIT = 'store:audit';

/** A successful request. */
export interface SuccessfulCall {
  readonly call: StoreCall;
  /** `:id` of the path; NaN if the path has none. */
  readonly id: number;
  /** `data` of the response. */
  readonly data: Record<string, unknown>;
}

/** Makes the subject and detail of an audit entry from a successful call; null if nothing changed. */
export type EntryOf = (call: SuccessfulCall) => Pick<StoreAuditEntry, 'subject' | 'subjectId' | 'detail'> | null;

/** How an endpoint that changes something is audited. */
export type AuditRule =
  /** Written by {@link AuditTrail} after a successful response. */
  | { readonly kind: 'own'; readonly action: OwnAction; readonly entryOf: EntryOf }
  /** Written by the service in its own transaction. */
  | { readonly kind: 'within'; readonly actions: readonly AuditAction[] }
  | { readonly kind: 'none'; readonly reason: string };

/** Applies the audit rule of another endpoint that does the same. */
export const AuditedAs = (rule: AuditRule) => SetMetadata(AUDIT, rule);
const about = AuditedAs;

/**
 * Declares the audit entry written after a caller's own action. Every endpoint with a method other than GET declares this,
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

/** Declares that an endpoint needs no audit entry. @param reason why */
export const NotAudited = (reason: string) => about({ kind: 'none', reason });

/** Entry about the caller's account. */
export const ofCaller: EntryOf = ({ call }) => ({ subject: 'user', subjectId: call.caller!.id });

/** Entry about the item in the path. */
export const ofItem: EntryOf = ({ id }) => ({ subject: 'item', subjectId: id });

/** Returns the audit rule of a handler; undefined if it declares none. */
export function auditRuleOf(handler: (...args: never[]) => unknown): AuditRule | undefined {
  return Reflect.getMetadata(AUDIT, handler) as AuditRule | undefined;
}
