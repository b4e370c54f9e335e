/** Error classes on the wire (`err` of a failure response). Source: docs/panel-api.md "Errors". */
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

/** How an error code appears in a response. */
export interface ErrorShape {
  readonly err: WireError;
  /** Key of the text in the language files; the text says what the user can do. */
  readonly text: string;
  /** HTTP status. The default is 200 for the panel and 400 for the store; see their response envelopes. */
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 504;
}

/** A text to be translated for its reader: a key of the language files, and values for its placeholders. */
export interface TextRef {
  readonly key: string;
  readonly params?: TextParams;
  /** The plugin that owns the text. */
  readonly owner?: string;
  /** Fallback if the text does not exist, for instance because the plugin is disabled. */
  readonly otherwise?: string;
}

/** Values for the `{name}` placeholders of a text: plain values, or texts, several of which are joined with commas. */
export type TextParams = Record<string, string | number | TextRef | readonly TextRef[]>;

/**
 * Base class of every error a feature throws on purpose. A feature declares its codes as a union and one
 * `Record<Code, ErrorShape>`, so that a new code does not compile until it has a shape.
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
    /** Field names and their texts, for forms: a key, filled with the values of the error, or a text with values of its own. */
    readonly fields?: Readonly<Record<string, string | TextRef>>,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = new.target.name;
  }

  abstract get shape(): ErrorShape;

  /** Additional fields of the response. */
  get extras(): Readonly<Record<string, unknown>> {
    return {};
  }

  /** The error as shown to a customer: says that only the provider can fix it, and omits details meant for the provider. */
  get forOwner(): AppError {
    return this;
  }

  /** The text for lists and pages that report the error later. */
  get told(): TextRef {
    return { key: this.shape.text, params: this.params };
  }
}

/** Makes a `switch` exhaustive: a missing case does not compile. */
export function assertUnreachable(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}

/** Returns the message of any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
