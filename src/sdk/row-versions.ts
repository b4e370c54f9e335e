/**
 * A value that a form never shows, such as a password: give something of it that cannot be guessed, such as its hash. It is
 * compared, and never told.
 *
 * @example
 * ```ts
 * const hash: SecretValue = { secret: '$2b$10$…' };
 * const version = svc.svc_row_version({ name: 'Alice', password: hash });
 * ```
 * @since 1.84.0
 */
export interface SecretValue {
  readonly secret: string;
}

/**
 * What a form shows of something that is there already, by the names of its fields: 1 to 100 of letters, digits and `_ . - [ ]`.
 *
 * @example
 * ```ts
 * const shown = (coupon: { code: string; price: number }): FormValues => ({ code: coupon.code, price: amountText(coupon.price) });
 * const version = svc.svc_row_version(shown({ code: 'A1', price: 990 }));
 * ```
 * @since 1.84.0
 */
export type FormValues = Readonly<Record<string, string | number | boolean | null | SecretValue>>;

/**
 * What `svc_check_row_version` throws. Left alone, it ends the operation or route with the answer of the panel's own forms; a page that
 * catches it shows these words.
 *
 * @example
 * ```ts
 * const isRefusedForm = (error: unknown): error is RefusedForm =>
 *   error instanceof Error && 'code' in error && ['STALE_FORM', 'INVALID_INPUT'].includes(String(error.code));
 * ```
 * @since 1.84.0
 */
export interface RefusedForm extends Error {
  /** `STALE_FORM`: somebody changed it meanwhile; `INVALID_INPUT`: what the form brought is no version. */
  readonly code: 'STALE_FORM' | 'INVALID_INPUT';
  /** For people, in the language of the request. */
  readonly message: string;
  /** What each field is now, or what is wrong with it, for people. */
  readonly fields: Readonly<Record<string, string>>;
  /** The present version: sent again with it, the form is saved. Empty where what came is no version. */
  readonly row_version: string;
}
