import multer from 'multer';

import { BodyError, readMultipart, type ArrivingFile } from '../../http/index.js';
import { StoreError } from '../errors.js';
import { StorageError } from '../packages/index.js';

import type { StoreRequest } from '../call/index.js';

/** Limits of the form fields; the file has its own limit. */
const LIMITS = { files: 1, fields: 30, fieldSize: 128 * 1024, fieldNameSize: 60, parts: 40, headerPairs: 20 } as const;
/** Maximum bytes of everything except the file. */
const FIELD_BYTES = 1024 * 1024;

/** Limits and handlers for the one file of a multipart form. */
export interface FilePlan<Received> {
  /** Name of its field. */
  readonly field: string;
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  /** Makes the error for a file over the limit. */
  readonly tooLarge: () => Error;
  /** Whether the file is buffered in memory. */
  readonly inMemory: boolean;
  /** Consumes the file stream; fails with StorageError TOO_LARGE, or the error of `tooLarge`, at the first byte over the limit. */
  readonly receive: (file: ArrivingFile, signal: AbortSignal) => Promise<Received>;
  /** Removes the received file if the request fails afterwards. */
  readonly discard?: (received: Received) => Promise<void>;
}

/** A parsed form with a file. */
export interface FileForm<Received> {
  /** Of repeated fields the first counts. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Received | null;
}

/**
 * Reads a `multipart/form-data` request and processes its file as a stream. If anything fails, nothing of the file remains.
 *
 * @throws BodyError BODY_TOO_LARGE, BODY_BUSY, BODY_MALFORMED, BODY_ABORTED
 * @throws StoreError INVALID (a file in another field, or more than one); the error of `tooLarge`
 */
export async function readFileForm<Received>(req: StoreRequest, plan: FilePlan<Received>): Promise<FileForm<Received>> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  try {
    const [file] = await readMultipart<Received>(req.admit!(plan.maxBytes + FIELD_BYTES), {
      limits: { ...LIMITS, fileSize: plan.maxBytes + 1 },
      only: plan.field,
      inMemory: plan.inMemory,
      field: (name, value) => {
        if (!(name in fields)) fields[name] = value;
      },
      receive: plan.receive,
      discard: plan.discard,
    });
    return { fields, file: file ?? null };
  } catch (error) {
    throw refusalOf(error, plan);
  }
}

function refusalOf<Received>(error: unknown, plan: FilePlan<Received>): unknown {
  if (error instanceof StorageError) {
    if (error.code === 'TOO_LARGE') return plan.tooLarge();
    return error.code === 'ABORTED' ? new BodyError('BODY_ABORTED', { cause: error }) : error;
  }
  if (!(error instanceof BodyError)) return error;
  const { cause } = error;
  if (cause instanceof multer.MulterError) {
    if (cause.code === 'LIMIT_FILE_COUNT') return new StoreError('ONE_FILE_ONLY');
    if (cause.code === 'LIMIT_UNEXPECTED_FILE') return new StoreError('FIELD_INVALID', { field: (cause.field ?? plan.field).slice(0, 60) });
    if (cause.code === 'LIMIT_FILE_SIZE') return plan.tooLarge();
    return error;
  }
  // The whole form is larger than its file may be.
  return error.code === 'BODY_TOO_LARGE' ? plan.tooLarge() : error;
}
