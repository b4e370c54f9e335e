import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import {
  PackageStorage,
  storageKeyOf,
  rangeWithin,
  unused,
  type ByteRange,
  type DigestedFile,
  type StoredPackage,
  type SweepOptions,
} from './package-storage.js';
import { readText, S3Client, type S3Options, StorageError, textsOf } from '../../../common/index.js';

/** Bytes of one package forwarded before yielding to the event loop. */
const TURN_BYTES = 128 * 1024;

/** Stores packages in a bucket of an S3-compatible service: AWS, MinIO, Ceph, R2, OSS, COS. */
export class S3PackageStorage extends PackageStorage {
  private readonly client: S3Client;

  /** @param workFolder for packages needed as local files; created if missing */
  constructor(
    private readonly options: S3Options,
    private readonly workFolder: string,
  ) {
    super();
    this.client = new S3Client(options);
  }

  async store({ path, sha256, size }: DigestedFile): Promise<void> {
    // S3 makes an object visible only when complete and its digest matches; storing it again resets its age.
    const body = { open: () => createReadStream(path), size, sha256 };
    const response = await this.client.call({
      method: 'PUT',
      key: storageKeyOf(sha256),
      headers: { 'content-type': 'application/zip' },
      body,
    });
    if (response.statusCode !== 200) throw await this.client.failure(response);
    await readText(response);
  }

  async size(sha256: string): Promise<number | null> {
    const headers = await this.headersOf(sha256);
    if (headers === null) return null;
    const size = Number(headers['content-length']);
    if (!Number.isSafeInteger(size)) throw new StorageError('UNAVAILABLE', 'a response without Content-Length');
    return size;
  }

  async open(sha256: string, range?: ByteRange): Promise<StoredPackage> {
    const key = storageKeyOf(sha256);
    if (range) rangeWithin(Number.MAX_SAFE_INTEGER, range);
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined;
    const response = await this.client.call({ method: 'GET', key, headers });
    if (response.statusCode === 404 || response.statusCode === 416) {
      response.resume();
      throw new StorageError(response.statusCode === 404 ? 'NOT_FOUND' : 'RANGE', `package ${sha256}`);
    }
    if (response.statusCode !== (range ? 206 : 200)) throw await this.client.failure(response);
    const size = Number(
      range ? /^bytes \d+-\d+\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1] : response.headers['content-length'],
    );
    const given = Number.isSafeInteger(size) ? rangeWithin(size, range) : null;
    // Node's client detects bodies that do not match Content-Length; whether that length is the requested one must be checked here.
    if (!given || Number(response.headers['content-length']) !== given.end - given.start + 1) {
      response.destroy();
      throw new StorageError('UNAVAILABLE', 'a response with an unexpected size');
    }
    return { chunks: inTurns(response), size, range: given, close: async () => void response.destroy() };
  }

  async withFile<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T> {
    const stored = await this.open(sha256);
    await mkdir(this.workFolder, { recursive: true, mode: 0o700 });
    const path = join(this.workFolder, `${randomUUID()}.part`);
    try {
      await writeFile(path, stored.chunks, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
        throw new StorageError('UNAVAILABLE', `package ${sha256}`, { cause: error });
      });
      return await work(path);
    } finally {
      await stored.close();
      await rm(path, { force: true });
    }
  }

  async remove(sha256: string): Promise<void> {
    const response = await this.client.call({ method: 'DELETE', key: storageKeyOf(sha256) });
    if (![200, 204, 404].includes(response.statusCode!)) throw await this.client.failure(response);
    response.resume();
  }

  async check(): Promise<void> {
    const response = await this.client.call({
      method: 'GET',
      key: '',
      query: { 'list-type': '2', 'max-keys': '1', prefix: this.options.prefix ?? '' },
    });
    if (response.statusCode !== 200) throw await this.client.failure(response);
    await readText(response);
  }

  async sweep(options: SweepOptions): Promise<number> {
    let removed = 0;
    for await (const page of this.list()) {
      const old = page.filter(({ changed }) => Date.now() - changed >= options.minimumAgeMs).map(({ digest }) => digest);
      for (const digest of await unused(old, options)) {
        // The listing may be outdated: the package may have been uploaded again since.
        const changed = Date.parse((await this.headersOf(digest))?.['last-modified'] ?? '');
        if (Number.isNaN(changed) || Date.now() - changed < options.minimumAgeMs) continue;
        await this.remove(digest);
        removed += 1;
      }
    }
    return removed;
  }

  private async headersOf(sha256: string): Promise<IncomingHttpHeaders | null> {
    const response = await this.client.call({ method: 'HEAD', key: storageKeyOf(sha256) });
    response.resume();
    if (response.statusCode === 404) return null;
    if (response.statusCode !== 200) throw new StorageError('UNAVAILABLE', `HTTP ${response.statusCode}`);
    return response.headers;
  }

  /** Lists all packages under the prefix, page by page (ListObjectsV2). */
  private async *list(): AsyncGenerator<{ digest: string; changed: number }[]> {
    const { prefix = '' } = this.options;
    let token: string | undefined;
    do {
      const query = { 'list-type': '2', prefix, ...(token === undefined ? {} : { 'continuation-token': token }) };
      const response = await this.client.call({ method: 'GET', key: '', query });
      if (response.statusCode !== 200) throw await this.client.failure(response);
      const text = await readText(response);
      yield text
        .split('<Contents>')
        .slice(1)
        .flatMap((part) => objectIn(part, prefix));
      [token] = textsOf(text, 'NextContinuationToken');
    } while (token !== undefined);
  }
}

/** Forwards the response and yields to the event loop regularly, however fast the service is. */
async function* inTurns(response: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    yield chunk;
    bytes += chunk.length;
    if (bytes < TURN_BYTES) continue;
    bytes = 0;
    await turn();
  }
}

function objectIn(part: string, prefix: string): { digest: string; changed: number }[] {
  const [key] = textsOf(part, 'Key');
  const changed = Date.parse(textsOf(part, 'LastModified')[0] ?? '');
  const digest = key?.startsWith(prefix)
    ? /^[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})\.zip$/.exec(key.slice(prefix.length))?.[1]
    : undefined;
  return digest === undefined || Number.isNaN(changed) ? [] : [{ digest, changed }];
}
