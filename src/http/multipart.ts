import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';

import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';

import { BodyError } from './body-error.js';
import type { BodyIntake } from './body-intake.js';
import { ChunkList } from './chunk-list.js';

/** A file of a form, as it comes. */
export interface ArrivingFile {
  /** Name of its field. */
  readonly field: string;
  /** As its sender calls it. */
  readonly name: string;
  readonly type: string;
  readonly stream: Readable;
}

/** Limits and handlers that a multipart form is read with. */
export interface MultipartPlan<Received> {
  readonly limits: multer.Options['limits'];
  /** Whether files stay in memory too; fields always do. */
  readonly inMemory: boolean;
  /** Takes a field; what it throws refuses the form. */
  readonly field: (name: string, value: string) => void;
  /** Takes a file as it comes; `signal` says that the form is refused. */
  readonly receive: (file: ArrivingFile, signal: AbortSignal) => Promise<Received>;
  /** Takes away what was received, because something else was wrong. */
  readonly discard?: (received: Received) => Promise<void>;
  /** The one field that may hold a file, and one only; any where nothing is given. */
  readonly only?: string;
}

/**
 * Reads a `multipart/form-data` request whose files are taken while they come. Whatever is wrong with it, nothing that was received is
 * left when this fails.
 *
 * @returns what `receive` made of each file
 * @throws BodyError BODY_TOO_LARGE, BODY_BUSY, BODY_MALFORMED, BODY_ABORTED, with multer's own error as the cause where it is one; what
 * the functions of the plan throw
 */
export async function readMultipart<Received>(intake: BodyIntake, plan: MultipartPlan<Received>): Promise<Received[]> {
  const { req } = intake;
  const refused = new AbortController();
  // One for each file.
  setMaxListeners(0, refused.signal);
  const onClose = (): void => {
    if (!req.complete) refused.abort();
  };
  req.once('close', onClose);
  const receiving: Promise<Received>[] = [];
  try {
    intake.begin();
    await parse(intake, plan, refused.signal, receiving);
    return await Promise.all(receiving);
  } catch (error) {
    refused.abort();
    for (const result of await Promise.allSettled(receiving)) {
      if (result.status === 'fulfilled') await plan.discard?.(result.value);
    }
    await intake.refuse();
    throw error;
  } finally {
    req.off('close', onClose);
    // What follows may take longer than its sender has reason to say anything.
    intake.end();
  }
}

function parse<Received>(
  intake: BodyIntake,
  plan: MultipartPlan<Received>,
  signal: AbortSignal,
  receiving: Promise<Received>[],
): Promise<void> {
  const { req } = intake;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new BodyError('BODY_ABORTED')), { once: true });
    let started = false;
    const storage: StorageEngine = {
      _handleFile: (_req, file, done) => {
        const work = plan.receive({ field: file.fieldname, name: file.originalname, type: file.mimetype, stream: file.stream }, signal);
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
      const refuse = (error: unknown): void => {
        // Before multer has drained the rest of the request: that may take the client any time it likes.
        reject(error as Error);
        parser.destroy(error as Error);
      };
      source.on('data', (chunk: Buffer) => {
        try {
          intake.arrived(chunk.length);
          if (plan.inMemory) intake.hold(chunk.length);
        } catch (error) {
          refuse(error);
        }
      });
      // Multer makes objects of names with brackets; the fields are taken as they come.
      parser.on('field', (name: string | undefined, value: string) => {
        try {
          if (!plan.inMemory) intake.hold(value.length);
          plan.field(name ?? '', value);
        } catch (error) {
          refuse(error);
        }
      });
      source.pipe(parser);
    };
    const upload = multer({ storage, defParamCharset: 'utf8', limits: plan.limits, streamHandler } as multer.Options);
    const parseForm = plan.only === undefined ? upload.any() : upload.single(plan.only);
    parseForm(req as Request, {} as Response, (error?: unknown) => {
      if (error) reject(bodyErrorOf(error, req));
      // Multer passes over a request whose content type is not multipart.
      else if (started) resolve();
      else reject(new BodyError('BODY_MALFORMED'));
    });
  });
}

function bodyErrorOf(cause: unknown, req: IncomingMessage): BodyError {
  if (cause instanceof BodyError) return cause;
  if (cause instanceof multer.MulterError)
    return new BodyError(cause.code.startsWith('LIMIT_') ? 'BODY_TOO_LARGE' : 'BODY_MALFORMED', { cause });
  return new BodyError(req.destroyed && !req.complete ? 'BODY_ABORTED' : 'BODY_MALFORMED', { cause });
}

/**
 * A `receive` that keeps files in memory.
 *
 * @param maxBytes of one file; limits of multer's own should be larger, since it lets a client finish before it says anything
 * @param tooLarge what a file of more bytes is refused with
 */
export function collected(maxBytes: number, tooLarge: () => Error) {
  return async ({ stream }: ArrivingFile, signal: AbortSignal): Promise<Buffer> => {
    const chunks = new ChunkList();
    const stop = (): void => void stream.destroy(new BodyError('BODY_ABORTED'));
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (chunks.size + chunk.length > maxBytes) throw tooLarge();
        chunks.add(chunk);
      }
      return chunks.take();
    } catch (error) {
      chunks.drop();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
