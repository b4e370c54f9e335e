import { translate, type Locale, type TextParams, type TextRef } from '../../common/index.js';

/** How a thing stands: `broken` does not work, or will not at the next start; `warn` works and wants a look. */
export type State = 'ok' | 'warn' | 'broken';

/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly state: State;
  readonly text: TextRef;
  /** What to do; null where all is well. */
  readonly advice: TextRef | null;
}

/** A finding in a reader's language. */
export interface ToldFinding {
  readonly check: string;
  readonly state: State;
  readonly text: string;
  /** Empty where all is well. */
  readonly advice: string;
}

const ref = (key: string, params?: TextParams): TextRef => ({ key: `health.${key}`, params });

/** All is well. @param text key of the language files below `health.` */
export const fine = (check: string, text: string, params?: TextParams): Finding => ({
  check,
  state: 'ok',
  text: ref(text, params),
  advice: null,
});
/** It works, and wants a look. */
export const warning = (check: string, text: string, params: TextParams, advice: string, place?: TextParams): Finding => ({
  ...fine(check, text, params),
  state: 'warn',
  advice: ref(advice, place),
});
/** It does not work. */
export const broken = (check: string, text: string, params: TextParams, advice: string, place?: TextParams): Finding => ({
  ...warning(check, text, params, advice, place),
  state: 'broken',
});

/** In a reader's language. */
export function tell({ check, state, text, advice }: Finding, locale: Locale): ToldFinding {
  return {
    check,
    state,
    text: translate(locale, text.key, text.params),
    advice: advice ? translate(locale, advice.key, advice.params) : '',
  };
}
