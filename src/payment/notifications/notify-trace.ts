import { AsyncLocalStorage } from 'node:async_hooks';

import { translateText, type Locale, type TextRef } from '../../common/index.js';

import type { SettlementRefusal } from './settlement-claim.js';

/** Records what a gateway did while it handled a notification. */
export interface NotifyTrace {
  /** Whether a payment was settled, now or before. */
  taken: boolean;
  /** Settlements that the panel refused. */
  readonly refusals: { readonly number: string; readonly reason: SettlementRefusal }[];
  /** Messages of the gateway in the payment log that report a problem. */
  readonly words: TextRef[];
}

/** Maximum messages kept per notification. */
const MAX_MESSAGES = 5;
/** Log levels that report no problem; gateways use words of their own. */
const HARMLESS = /^(?:info|debug|ok|success)|成功/i;

const current = new AsyncLocalStorage<NotifyTrace>();

/** Returns the trace of the notification being handled. */
export const notifyTrace = (): NotifyTrace | undefined => current.getStore();

/** Runs the handling of a notification, recording the result in `trace`. */
export function tracedNotify<Result>(trace: NotifyTrace, work: () => Result): Result {
  return current.run(trace, work);
}

/** Returns the messages of a {@link NotifyTrace} as one line in the reader's language. */
export function sayTrace(words: readonly TextRef[], locale: Locale): string {
  return words.map((text) => translateText(locale, text)).join(' · ');
}

/** Records a line that a gateway wrote to the payment log. */
export function traceWords(words: TextRef, level: string): void {
  const trace = current.getStore();
  if (trace && !HARMLESS.test(level) && trace.words.length < MAX_MESSAGES) trace.words.push(words);
}
