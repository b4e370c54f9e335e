import multer from 'multer';

import { BodyError, readMultipart, type ArrivingFile } from '../../http/index.js';
import { StoreError } from '../errors.js';
import { StorageError } from '../packages/index.js';

import type { StoreRequest } from '../call/index.js';

/** What the fields of a form may measure; the file has its own limit. */
const LIMITS = { files: 1, fields: 30, fieldSize: 128 * 1024, fieldNameSize: 60, parts: 40, headerPairs: 20 } as const;
/** Bytes of everything but the file. */
const FIELD_BYTES = 1024 * 1024;

/** Limits and handlers for the one file of a multipart form. */
export interface FilePlan<Received> {
  /** Name of its field. */
  readonly field: string;
  /** Most bytes. */
  readonly maxBytes: number;
  /** What a file of more bytes is refused with. */
  readonly tooLarge: () => Error;
  /** Whether it stays in memory. */
  readonly inMemory: boolean;
  /** Takes the file as it comes, and fails with StorageError TOO_LARGE, or what `tooLarge` makes, at the first byte too many. */
  readonly receive: (file: ArrivingFile, signal: AbortSignal) => Promise<Received>;
  /** Takes away what was received, because something else was wrong. */
  readonly discard?: (received: Received) => Promise<void>;
}

/** A form with a file. */
export interface FileForm<Received> {
  /** Of a field given twice the first counts. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Received | null;
}

/**
 * Reads a `multipart/form-data` request whose file is taken while it comes. Whatever is wrong with the request, nothing of the file
 * is left when this fails.
 *
 * @throws BodyError BODY_TOO_LARGE, BODY_BUSY, BODY_MALFORMED, BODY_ABORTED
 * @throws StoreError INVALID (a file in another field, more than one); what `tooLarge` makes
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
  // The form as a whole is larger than its file may be.
  return error.code === 'BODY_TOO_LARGE' ? plan.tooLarge() : error;
}
