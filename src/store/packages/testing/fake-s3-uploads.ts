import { createHash } from 'node:crypto';

/** Response to a multipart request; `text` is the error code of a rejection. */
interface UploadAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

/** Entries per list page. */
const PAGE = 2;

/** Multipart uploads of the fake S3: lists in pages of two and rejects completion with missing parts. */
export class FakeS3Uploads {
  readonly open = new Map<string, Upload>();
  /** Numbers of the received parts, in order. */
  readonly received: number[] = [];
  /** Number of parts to answer with 503. */
  failParts = 0;
  /** Completes the object but reports a failure. */
  loseEnd = false;
  private count = 0;

  /** @param kept called with each completed object */
  constructor(private readonly kept: (key: string, content: Buffer) => void) {}

  /** @returns null for requests unrelated to multipart uploads */
  answer(method: string, key: string, query: URLSearchParams, body: Buffer): UploadAnswer | null {
    if (query.has('uploads')) return method === 'POST' ? this.begin(key) : this.list(query);
    const id = query.get('uploadId');
    if (id === null) return null;
    const upload = this.open.get(id);
    if (upload?.key !== key) return { status: 404, text: 'NoSuchUpload' };
    if (method === 'PUT') return this.take(upload, Number(query.get('partNumber')), body);
    if (method === 'GET') return this.parts(upload, Number(query.get('part-number-marker') ?? 0));
    if (method === 'DELETE') return this.open.delete(id) ? { status: 204, text: '' } : null;
    return this.complete(id, upload, body.toString());
  }

  private begin(key: string): UploadAnswer {
    const id = `upload/${(this.count += 1)}+&`;
    this.open.set(id, { key, parts: new Map() });
    return { status: 200, text: `<InitiateMultipartUploadResult><UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>` };
  }

  private take({ parts }: Upload, number: number, body: Buffer): UploadAnswer {
    if (this.failParts > 0) {
      this.failParts -= 1;
      return { status: 503, text: 'SlowDown' };
    }
    parts.set(number, body);
    this.received.push(number);
    return { status: 200, text: '', headers: { etag: tagOf(body) } };
  }

  private list(query: URLSearchParams): UploadAnswer {
    const after = query.get('upload-id-marker') ?? '';
    const found = [...this.open]
      .filter(([id, { key }]) => key.startsWith(query.get('prefix') ?? '') && id > after)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const page = found.slice(0, PAGE);
    const rows = page.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${escaped(id)}</UploadId></Upload>`);
    const last = page.at(-1);
    const next = last ? `<NextKeyMarker>${last[1].key}</NextKeyMarker><NextUploadIdMarker>${escaped(last[0])}</NextUploadIdMarker>` : '';
    return listed('ListMultipartUploadsResult', rows, next, found.length > PAGE);
  }

  private parts({ parts }: Upload, after: number): UploadAnswer {
    const found = [...parts].filter(([number]) => number > after).sort(([one], [other]) => one - other);
    const page = found.slice(0, PAGE);
    const rows = page.map(
      ([number, body]) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(tagOf(body))}</ETag><Size>${body.length}</Size></Part>`,
    );
    const next = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker>`;
    return listed('ListPartsResult', rows, next, found.length > PAGE);
  }

  private complete(id: string, { key, parts }: Upload, xml: string): UploadAnswer {
    const named = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const bodies = named.map(([, number, etag]) => {
      const body = parts.get(Number(number));
      return body && tagOf(body) === etag ? body : null;
    });
    // Like real services with slow completion: the status 200 is sent before the result is known.
    if (named.length === 0 || bodies.includes(null)) return { status: 200, text: '<Error><Code>InvalidPart</Code></Error>' };
    this.kept(key, Buffer.concat(bodies as Buffer[]));
    this.open.delete(id);
    return this.loseEnd ? { status: 500, text: 'InternalError' } : { status: 200, text: '<CompleteMultipartUploadResult/>' };
  }
}

const tagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function listed(root: string, rows: readonly string[], next: string, more: boolean): UploadAnswer {
  return { status: 200, text: `<${root}><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</${root}>` };
}
