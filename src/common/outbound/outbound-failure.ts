/** Why a request ended without a response. */
export type OutboundFailureCode = 'SCHEME' | 'URL' | 'INTERNAL' | 'FAILED';

// Part of the plugin contract: plugins compare these texts, so they are never translated (docs/outbound-http.md).
const TEXTS: Record<OutboundFailureCode, string> = {
  SCHEME: '仅允许 http/https URL',
  URL: 'URL 无效',
  INTERNAL: '禁止访问内网地址',
  FAILED: '请求失败',
};

/**
 * Ends a request. The caller only sees {@link text}; `reason` and `cause` are for the log, because they would reveal which ports of an
 * address are open.
 */
export class OutboundFailure extends Error {
  constructor(
    readonly code: OutboundFailureCode,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'OutboundFailure';
  }

  /** The text of {@link code}, as returned in `HttpResponse.error`. */
  get text(): string {
    return TEXTS[this.code];
  }

  /** Returns `error` itself if it already is an OutboundFailure, else wraps it in a `FAILED` one. */
  static from(error: unknown): OutboundFailure {
    if (error instanceof OutboundFailure) return error;
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    return new OutboundFailure('FAILED', code ?? (error instanceof Error ? error.message : String(error)), { cause: error });
  }
}
