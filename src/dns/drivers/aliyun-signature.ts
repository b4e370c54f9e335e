import { createHmac } from 'node:crypto';

/** Parameters of a request. */
export type AliyunFields = Readonly<Record<string, string>>;

/** Returns the signature of a request in Aliyun's RPC style: HMAC-SHA1 over the sorted parameters. */
export function aliyunSignature(method: 'GET' | 'POST', fields: AliyunFields, secret: string): string {
  const query = Object.keys(fields)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(fields[name]!)}`)
    .join('&');
  return createHmac('sha1', `${secret}&`)
    .update(`${method}&${encoded('/')}&${encoded(query)}`)
    .digest('base64');
}

/** Percent-encodes everything except letters, digits and `-_.~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
