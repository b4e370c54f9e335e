/**
 * Why a port refused, where that is known: a code of the port's own, so that the panel says it in its words.
 *
 * @example
 * ```ts
 * const problem: HostDriverProblem = { code: 'TAKEN', params: { name: 'index.html' } };
 * ```
 * @since 1.84.0
 */
export interface HostDriverProblem {
  readonly code: string;
  /** Values for the places of the words. */
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * How a call ended.
 * - `ok` it was done; `already` it was so before: both are success
 * - `not_found` the site is not on the server; for `terminate` this is success too
 * - `refused` the server said no; nothing changed; `message` is its text
 * - `unreachable` the call never reached the server; nothing changed; `message` says to who tests the server why
 * - `unknown` it may or may not have happened: the panel asks `sync` before anything else
 *
 * Whatever is thrown, and whatever is none of these, counts as `unknown`.
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
 * What a function of a driver may answer; a success without a value may leave it out.
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
