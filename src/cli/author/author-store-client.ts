import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { AuthorError } from './author-error.js';
import { isLoopback } from './loopback.js';

/** Bytes sent between two progress reports. */
const PIECE = 64 * 1024;
/** Idle timeout of a request to the store, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;

/** A response of the store. */
export interface StoreReply<Data> {
  readonly status: number;
  readonly msg: string;
  readonly data: Data;
  /** Seconds to wait before a retry, if the store requests it. */
  readonly retryAfter: number;
}

/** A client for the API described in `docs/store-api.md`, authenticated by token. */
export class AuthorStoreClient {
  private readonly base: URL;

  /**
   * @param address of the store, such as `https://store.example.com`
   * @throws AuthorError for an invalid address, or one that would send the token unencrypted over the network
   */
  constructor(
    address: string,
    private readonly token: string,
  ) {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new AuthorError(`"${address}" is not the address of a store. Example: https://store.example.com`);
    if (url.protocol === 'http:' && !isLoopback(url.hostname))
      throw new AuthorError(`${url.origin} is not encrypted, so others could read your token. Use https://`);
    this.base = new URL('/api/', url.origin);
  }

  /** @throws AuthorError if there is no response, or it does not come from a store */
  get<Data>(path: string): Promise<StoreReply<Data>> {
    return this.send('GET', path, null, () => undefined);
  }

  /** Sends a form with a file. @param progress receives the share that was sent, 0 to 1 */
  async upload<Data>(path: string, form: FormData, progress: (share: number) => void): Promise<StoreReply<Data>> {
    const encoded = new Response(form);
    const body = Buffer.from(await encoded.arrayBuffer());
    return this.send('POST', path, { body, type: encoded.headers.get('content-type')! }, progress);
  }

  private send<Data>(
    method: string,
    path: string,
    sent: { body: Buffer; type: string } | null,
    progress: (share: number) => void,
  ): Promise<StoreReply<Data>> {
    const url = new URL(path, this.base);
    const headers = {
      accept: 'application/json',
      'accept-language': 'en',
      authorization: `Bearer ${this.token}`,
      ...(sent ? { 'content-type': sent.type, 'content-length': sent.body.length } : {}),
    };
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => reject(new AuthorError(`The store at ${this.base.origin} ${reason}`));
      const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
        url,
        { method, headers, timeout: IDLE_TIMEOUT_MS },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', (error) => fail(`closed the connection: ${error.message}`));
          response.on('end', () => {
            const reply = readReply<Data>(Buffer.concat(chunks).toString());
            if (!reply) return fail(`answered ${response.statusCode} with an invalid response. Check that this is the address of a store.`);
            resolve({ ...reply, status: response.statusCode ?? 0, retryAfter: Number(response.headers['retry-after']) || 0 });
          });
        },
      );
      call.on('timeout', () => call.destroy(new Error('no response within a minute')));
      call.on('error', (error) => fail(`cannot be reached: ${error.message}`));
      if (sent) void write(call, sent.body, progress);
      else call.end();
    });
  }
}

function readReply<Data>(text: string): { msg: string; data: Data } | null {
  try {
    const value = JSON.parse(text) as { code?: unknown; msg?: unknown; data: Data };
    return typeof value.code === 'number' ? { msg: typeof value.msg === 'string' ? value.msg : '', data: value.data } : null;
  } catch {
    return null;
  }
}

/** Sends the body in pieces, as fast as the store reads them; a store that responds early has closed the connection. */
async function write(call: ReturnType<typeof httpRequest>, body: Buffer, progress: (share: number) => void): Promise<void> {
  for (let at = 0; at < body.length && !call.destroyed; at += PIECE) {
    await new Promise<void>((done) => call.write(body.subarray(at, at + PIECE), () => done()));
    progress(Math.min(1, (at + PIECE) / body.length));
  }
  call.end();
}
