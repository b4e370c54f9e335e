import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { canonicalQuery, EMPTY_SHA256, encodeS3, signS3Request, type S3Credentials } from './s3-signature.js';
import { StorageError } from './storage-error.js';

/** An S3-compatible service and a bucket of it. */
export interface S3Options extends S3Credentials {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`; buckets are named in the path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Before the names of objects, such as `packages/`. */
  readonly prefix?: string;
  /** Without any byte moving while we wait for some; 30,000 where nothing is given. */
  readonly idleTimeoutMs?: number;
}

/** A call. */
export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Name of the object, without the prefix; the bucket itself where it is empty. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

/** What a call sends. */
export interface S3Body {
  /** Opens it; a call that is tried again opens it again. */
  readonly open: () => Readable;
  readonly size: number;
  readonly sha256: string;
}

const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/**
 * Speaks S3 over HTTP. The endpoint is the operator's and may be internal, which is what the panel's client for other
 * people's URLs (`OutboundHttp`) refuses; that one also holds bodies in memory. Redirects are not followed.
 */
export class S3Client {
  private readonly base: URL;

  constructor(private readonly options: S3Options) {
    this.base = new URL(options.endpoint);
  }

  /** @throws StorageError UNAVAILABLE where nobody answers */
  async call(call: S3Call): Promise<IncomingMessage> {
    const first = this.begin(call);
    try {
      return await first.answer;
    } catch (error) {
      // A connection kept from an earlier call, which the service closed at that moment: it has seen nothing of this one.
      const wasStale = first.request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!wasStale) throw unavailable(call, error);
    }
    return this.begin(call).answer.catch((error: unknown) => {
      throw unavailable(call, error);
    });
  }

  /** What a refused call answered, for the log. */
  async failure(response: IncomingMessage): Promise<StorageError> {
    const text = await readText(response).catch(() => '');
    return new StorageError('UNAVAILABLE', `HTTP ${response.statusCode} ${/<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? ''}`.trim());
  }

  private begin({ method, key, query = {}, headers = {}, body }: S3Call): { request: ClientRequest; answer: Promise<IncomingMessage> } {
    const { bucket, prefix = '', idleTimeoutMs = 30_000 } = this.options;
    const object = key === '' ? '' : `/${(prefix + key).split('/').map(encodeS3).join('/')}`;
    const path = `${this.base.pathname.replace(/\/$/, '')}/${encodeS3(bucket)}${object}`;
    const length: Record<string, string> = body ? { 'content-length': String(body.size) } : {};
    const signed = signS3Request(
      { method, path, query, headers: { ...headers, ...length, host: this.base.host }, payloadSha256: body?.sha256 ?? EMPTY_SHA256 },
      this.options,
      new Date(),
    );
    const search = canonicalQuery(query);
    const module = this.base.protocol === 'https:' ? https : http;
    const request = module.request(this.base, {
      method,
      path: search ? `${path}?${search}` : path,
      headers: signed,
      timeout: idleTimeoutMs,
    });
    let response: IncomingMessage | null = null;
    request.on('timeout', () => {
      // Bytes that wait to be read: whoever reads them is slow, not the service.
      if (response && response.readableLength > 0) request.setTimeout(idleTimeoutMs);
      else request.destroy(new Error('timeout'));
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', (incoming) => resolve((response = incoming)));
      request.on('error', reject);
    });
    if (body) {
      const stream = body.open();
      // A refusal may come before the whole body has gone: the answer counts then, not the broken pipe.
      pipeline(stream, request).catch(() => undefined);
      answer.catch(() => stream.destroy());
    } else {
      request.end();
    }
    return { request, answer };
  }
}

/** The whole body as text, at most 4 MB. @throws StorageError UNAVAILABLE */
export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) throw new Error('too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw new StorageError('UNAVAILABLE', 'the answer broke off', { cause: error });
  }
  return Buffer.concat(chunks).toString();
}

function unavailable({ method, key }: S3Call, cause: unknown): StorageError {
  return new StorageError('UNAVAILABLE', `${method} ${key}`, { cause });
}
