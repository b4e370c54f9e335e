import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { canonicalQuery, EMPTY_SHA256, encodeS3, signS3Request, type S3Credentials } from './s3-signature.js';
import { StorageError } from './storage-error.js';

/** An S3-compatible service and the bucket packages are kept in. */
export interface S3Options extends S3Credentials {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`; buckets are named in the path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Before the names of objects, such as `packages/`. */
  readonly prefix?: string;
  /** Without any byte moving; 30,000 where nothing is given. */
  readonly idleTimeoutMs?: number;
}

/** A call. */
export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Name of the object, without the prefix; the bucket itself where it is empty. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly stream: Readable; readonly size: number; readonly sha256: string };
}

const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/**
 * Speaks S3 over HTTP. The endpoint is the operator's and may be internal, which is what the panel's client for other
 * people's URLs (`OutboundHttp`) refuses; that one also holds bodies in memory.
 */
export class S3Client {
  private readonly base: URL;

  constructor(private readonly options: S3Options) {
    this.base = new URL(options.endpoint);
  }

  /** @throws StorageError UNAVAILABLE where nobody answers */
  async call({ method, key, query = {}, headers = {}, body }: S3Call): Promise<IncomingMessage> {
    const { bucket, prefix = '' } = this.options;
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
    const request = module.request(this.base, { method, path: search ? `${path}?${search}` : path, headers: signed, timeout: this.options.idleTimeoutMs ?? 30_000 });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    try {
      const answer = new Promise<IncomingMessage>((resolve, reject) => request.once('response', resolve).once('error', reject));
      // A refusal may come before the whole body has gone: the answer counts then, not the broken pipe.
      const sent = body ? pipeline(body.stream, request) : Promise.resolve(void request.end());
      sent.catch(() => undefined);
      return await answer;
    } catch (error) {
      body?.stream.destroy();
      throw new StorageError('UNAVAILABLE', `${method} ${path}`, { cause: error });
    }
  }

  /** What a refused call answered, for the log. */
  async failure(response: IncomingMessage): Promise<StorageError> {
    const text = await readText(response).catch(() => '');
    return new StorageError('UNAVAILABLE', `HTTP ${response.statusCode} ${/<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? ''}`.trim());
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
