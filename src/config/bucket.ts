import type { Environment } from './environment.js';

/** A bucket of an S3-compatible service. */
export interface Bucket {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://10.0.0.5:9000`; path-style addressing is used. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of object names; empty, or with a trailing slash. */
  readonly prefix: string;
}

/** Prefix of the bucket's variables, what the bucket stores, and the variable of its local alternative. */
const BUCKETS = {
  STORE: ['packages', 'DATA_DIR'],
  BACKUP: ['backups', 'BACKUP_DIR'],
} as const;
const NEEDED = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
const OPTIONAL = ['S3_REGION', 'S3_PREFIX'] as const;

/**
 * Reads the variables `STORE_S3_…` or `BACKUP_S3_…`; returns null if none is set.
 *
 * @param problems receives missing and invalid values
 */
export function bucketOf(owner: keyof typeof BUCKETS, source: Environment, problems: string[]): Bucket | null {
  const value = (name: (typeof NEEDED)[number] | (typeof OPTIONAL)[number]): string | undefined => source[`${owner}_${name}`];
  if (![...NEEDED, ...OPTIONAL].some((name) => value(name) !== undefined)) return null;
  const [what, otherwise] = BUCKETS[owner];
  const named = (names: readonly string[]): string => names.map((name) => `${owner}_${name}`).join(', ');
  const missing = NEEDED.filter((name) => value(name) === undefined);
  if (missing.length > 0) {
    problems.push(
      `${named(missing)} missing: set ${named(NEEDED)} to store ${what} in a bucket, ` +
        `or no ${owner}_S3_… variable to keep them in ${otherwise}`,
    );
    return null;
  }
  const given = value('S3_ENDPOINT')!;
  const endpoint = URL.canParse(given) ? new URL(given) : null;
  if (!endpoint || endpoint.username || endpoint.password || endpoint.search || endpoint.hash) {
    problems.push(
      `${owner}_S3_ENDPOINT must be the address of the service without bucket, ` +
        'credentials and query, such as https://s3.eu-central-1.amazonaws.com',
    );
    return null;
  }
  const prefix = (value('S3_PREFIX') ?? '').replace(/\/+$/, '');
  return {
    endpoint: given.replace(/\/+$/, ''),
    bucket: value('S3_BUCKET')!,
    region: value('S3_REGION') ?? 'us-east-1',
    accessKeyId: value('S3_ACCESS_KEY')!,
    secretAccessKey: value('S3_SECRET_KEY')!,
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}
