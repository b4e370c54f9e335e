import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';

import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';

import { BodyError } from './body-error.js';
import type { BodyIntake } from './body-intake.js';
import { ChunkList } from './chunk-list.js';

/** A file of a form while it is received. */
export interface ArrivingFile {
  /** Name of its form field. */
  readonly field: string;
  /** File name given by the client. */
  readonly name: string;
  readonly type: string;
  readonly stream: Readable;
}

/** Limits and handlers for reading a multipart form. */
export interface MultipartPlan<Received> {
  readonly limits: multer.Options['limits'];
  /** Whether files stay in memory as well; fields always do. */
  readonly inMemory: boolean;
  /** Receives a field; an error it throws rejects the form. */
  readonly field: (name: string, value: string) => void;
  /** Receives a file while it arrives; `signal` aborts when the form is rejected. */
  readonly receive: (file: ArrivingFile, signal: AbortSignal) => Promise<Received>;
  /** Removes a received file because another part of the form was invalid. */
  readonly discard?: (received: Received) => Promise<void>;
  /** The only field that may hold a file, and only one file; any field by default. */
  readonly only?: string;
}

/**
 * Reads a `multipart/form-data` request, handling files while they arrive. If it fails, everything received is discarded.
 *
 * @returns the results of `receive`, one per file
 * @throws BodyError BODY_TOO_LARGE, BODY_BUSY, BODY_MALFORMED, BODY_ABORTED, with multer's error as the cause if any; errors of the plan's
 *   functions
 */
export async function readMultipart<Received>(intake: BodyIntake, plan: MultipartPlan<Received>): Promise<Received[]> {
  const { req } = intake;
  const refused = new AbortController();
  // One listener per file.
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
    // The handler may take longer than the idle limit of its sender.
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
            // Immediately: multer first waits for the client to send the rest.
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
        // Before multer has drained the rest of the request, which may take arbitrarily long.
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
      // Multer builds objects from names with brackets; the raw fields are used instead.
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
      // Multer ignores a request whose content type is not multipart.
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
 * Returns a `receive` that keeps files in memory.
 *
 * @param maxBytes of one file; multer's own limits should be larger, since it lets a client finish before it reports
 * @param tooLarge creates the error for a larger file
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
