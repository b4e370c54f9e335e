import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { EMPTY_SHA256, presignS3Query, signS3Request, type S3Request } from './s3-signature.js';

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples: Signature Calculations"
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const time = new Date('2013-05-24T00:00:00Z');
const host = 'examplebucket.s3.amazonaws.com';
const get = (path: string, query: Record<string, string>, headers: Record<string, string> = {}): S3Request => ({
  method: 'GET',
  path,
  query,
  headers: { host, ...headers },
  payloadSha256: EMPTY_SHA256,
});
const put: S3Request = {
  method: 'PUT',
  path: '/test%24file.text',
  query: {},
  headers: { host, date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
  payloadSha256: createHash('sha256').update('Welcome to Amazon S3.').digest('hex'),
};

describe('signS3Request, by the published examples', () => {
  it.each([
    [
      'GET Object with a range',
      get('/test.txt', {}, { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    ['PUT Object', put, '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd'],
    ['GET Bucket Lifecycle', get('/', { lifecycle: '' }), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    [
      'GET Bucket (List Objects)',
      get('/', { prefix: 'J', 'max-keys': '2' }),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s', (_name, request, signature) => {
    expect(signS3Request(request, credentials, time).authorization).toContain(`Signature=${signature}`);
  });
});

// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html, "Example"
it('presignS3Query, by the published example', () => {
  expect(presignS3Query({ method: 'GET', path: '/test.txt', host }, credentials, time, 86_400)).toMatch(
    /&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404$/,
  );
});
