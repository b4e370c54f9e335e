import { createHash, createHmac } from 'node:crypto';

/** Credentials that requests are signed with. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Such as `us-east-1`. */
  readonly region: string;
}

/** A request to sign. */
export interface S3Request {
  readonly method: string;
  /** Percent-encoded except for `A-Za-z0-9-._~/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Must contain `host`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, 64 hex digits. */
  readonly payloadSha256: string;
}

/** SHA-256 of an empty body. */
export const EMPTY_SHA256 = createHash('sha256').digest('hex');

/**
 * Signs a request for an S3-compatible service with Signature Version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html). Implemented here because the SDK brings some
 * eighty packages, and aws4fetch signs only `fetch` requests: these use Node's client, which keeps connections alive and streams
 * bodies of a known length.
 *
 * @returns the headers to send: the given ones, `x-amz-date`, `x-amz-content-sha256` and `authorization`
 */
export function signS3Request(request: S3Request, credentials: S3Credentials, time: Date): Record<string, string> {
  const { accessKeyId, secretAccessKey, region } = credentials;
  const amzDate = amzDateOf(time);
  const headers: Record<string, string> = { ...request.headers, 'x-amz-content-sha256': request.payloadSha256, 'x-amz-date': amzDate };
  const names = Object.keys(headers).sort();
  const signedHeaders = names.join(';');
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    request.payloadSha256,
  ].join('\n');
  const scope = scopeOf(amzDate, region);
  const signature = signatureOf(canonical, amzDate, scope, secretAccessKey);
  headers.authorization =
    'AWS4-HMAC-SHA256 ' + `Credential=${accessKeyId}/${scope.join('/')},SignedHeaders=${signedHeaders},Signature=${signature}`;
  return headers;
}

/** The request that a presigned URL allows. */
export interface PresignedRequest extends Pick<S3Request, 'method' | 'path'> {
  readonly host: string;
  /** In addition to the signature's parameters. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Signs a URL that can be used without credentials for a limited time
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
 *
 * @param seconds validity, 604,800 at most
 * @returns the query string of the URL
 */
export function presignS3Query(
  { method, path, host, query: own = {} }: PresignedRequest,
  { accessKeyId, secretAccessKey, region }: S3Credentials,
  time: Date,
  seconds: number,
): string {
  const amzDate = amzDateOf(time);
  const scope = scopeOf(amzDate, region);
  const query = canonicalQuery({
    ...own,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scope.join('/')}`,
    'X-Amz-Date': amzDate,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  });
  const canonical = [method, path, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  return `${query}&X-Amz-Signature=${signatureOf(canonical, amzDate, scope, secretAccessKey)}`;
}

/** Returns the query string as signed and sent. */
export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .sort()
    .map((name) => `${encodeS3(name)}=${encodeS3(query[name]!)}`)
    .join('&');
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
export function encodeS3(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

const amzDateOf = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const scopeOf = (amzDate: string, region: string): string[] => [amzDate.slice(0, 8), region, 's3', 'aws4_request'];

function signatureOf(canonical: string, amzDate: string, scope: readonly string[], secretAccessKey: string): string {
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', amzDate, scope.join('/'), createHash('sha256').update(canonical).digest('hex')].join('\n');
  return hmac(key, text).toString('hex');
}
