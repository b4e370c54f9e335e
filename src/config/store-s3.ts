import type { Environment } from './environment.js';

/** The bucket of an S3-compatible service in which the store keeps packages. */
export interface StoreS3 {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://10.0.0.5:9000`; buckets are named in the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Before the names of objects; empty, or with a slash at its end. */
  readonly prefix: string;
}

const NEEDED = ['STORE_S3_ENDPOINT', 'STORE_S3_BUCKET', 'STORE_S3_ACCESS_KEY', 'STORE_S3_SECRET_KEY'] as const;
const OPTIONAL = ['STORE_S3_REGION', 'STORE_S3_PREFIX'] as const;

/**
 * What the variables `STORE_S3_…` say; null where none is set.
 *
 * @param problems takes what is missing or wrong
 */
export function storeS3(source: Environment, problems: string[]): StoreS3 | null {
  if (![...NEEDED, ...OPTIONAL].some((name) => source[name] !== undefined)) return null;
  const missing = NEEDED.filter((name) => source[name] === undefined);
  if (missing.length > 0) {
    problems.push(
      `${missing.join(', ')} missing: set ${NEEDED.join(', ')} to keep packages in a bucket, or no STORE_S3_… at all to keep them in DATA_DIR`,
    );
    return null;
  }
  const endpoint = URL.canParse(source.STORE_S3_ENDPOINT!) ? new URL(source.STORE_S3_ENDPOINT!) : null;
  if (!endpoint || endpoint.username || endpoint.password || endpoint.search || endpoint.hash) {
    problems.push(
      'STORE_S3_ENDPOINT must be the address of the service without bucket, credentials and query, such as https://s3.eu-central-1.amazonaws.com',
    );
    return null;
  }
  const prefix = (source.STORE_S3_PREFIX ?? '').replace(/\/+$/, '');
  return {
    endpoint: source.STORE_S3_ENDPOINT!.replace(/\/+$/, ''),
    bucket: source.STORE_S3_BUCKET!,
    region: source.STORE_S3_REGION ?? 'us-east-1',
    accessKeyId: source.STORE_S3_ACCESS_KEY!,
    secretAccessKey: source.STORE_S3_SECRET_KEY!,
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}
