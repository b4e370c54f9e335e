import { createHash, createHmac } from 'node:crypto';

/** Signed parts of a Tencent Cloud API 3.0 request. */
export interface Tc3Request {
  readonly secretId: string;
  readonly secretKey: string;
  /** Such as `dnspod`. */
  readonly service: string;
  readonly host: string;
  readonly contentType: string;
  readonly payload: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** Returns the `Authorization` header of a POST request, using TC3-HMAC-SHA256 over host, content type and payload. */
export function tc3Authorization({ secretId, secretKey, service, host, contentType, payload, timestamp }: Tc3Request): string {
  const day = new Date(timestamp * 1_000).toISOString().slice(0, 10);
  const headers = `content-type:${contentType}\nhost:${host}\n`;
  const canonical = ['POST', '/', '', headers, 'content-type;host', sha256(payload)].join('\n');
  const scope = `${day}/${service}/tc3_request`;
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), service), 'tc3_request');
  const signature = createHmac('sha256', key)
    .update(['TC3-HMAC-SHA256', String(timestamp), scope, sha256(canonical)].join('\n'))
    .digest('hex');
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
