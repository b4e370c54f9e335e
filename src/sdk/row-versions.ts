/**
 * A value that a form never shows, such as a password. Pass something derived from it that cannot be guessed, such as its hash. The value
 * is compared and never disclosed.
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
 * The values a form shows of an existing record, by field name: 1 to 100 letters, digits and `_ . - [ ]`.
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
 * The error that `svc_check_row_version` throws. If the plugin does not catch it, the operation or route ends with the response of the
 * panel's own forms; a page that catches it shows this message.
 *
 * @example
 * ```ts
 * const isRefusedForm = (error: unknown): error is RefusedForm =>
 *   error instanceof Error && 'code' in error && ['STALE_FORM', 'INVALID_INPUT'].includes(String(error.code));
 * ```
 * @since 1.84.0
 */
export interface RefusedForm extends Error {
  /** `STALE_FORM`: the record changed in the meantime; `INVALID_INPUT`: the submitted value is not a version. */
  readonly code: 'STALE_FORM' | 'INVALID_INPUT';
  /** Message for the user, in the language of the request. */
  readonly message: string;
  /** For each field its current value, or what is wrong with it, as text for the user. */
  readonly fields: Readonly<Record<string, string>>;
  /** The current version: submitting the form again with it saves the form. Empty if the submitted value is not a version. */
  readonly row_version: string;
}
