import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Response as received, compressed or not. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The decompressed body. */
  readonly text: string;
}

/** Sends a request without automatic decompression; the path is sent exactly as given. */
export function rawAnswer(base: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: res.statusCode!,
          headers: res.headers,
          bytes,
          text: unpacked(bytes, res.headers['content-encoding']).toString(),
        });
      });
    })
      .on('error', reject)
      .end();
  });
}

function unpacked(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0 || coding === undefined) return bytes;
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}
