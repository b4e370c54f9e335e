/** How a thing stands: `broken` does not work, or will not at the next start; `warn` works and wants a look. */
export type State = 'ok' | 'warn' | 'broken';

/** What a check of `svc doctor` found. */
export interface Finding {
  readonly check: string;
  readonly state: State;
  readonly text: string;
  /** What to do; empty where all is well. */
  readonly advice: string;
}

/** All is well. */
export const fine = (check: string, text: string): Finding => ({ check, state: 'ok', text, advice: '' });
/** It works, and wants a look. */
export const warning = (check: string, text: string, advice: string): Finding => ({ check, state: 'warn', text, advice });
/** It does not work. */
export const broken = (check: string, text: string, advice: string): Finding => ({ check, state: 'broken', text, advice });
