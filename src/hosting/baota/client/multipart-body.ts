import { randomBytes } from 'node:crypto';

/** Encodes a form with one file. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly bytes: Buffer },
): { type: string; body: Buffer } {
  const boundary = `----svc${randomBytes(12).toString('hex')}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; ` +
    'filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n';
  const body = Buffer.concat([Buffer.from(parts.join('') + head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}
