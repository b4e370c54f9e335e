import { AsyncLocalStorage } from 'node:async_hooks';

import { translateText, type Locale, type TextRef } from '../common/index.js';

import type { SettlementRefusal } from './settlement-claim.js';

/** Record of what a gateway did while it handled one notification. */
export interface NotifyTrace {
  /** Something was settled, or had been before. */
  taken: boolean;
  /** What the panel did not take of it. */
  readonly refusals: { readonly number: string; readonly reason: SettlementRefusal }[];
  /** What the gateway wrote into the payment log that sounds of trouble. */
  readonly words: TextRef[];
}

/** Words one notification is remembered by. */
const MOST_WORDS = 5;
/** Levels of the payment log that tell of no trouble; gateways have words of their own. */
const HARMLESS = /^(?:info|debug|ok|success)|成功/i;

const current = new AsyncLocalStorage<NotifyTrace>();

/** The notification that is dealt with at the moment. */
export const notifyTrace = (): NotifyTrace | undefined => current.getStore();

/** Runs what deals with a notification, noting what comes of it. */
export function tracedNotify<Result>(trace: NotifyTrace, work: () => Result): Result {
  return current.run(trace, work);
}

/** Words of {@link NotifyTrace}, as one line in a reader's language. */
export function sayTrace(words: readonly TextRef[], locale: Locale): string {
  return words.map((text) => translateText(locale, text)).join(' · ');
}

/** A gateway wrote a line of its own into the payment log. */
export function traceWords(words: TextRef, level: string): void {
  const trace = current.getStore();
  if (trace && !HARMLESS.test(level) && trace.words.length < MOST_WORDS) trace.words.push(words);
}
