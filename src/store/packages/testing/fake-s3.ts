import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FakeS3Uploads } from './fake-s3-uploads.js';

/** Credentials and bucket that {@link FakeS3} accepts. */
export const FAKE_S3 = { accessKeyId: 'TESTACCESS', secretAccessKey: 'test/secret+key', region: 'test-1', bucket: 'store' } as const;

/** In-memory S3 service: verifies every signature and digest, supports ranges, lists in pages of two. */
export class FakeS3 {
  readonly objects = new Map<string, { content: Buffer; changed: Date }>();
  /** Error codes of rejected requests. */
  readonly refusals: string[] = [];
  /** Responds with this status instead. */
  fail: number | null = null;
  /** Responds 500 to GET requests for objects; HEAD still works. */
  failGets = false;
  /** Accepts requests but never responds. */
  hangs = false;
  /** Drops the connection after this many bytes of an object were sent or received. */
  breakAfter: number | null = null;
  /** Multipart uploads. */
  readonly uploads = new FakeS3Uploads((key, content) => this.objects.set(key, { content, changed: new Date() }));

  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (this.breakAfter !== null && size > this.breakAfter) request.destroy();
      })
      .on('end', () => {
        if (!this.hangs) this.answer(request, Buffer.concat(chunks), response);
      })
      .on('error', () => undefined);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const send = (status: number, content: Buffer | string = '', headers: Record<string, string | number> = {}): void => {
      response.writeHead(status, { 'content-length': Buffer.byteLength(content), ...headers });
      if (request.method === 'HEAD') return void response.end();
      if (this.breakAfter === null || content.length <= this.breakAfter) return void response.end(content);
      response.write(content.slice(0, this.breakAfter), () => response.destroy());
    };
    const refuse = (status: number, code: string): void => {
      this.refusals.push(code);
      send(status, `<Error><Code>${code}</Code></Error>`);
    };
    if (this.fail !== null || (this.failGets && request.method === 'GET')) return refuse(this.fail ?? 500, 'InternalError');
    const url = new URL(request.url!, 'http://s3');
    const isPresigned = url.searchParams.has('X-Amz-Signature');
    if (!(isPresigned ? presignedRight(request, url) : signedRight(request))) return refuse(403, 'SignatureDoesNotMatch');
    if (!isPresigned && createHash('sha256').update(body).digest('hex') !== request.headers['x-amz-content-sha256'])
      return refuse(400, 'XAmzContentSHA256Mismatch');
    const key = decodeURIComponent(url.pathname.slice(`/${FAKE_S3.bucket}/`.length));
    const ofParts = this.uploads.answer(request.method!, key, url.searchParams, body);
    if (ofParts) return ofParts.status < 400 ? send(ofParts.status, ofParts.text, ofParts.headers) : refuse(ofParts.status, ofParts.text);
    if (url.searchParams.has('list-type')) return send(200, this.list(url.searchParams));
    if (request.method === 'PUT') this.objects.set(key, { content: body, changed: new Date() });
    if (request.method === 'DELETE') this.objects.delete(key);
    if (request.method === 'PUT' || request.method === 'DELETE') return send(request.method === 'PUT' ? 200 : 204);
    const object = this.objects.get(key);
    if (!object) return refuse(404, 'NoSuchKey');
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const { content } = object;
    const headers = { 'last-modified': object.changed.toUTCString() };
    if (!range) return send(200, content, headers);
    const [start, end] = [Number(range[1]), Math.min(Number(range[2] || Infinity), content.length - 1)];
    if (start > end) return refuse(416, 'InvalidRange');
    send(206, content.subarray(start, end + 1), { ...headers, 'content-range': `bytes ${start}-${end}/${content.length}` });
  }

  private list(query: URLSearchParams): string {
    const after = (query.get('continuation-token') ?? '').split('&')[0]!;
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort();
    const page = keys.slice(0, 2);
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><LastModified>${this.objects.get(key)!.changed.toISOString()}</LastModified></Contents>`,
    );
    const next = keys.length > 2 ? `<NextContinuationToken>${page[1]}&amp;=/+</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`;
  }
}

/** Verifies Signature Version 4 of the raw request, as a server does. */
function signedRight(request: IncomingMessage): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request,SignedHeaders=([\w;-]+),Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (!match) return false;
  const [, access, day, region, names, signature] = match as unknown as [string, string, string, string, string, string];
  const [path, query = ''] = request.url!.split('?');
  const lines = names.split(';').map((name) => `${name}:${String(request.headers[name])}\n`);
  const canonical =
    `${request.method}\n${path}\n${query.split('&').sort().join('&')}\n${lines.join('')}\n` +
    `${names}\n${String(request.headers['x-amz-content-sha256'])}`;
  const required = ['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.split(';').includes(name));
  const expected = signatureOf(canonical, String(request.headers['x-amz-date']), day, region);
  return access === FAKE_S3.accessKeyId && region === FAKE_S3.region && required && expected === signature;
}

/** Verifies the signature of a presigned URL. */
function presignedRight(request: IncomingMessage, { searchParams }: URL): boolean {
  const [path, query = ''] = request.url!.split('?');
  const [access, day, region] = (searchParams.get('X-Amz-Credential') ?? '').split('/') as [string, string, string];
  const date = searchParams.get('X-Amz-Date') ?? '';
  const signed = query.split('&').filter((pair) => !pair.startsWith('X-Amz-Signature='));
  const canonical =
    `${request.method}\n${path}\n${signed.sort().join('&')}\n` + `host:${String(request.headers.host)}\n\nhost\nUNSIGNED-PAYLOAD`;
  const began = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const isInTime = Date.now() < began + Number(searchParams.get('X-Amz-Expires')) * 1_000;
  const isOurs = access === FAKE_S3.accessKeyId && region === FAKE_S3.region && isInTime;
  return isOurs && signatureOf(canonical, date, day, region) === searchParams.get('X-Amz-Signature');
}

function signatureOf(canonical: string, date: string, day: string, region: string): string {
  const toSign = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${createHash('sha256').update(canonical).digest('hex')}`;
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const key = hmac(hmac(hmac(hmac(`AWS4${FAKE_S3.secretAccessKey}`, day), region), 's3'), 'aws4_request');
  return hmac(key, toSign).toString('hex');
}
