/**
 * The reason a port refused, if known: a code that the port defines, for which the panel has its own message.
 *
 * @example
 * ```ts
 * const problem: HostDriverProblem = { code: 'TAKEN', params: { name: 'index.html' } };
 * ```
 * @since 1.84.0
 */
export interface HostDriverProblem {
  readonly code: string;
  /** Values for the placeholders of the message. */
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * The result of a driver call.
 * - `ok`: done; `already`: it was so before; both are success
 * - `not_found`: the site is not on the server; for `terminate` this is success as well
 * - `refused`: the server rejected the call; nothing changed; `message` is the server's text
 * - `unreachable`: the call never reached the server; nothing changed; `message` explains the reason to the person testing the server
 * - `unknown`: it may or may not have happened; the panel calls `sync` before anything else
 *
 * Any thrown error, and any other result, counts as `unknown`.
 *
 * @example
 * ```ts
 * const taken: HostDriverResult = { outcome: 'refused', message: 'This name is taken.' };
 * const made: HostDriverResult<{ siteId: string }> = { outcome: 'ok', value: { siteId: '7' } };
 * ```
 * @since 1.84.0
 */
export type HostDriverResult<Value = undefined> =
  | { readonly outcome: 'ok' | 'already'; readonly value: Value }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'refused'; readonly message: string; readonly problem?: HostDriverProblem }
  | { readonly outcome: 'unreachable'; readonly message: string; readonly problem?: HostDriverProblem }
  | { readonly outcome: 'unknown'; readonly message: string };

/**
 * What a driver function may return; a success without a value may omit `value`.
 *
 * @example
 * ```ts
 * const suspend: HostDriverRecord['suspend'] = (): HostDriverAnswer => ({ outcome: 'already' });
 * ```
 * @since 1.84.0
 */
export type HostDriverAnswer<Value = undefined> =
  | HostDriverResult<Value>
  | (Value extends undefined ? { readonly outcome: 'ok' | 'already' } : never)
  | Promise<HostDriverResult<Value> | (Value extends undefined ? { readonly outcome: 'ok' | 'already' } : never)>;
