import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';

import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';

import { StoreError } from '../errors.js';
import { StorageError } from '../packages/index.js';

/** What the fields of a form may measure; the file has its own limit. */
const LIMITS = { files: 1, fields: 30, fieldSize: 128 * 1024, fieldNameSize: 60, parts: 40, headerPairs: 20 } as const;
/** Bytes of everything but the file. */
const FIELD_BYTES = 1024 * 1024;

/** How long a client may send nothing while its form is read, in milliseconds. */
const IDLE_MS = 30_000;

/** What is done with the one file of a form. */
export interface FilePlan<Received> {
  /** Name of its field. */
  readonly field: string;
  /** Most bytes. */
  readonly maxBytes: number;
  /** What a file of more bytes is refused with. */
  readonly tooLarge: () => Error;
  /** Takes the file as it comes, and fails with StorageError TOO_LARGE at the first byte too many. */
  readonly receive: (stream: Readable, signal: AbortSignal, name: string) => Promise<Received>;
  /** Takes away what was received, because something else was wrong. */
  readonly discard: (received: Received) => Promise<void>;
  /** How long its sender may send nothing before being cut off, in milliseconds; 30,000 where nothing is given. */
  readonly idleMs?: number;
}

/** A form with a file. */
export interface MultipartForm<Received> {
  /** Of a field given twice the first counts. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Received | null;
}

/**
 * Reads a `multipart/form-data` request whose file is taken while it comes. Whatever is wrong with the request, nothing of the file
 * is left when this fails.
 *
 * @throws StoreError BODY_TOO_LARGE, BODY_MALFORMED, INVALID (a file in another field, more than one); what `tooLarge` makes
 */
export async function readMultipart<Received>(req: IncomingMessage, plan: FilePlan<Received>): Promise<MultipartForm<Received>> {
  const ended = new AbortController();
  const onClose = (): void => {
    if (!req.complete) ended.abort();
  };
  req.once('close', onClose);
  // Node cuts off what takes five minutes; one that sends nothing at all need not hold its place for so long.
  req.socket.setTimeout(plan.idleMs ?? IDLE_MS);
  const receiving: Promise<Received>[] = [];
  try {
    const fields = await parse(req, plan, ended.signal, receiving);
    return { fields, file: (await receiving[0]) ?? null };
  } catch (error) {
    ended.abort();
    for (const result of await Promise.allSettled(receiving)) {
      if (result.status === 'fulfilled') await plan.discard(result.value);
    }
    req.unpipe();
    throw refusalOf(error, plan);
  } finally {
    req.off('close', onClose);
    // What follows may take longer than its sender has reason to say anything.
    req.socket.setTimeout(0);
  }
}

function parse<Received>(req: IncomingMessage, plan: FilePlan<Received>, signal: AbortSignal, receiving: Promise<Received>[]): Promise<Record<string, string>> {
  const most = plan.maxBytes + FIELD_BYTES;
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > most) return reject(new StorageError('TOO_LARGE', 'by its length'));
    signal.addEventListener('abort', () => reject(new StoreError('BODY_MALFORMED')), { once: true });
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    let started = false;
    const storage: StorageEngine = {
      _handleFile: (_req, file, done) => {
        const work = plan.receive(file.stream, signal, file.originalname);
        receiving.push(work);
        work.then(
          () => done(null, {}),
          (error: unknown) => {
            // At once: multer waits for the client to send the rest first.
            reject(error as Error);
            done(error);
          },
        );
      },
      _removeFile: (_req, _file, done) => done(null),
    };
    const streamHandler = (source: IncomingMessage, parser: Writable): void => {
      started = true;
      let size = 0;
      source.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > most) reject(new StorageError('TOO_LARGE', 'by what came'));
      });
      // Multer makes objects of names with brackets; the fields are taken as they come.
      parser.on('field', (name: string | undefined, value: string) => {
        if (name !== undefined && !(name in fields)) fields[name] = value;
      });
      source.pipe(parser);
    };
    const upload = multer({ storage, defParamCharset: 'utf8', limits: { ...LIMITS, fileSize: plan.maxBytes + 1 }, streamHandler } as multer.Options);
    upload.single(plan.field)(req as Request, {} as Response, (error?: unknown) => {
      if (error) reject(error as Error);
      else if (started) resolve(fields);
      else reject(new StoreError('BODY_MALFORMED'));
    });
  });
}

function refusalOf<Received>(error: unknown, plan: FilePlan<Received>): unknown {
  if (error instanceof StorageError) {
    if (error.code === 'TOO_LARGE') return plan.tooLarge();
    return error.code === 'ABORTED' ? new StoreError('BODY_MALFORMED', {}, undefined, { cause: error }) : error;
  }
  if (error instanceof StoreError) return error;
  if (error instanceof multer.MulterError) {
    if (error.code === 'LIMIT_FILE_COUNT') return StoreError.invalid('store.one_file_only');
    if (error.code === 'LIMIT_UNEXPECTED_FILE') return StoreError.invalid('store.field_invalid', { field: (error.field ?? plan.field).slice(0, 60) });
    if (error.code === 'LIMIT_FILE_SIZE') return plan.tooLarge();
    return new StoreError(error.code.startsWith('LIMIT_') ? 'BODY_TOO_LARGE' : 'BODY_MALFORMED', {}, undefined, { cause: error });
  }
  return new StoreError('BODY_MALFORMED', {}, undefined, { cause: error });
}
