/** Error classes of the wire (`err` of a failure body). Source: docs/panel-api.md "Errors". */
export type WireError =
  | 'E_ARGS'
  | 'E_NOTEXIST'
  | 'E_EXISTS'
  | 'E_STATE'
  | 'E_INUSE'
  | 'E_LIMIT'
  | 'E_FORBIDDEN'
  | 'E_CSRF'
  | 'E_RATE'
  | 'E_DISABLED'
  | 'E_CONFLICT'
  | 'E_BUSY'
  | 'E_NODE'
  | 'E_UNREACH'
  | 'E_UNKNOWN'
  | 'E_PAY'
  | 'E_INTERNAL';

/** How an error code looks from outside. */
export interface ErrorShape {
  readonly err: WireError;
  /** Key of the text in the language files; the text tells what to do next. */
  readonly text: string;
  /** HTTP status; what refuses and says none is 200 of the panel and 400 of the store, see their envelopes. */
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 504;
}

/** A text that is told in its reader's language: a key of the language files, and values for its places. */
export interface TextRef {
  readonly key: string;
  readonly params?: TextParams;
  /** The plugin whose own text it is. */
  readonly owner?: string;
  /** What is said where there is no such text, for instance because the plugin is off. */
  readonly otherwise?: string;
}

/** Values for the `{name}` places of a text: as they are, or texts themselves, several with commas between. */
export type TextParams = Record<string, string | number | TextRef | readonly TextRef[]>;

/**
 * Base of every error a feature throws on purpose. A feature declares its codes as a union and one
 * `Record<Code, ErrorShape>`, so a new code does not compile until it has a shape.
 *
 * @example
 * ```ts
 * type OrderErrorCode = 'ORDER_NOT_FOUND';
 * const ERROR_MAP: Record<OrderErrorCode, ErrorShape> = { ORDER_NOT_FOUND: { err: 'E_NOTEXIST', text: 'payment.order_not_found' } };
 * export class OrderError extends AppError<OrderErrorCode> {
 *   get shape(): ErrorShape { return ERROR_MAP[this.code]; }
 * }
 * ```
 */
export abstract class AppError<Code extends string = string> extends Error {
  constructor(
    readonly code: Code,
    readonly params: TextParams = {},
    /** Field name to its text, for forms: a key, filled with the values of the error, or one with values of its own. */
    readonly fields?: Readonly<Record<string, string | TextRef>>,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = new.target.name;
  }

  abstract get shape(): ErrorShape;

  /** What the answer carries besides its text. */
  get extras(): Readonly<Record<string, unknown>> {
    return {};
  }

  /** The same as a customer is told of it: what only his provider can mend is said so, without what the provider is told. */
  get forOwner(): AppError {
    return this;
  }

  /** The text for lists and pages that tell of it later. */
  get told(): TextRef {
    return { key: this.shape.text, params: this.params };
  }
}

/** Makes a `switch` exhaustive: a case that is missing does not compile. */
export function assertUnreachable(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
