import { packWords, sayWords, translate, unpackWords, wordsOf, type Locale } from '../../common/index.js';

import type { TaskRun } from './task-run.js';
import { FinalFailure } from './task-turn.js';

/** As long as the column is. */
const MAX_LENGTH = 1_000;

/** Why an attempt failed, as a row keeps it: told in the language of whoever reads it later. */
export function failureOf({ stopped }: TaskRun, error: unknown): string {
  const reason = error instanceof FinalFailure && error.cause ? error.cause : error;
  return stopped === 'timeout' ? 'tasks.timeout' : packWords(wordsOf(reason), MAX_LENGTH) || 'tasks.no_reason';
}

/** What {@link failureOf} kept, in words. */
export function tellFailure(locale: Locale, kept: string): string {
  const words = unpackWords(kept);
  return typeof words === 'string' ? translate(locale, words) : sayWords(locale, words);
}
