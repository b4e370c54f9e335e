import type { UploadedFile } from '../sdk/index.js';

import { BodyError } from './body-error.js';
import type { BodyIntake } from './body-intake.js';
import { FormFields, MAX_FIELDS, MAX_KEY_DEPTH, MAX_KEY_LENGTH } from './form-fields.js';
import { orMalformed, parseJsonObject } from './json-object.js';
import { collected, readMultipart } from './multipart.js';

/** Limits of a multipart body. */
export interface MultipartLimits {
  /** Maximum number of files; 20 by default. */
  readonly files?: number;
  /** Bytes of one file; 16 MiB by default. */
  readonly fileBytes?: number;
  /** Bytes of all parts including their headers; 64 MiB by default, 16 MiB for anonymous callers. */
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
 * Parses the fields of a JSON body as texts: numbers and booleans as JavaScript writes them (whole numbers are exact up to 2^53), nested
 * values as JSON text; null is omitted. An empty body is an empty record. The record has no prototype.
 *
 * @throws BodyError `BODY_MALFORMED` if it is not a JSON object, `BODY_TOO_LARGE` if it has too many fields or too long names.
 */
export function parseJsonBody(body: Buffer): Record<string, string> {
  const record = Object.create(null) as Record<string, string>;
  if (body.length === 0) return record;
  const entries = Object.entries(parseJsonObject(body));
  if (entries.length > MAX_FIELDS) throw new BodyError('BODY_TOO_LARGE');
  for (const [key, value] of entries as [string, unknown][]) {
    if (key.length > MAX_KEY_LENGTH) throw new BodyError('BODY_TOO_LARGE');
    if (value === null) continue;
    // Serializing a value nested some ten thousand levels deep overflows the stack.
    record[key] = typeof value === 'object' ? orMalformed(() => JSON.stringify(value)) : String(value);
  }
  return record;
}

/**
 * Parses fields and files of a `multipart/form-data` request; files are kept in memory.
 *
 * @param intake of a request, with `totalBytes` as its limit
 * @throws BodyError `BODY_TOO_LARGE` when a limit is exceeded, `BODY_BUSY`, `BODY_ABORTED`, or `BODY_MALFORMED`.
 */
export async function parseMultipart(
  intake: BodyIntake,
  { files = 20, fileBytes = 16 * MEBIBYTE }: MultipartLimits = {},
): Promise<MultipartBody> {
  const fields = new FormFields();
  const collect = collected(fileBytes, () => new BodyError('BODY_TOO_LARGE'));
  const received = await readMultipart<UploadedFile>(intake, {
    inMemory: true,
    limits: {
      files,
      fileSize: fileBytes + 1,
      fields: MAX_FIELDS,
      fieldNameSize: MAX_KEY_LENGTH,
      fieldNestingDepth: MAX_KEY_DEPTH,
      // Multer builds its own arrays from the names, and iterates over each up to its largest index.
      fieldArrayIndexLimit: MAX_FIELDS,
    },
    // Multer turns bracket names into nested objects; the raw fields are used instead.
    field: (name, value) => fields.add(name, value),
    receive: async (file, signal) => {
      const buffer = await collect(file, signal);
      return { fieldname: file.field, originalname: file.name, mimetype: file.type, size: buffer.length, buffer };
    },
  });
  return { fields: fields.record(), files: received };
}
