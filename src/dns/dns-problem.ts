import { AppError, type ErrorShape, type TextParams } from '../common/index.js';

/** Problems of a whole provider, which would affect all of its records. */
const OF_PROVIDERS = ['unreachable', 'internal', 'busy', 'down', 'unclear', 'denied', 'settings', 'plugin_off', 'plugin_silent'] as const;
/** Problems of a single record. */
type OfRecords = 'refused' | 'no_zone' | 'no_provider' | 'taken' | 'no_target';

/** Error code of an operation at a DNS provider; its message is `dns.problem_<code>`. */
export type DnsProblemCode = (typeof OF_PROVIDERS)[number] | OfRecords;

/** Maximum length of a shown provider message. */
const MAX_REPLY = 200;

/** Returns foreign text on one line, without invisible characters. */
export const shownText = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REPLY);

/** A failed call to a DNS provider. */
export class DnsProblem extends AppError<DnsProblemCode> {
  /** @param retryAfter delay requested by the provider in seconds; null for none */
  constructor(
    code: DnsProblemCode,
    params: TextParams = {},
    readonly retryAfter: number | null = null,
  ) {
    super(code, params);
  }

  /** Returns the shown part of a provider's message. */
  static reply(text: string): { reply: string } {
    return { reply: shownText(text) || '–' };
  }

  get shape(): ErrorShape {
    return { err: this.code === 'taken' ? 'E_CONFLICT' : 'E_UNREACH', text: `dns.problem_${this.code}` };
  }

  /** Whether it affects all records of the provider. */
  get isOfProvider(): boolean {
    return (OF_PROVIDERS as readonly string[]).includes(this.code);
  }
}
