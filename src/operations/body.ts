import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

import type { Request, Response } from 'express';
import multer from 'multer';

import type { UploadedFile } from '../sdk/index.js';
import { BodyError } from './body-error.js';
import { FormFields, MAX_FIELDS, MAX_KEY_DEPTH, MAX_KEY_LENGTH } from './form-fields.js';

export { BodyError, type BodyErrorCode } from './body-error.js';
export { parseForm } from './form-fields.js';

/** Limits of a multipart body. */
export interface MultipartLimits {
  /** Most files; 20 where nothing is given. */
  readonly files?: number;
  /** Bytes of one file; 16 MiB where nothing is given. */
  readonly fileBytes?: number;
  /** Bytes of all parts together with their headers; 64 MiB where nothing is given. */
  readonly totalBytes?: number;
}

/** A parsed multipart body. */
export interface MultipartBody {
  /** See {@link FormFields}. */
  readonly fields: Record<string, string>;
  readonly files: readonly UploadedFile[];
}

const MEBIBYTE = 1024 * 1024;

/**
 * The whole body of a request. Refuses by `Content-Length` before reading anything where it can. What was not read is
 * left in the request: Node drains it once the answer is sent, so answer a refusal with `Connection: close`.
 *
 * @param limit most bytes.
 * @throws BodyError `BODY_TOO_LARGE`, or `BODY_ABORTED` when the client went away.
 */
export function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (declaredLength(req) > limit) return reject(new BodyError('BODY_TOO_LARGE'));
    if (req.destroyed || req.readableEnded) return reject(new BodyError('BODY_ABORTED'));
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) {
        req.pause();
        settle(() => reject(new BodyError('BODY_TOO_LARGE')));
      } else {
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const onGone = (cause?: Error): void => settle(() => reject(new BodyError('BODY_ABORTED', { cause })));
    const settle = (finish: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('close', onGone);
      finish();
    };
    // The error listener stays: an error after we are done (a reset while the answer is written) must not be uncaught.
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/**
 * Fields of a JSON body as texts: numbers and booleans as JavaScript writes them (whole numbers are exact up to 2^53), nested
 * values as JSON text; null is left out. An empty body is an empty record. The record has no prototype.
 *
 * @throws BodyError `BODY_MALFORMED` when it is no JSON object, `BODY_TOO_LARGE` when it has too many fields or too long names.
 */
export function parseJsonBody(body: Buffer): Record<string, string> {
  const record = Object.create(null) as Record<string, string>;
  if (body.length === 0) return record;
  const parsed = orMalformed((): unknown => JSON.parse(body.toString('utf8').replace(/^\uFEFF/, '')));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new BodyError('BODY_MALFORMED');
  const entries = Object.entries(parsed);
  if (entries.length > MAX_FIELDS) throw new BodyError('BODY_TOO_LARGE');
  for (const [key, value] of entries as [string, unknown][]) {
    if (key.length > MAX_KEY_LENGTH) throw new BodyError('BODY_TOO_LARGE');
    if (value === null) continue;
    // Writing what is nested some ten thousand levels deep overflows the stack.
    record[key] = typeof value === 'object' ? orMalformed(() => JSON.stringify(value)) : String(value);
  }
  return record;
}

/**
 * Fields and files of a `multipart/form-data` request; files are kept in memory.
 *
 * @throws BodyError `BODY_TOO_LARGE` when a limit is passed, `BODY_ABORTED`, or `BODY_MALFORMED`.
 */
export async function parseMultipart(req: IncomingMessage, limits: MultipartLimits = {}): Promise<MultipartBody> {
  const { files = 20, fileBytes = 16 * MEBIBYTE, totalBytes = 64 * MEBIBYTE } = limits;
  if (declaredLength(req) > totalBytes) throw new BodyError('BODY_TOO_LARGE');
  if (req.destroyed || req.readableEnded) throw new BodyError('BODY_ABORTED');
  return new Promise((resolve, reject) => {
    const fields = new FormFields();
    let started = false;
    const refuse = (error: BodyError, parser: Writable): void => {
      // Before multer has drained the rest of the request: that may take the client any time it likes.
      reject(error);
      parser.destroy(error);
    };
    const options = {
      storage: multer.memoryStorage(),
      defParamCharset: 'utf8',
      limits: {
        files,
        fileSize: fileBytes,
        fields: MAX_FIELDS,
        fieldNameSize: MAX_KEY_LENGTH,
        fieldNestingDepth: MAX_KEY_DEPTH,
        // Multer builds arrays of its own from the names, and walks each up to its largest index.
        fieldArrayIndexLimit: MAX_FIELDS,
      },
      streamHandler: (source: IncomingMessage, parser: Writable): void => {
        started = true;
        let size = 0;
        source.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > totalBytes) refuse(new BodyError('BODY_TOO_LARGE'), parser);
        });
        // Multer turns bracket names into nested objects; the fields are taken as they come instead.
        parser.on('field', (name: string | undefined, value: string) => {
          try {
            fields.add(name ?? '', value);
          } catch (error) {
            refuse(error as BodyError, parser);
          }
        });
        source.pipe(parser);
      },
    };
    const parse = multer(options).any();
    parse(req as Request, {} as Response, (error?: unknown) => {
      if (error) return reject(bodyErrorOf(error, req));
      // Multer passes over a request whose content type is not multipart.
      if (!started) return reject(new BodyError('BODY_MALFORMED'));
      const stored = ((req as Request).files ?? []) as Express.Multer.File[];
      resolve({
        fields: fields.record(),
        files: stored.map(({ fieldname, originalname, mimetype, size, buffer }) => ({ fieldname, originalname, mimetype, size, buffer })),
      });
    });
  });
}

function bodyErrorOf(cause: unknown, req: IncomingMessage): BodyError {
  if (cause instanceof BodyError) return cause;
  if (cause instanceof multer.MulterError) {
    return new BodyError(cause.code.startsWith('LIMIT_') ? 'BODY_TOO_LARGE' : 'BODY_MALFORMED', { cause });
  }
  return new BodyError(req.destroyed && !req.complete ? 'BODY_ABORTED' : 'BODY_MALFORMED', { cause });
}

function declaredLength(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

function orMalformed<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new BodyError('BODY_MALFORMED', { cause });
  }
}
