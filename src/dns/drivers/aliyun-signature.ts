import { createHmac } from 'node:crypto';

/** What a request says, before and after it is signed. */
export type AliyunFields = Readonly<Record<string, string>>;

/**
 * The signature of a request of Aliyun's RPC style: HMAC-SHA1 over its fields in the order of their names.
 *
 * Source: help.aliyun.com/document_detail/29819.html
 */
export function aliyunSignature(method: 'GET' | 'POST', fields: AliyunFields, secret: string): string {
  const query = Object.keys(fields)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(fields[name]!)}`)
    .join('&');
  return createHmac('sha1', `${secret}&`)
    .update(`${method}&${encoded('/')}&${encoded(query)}`)
    .digest('base64');
}

/** Everything but letters, digits and `-_.~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
