import { translate, type Locale, type TextParams, type TextRef } from '../../common/index.js';

/** State of a finding: `broken` fails now or at the next start; `warn` works but needs attention. */
export type State = 'ok' | 'warn' | 'broken';

/** Result of a check. */
export interface HealthFinding {
  readonly check: string;
  readonly state: State;
  readonly text: TextRef;
  /** Advice; null if everything is fine. */
  readonly advice: TextRef | null;
}

/** A translated finding. */
export interface TranslatedFinding {
  readonly check: string;
  readonly state: State;
  readonly text: string;
  /** Empty if everything is fine. */
  readonly advice: string;
}

const ref = (key: string, params?: TextParams): TextRef => ({ key: `health.${key}`, params });

/** Creates a finding without problems. @param text key of the language files below `health.` */
export const fine = (check: string, text: string, params?: TextParams): HealthFinding => ({
  check,
  state: 'ok',
  text: ref(text, params),
  advice: null,
});
/** Creates a finding that needs attention. */
export const warning = (check: string, text: string, params: TextParams, advice: string, place?: TextParams): HealthFinding => ({
  ...fine(check, text, params),
  state: 'warn',
  advice: ref(advice, place),
});
/** Creates a finding of a failure. */
export const broken = (check: string, text: string, params: TextParams, advice: string, place?: TextParams): HealthFinding => ({
  ...warning(check, text, params, advice, place),
  state: 'broken',
});

/** Translates a finding. */
export function translateFinding({ check, state, text, advice }: HealthFinding, locale: Locale): TranslatedFinding {
  return {
    check,
    state,
    text: translate(locale, text.key, text.params),
    advice: advice ? translate(locale, advice.key, advice.params) : '',
  };
}
