import { packWords, sayWords, translate, unpackWords, wordsOf, type Locale } from '../../common/index.js';

import type { TaskRun } from './task-run.js';
import { FinalFailure } from './task-turn.js';

/** Length of the column. */
const MAX_LENGTH = 1_000;

/** Returns why an attempt failed, as stored in the row: translated later for its reader. */
export function failureOf({ stopped }: TaskRun, error: unknown): string {
  const reason = error instanceof FinalFailure && error.cause ? error.cause : error;
  return stopped === 'timeout' ? 'tasks.timeout' : packWords(wordsOf(reason), MAX_LENGTH) || 'tasks.no_reason';
}

/** Translates what {@link failureOf} stored. */
export function tellFailure(locale: Locale, kept: string): string {
  const words = unpackWords(kept);
  return typeof words === 'string' ? translate(locale, words) : sayWords(locale, words);
}
