import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { errorSummary, exchange, IDLE_TIMEOUT_MS } from './exchange.js';
import { canonicalQuery, EMPTY_SHA256, encodeS3, presignS3Query, signS3Request, type S3Credentials } from './s3-signature.js';
import { StorageError } from './storage-error.js';

/** A bucket of an S3-compatible service. */
export interface S3Options extends S3Credentials {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`; path-style addressing is used. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Prefix of object names, such as `packages/`. */
  readonly prefix?: string;
  /** Timeout without any byte transferred, in milliseconds; default 30,000. */
  readonly idleTimeoutMs?: number;
}

/** A request to the bucket. */
export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Object name without the prefix; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Overrides the timeout of {@link S3Options}, in milliseconds. */
  readonly idleTimeoutMs?: number;
}

/** Request body. */
export interface S3Body {
  /** Opens the body; called again on a retry. */
  readonly open: () => Readable;
  readonly size: number;
  readonly sha256: string;
}

/**
 * An S3 client over HTTP. The endpoint is the operator's and may be internal, which `OutboundHttp` (for third-party URLs) refuses;
 * that one also buffers bodies in memory. Redirects are not followed.
 */
export class S3Client {
  private readonly base: URL;

  constructor(private readonly options: S3Options) {
    this.base = new URL(options.endpoint);
  }

  /** @throws StorageError UNAVAILABLE if the service does not answer */
  async call(call: S3Call): Promise<IncomingMessage> {
    const first = this.begin(call);
    try {
      return await first.answer;
    } catch (error) {
      // The service closed a kept-alive connection just then; it has not seen this request, so a retry is safe.
      const wasStale = first.request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!wasStale) throw unavailable(call, error);
    }
    return this.begin(call).answer.catch((error: unknown) => {
      throw unavailable(call, error);
    });
  }

  /** Returns the error of a failed response, for the log. */
  async failure(response: IncomingMessage): Promise<StorageError> {
    return new StorageError('UNAVAILABLE', await errorSummary(response));
  }

  /**
   * Returns a presigned URL for one action on one object, valid for `seconds` (604,800 at most). It is a secret.
   *
   * @example
   * ```ts
   * const url = client.presign('PUT', 'svc.0001.tar.gz', 3_600);
   * ```
   */
  presign(method: 'GET' | 'PUT', key: string, seconds: number, query: Readonly<Record<string, string>> = {}): string {
    const path = this.pathOf(key);
    return `${this.base.origin}${path}?${presignS3Query({ method, path, host: this.base.host, query }, this.options, new Date(), seconds)}`;
  }

  /** Returns the name of an object in the bucket, with the prefix. */
  fullKey(key: string): string {
    return (this.options.prefix ?? '') + key;
  }

  private begin({ method, key, query = {}, headers = {}, body, idleTimeoutMs = this.options.idleTimeoutMs ?? IDLE_TIMEOUT_MS }: S3Call): {
    request: ClientRequest;
    answer: Promise<IncomingMessage>;
  } {
    const path = this.pathOf(key);
    const length: Record<string, string> = body ? { 'content-length': String(body.size) } : {};
    const signed = signS3Request(
      { method, path, query, headers: { ...headers, ...length, host: this.base.host }, payloadSha256: body?.sha256 ?? EMPTY_SHA256 },
      this.options,
      new Date(),
    );
    const search = canonicalQuery(query);
    return exchange(this.base, { method, path: search ? `${path}?${search}` : path, headers: signed, idleTimeoutMs, open: body?.open });
  }

  private pathOf(key: string): string {
    const { bucket } = this.options;
    const object = key === '' ? '' : `/${this.fullKey(key).split('/').map(encodeS3).join('/')}`;
    return `${this.base.pathname.replace(/\/$/, '')}/${encodeS3(bucket)}${object}`;
  }
}

function unavailable({ method, key }: S3Call, cause: unknown): StorageError {
  return new StorageError('UNAVAILABLE', `${method} ${key}`, { cause });
}
