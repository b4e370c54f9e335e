import { AppError, type ErrorShape, type TextParams } from '../common/index.js';

/** What keeps a whole provider from working: each of its records would end the same way. */
const OF_PROVIDERS = ['unreachable', 'internal', 'busy', 'down', 'unclear', 'denied', 'settings', 'plugin_off', 'plugin_silent'] as const;
/** What keeps one record from being set. */
type OfRecords = 'refused' | 'no_zone' | 'no_provider' | 'taken' | 'no_target';

/** Why something could not be done at a DNS provider; its words are `dns.problem_<code>`. */
export type DnsProblemCode = (typeof OF_PROVIDERS)[number] | OfRecords;

/** Longest text of a provider that is shown. */
const MAX_REPLY = 200;

/** What somebody else wrote, on one line and without characters that do not show. */
export const shownText = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REPLY);

/** A call to a DNS provider that did not end well. */
export class DnsProblem extends AppError<DnsProblemCode> {
  /** @param retryAfter seconds the provider asked to be left alone; null: it said nothing */
  constructor(
    code: DnsProblemCode,
    params: TextParams = {},
    readonly retryAfter: number | null = null,
  ) {
    super(code, params);
  }

  /** What a provider said, as far as it is shown. */
  static reply(text: string): { reply: string } {
    return { reply: shownText(text) || '–' };
  }

  get shape(): ErrorShape {
    return { err: this.code === 'taken' ? 'E_CONFLICT' : 'E_UNREACH', text: `dns.problem_${this.code}` };
  }

  /** Whether all records of the provider wait for it to be over. */
  get isOfProvider(): boolean {
    return (OF_PROVIDERS as readonly string[]).includes(this.code);
  }
}
