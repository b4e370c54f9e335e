import type { IncomingMessage } from 'node:http';

import { BodyError } from '../body-error.js';
import type { MultipartLimits } from '../body.js';

const MEBIBYTE = 1024 * 1024;
/** Bytes of multipart bodies that may be on their way into memory at once: of everybody, and of whoever is not signed in. */
const AT_ONCE = { known: 256 * MEBIBYTE, unknown: 32 * MEBIBYTE };
/** Most bytes of one body. */
const LARGEST = { known: 64 * MEBIBYTE, unknown: 16 * MEBIBYTE };

/** Keeps the multipart bodies that are being read from filling the memory, however many people send some. */
export class UploadBudget {
  private readonly taken = { known: 0, unknown: 0 };

  /**
   * Reads one body within the budget.
   *
   * @param isKnown whether the request is somebody's who is signed in
   * @throws BodyError BODY_TOO_LARGE, UPLOADS_BUSY; what `read` throws
   */
  async read<T>(req: IncomingMessage, isKnown: boolean, wanted: MultipartLimits, read: (limits: MultipartLimits) => Promise<T>): Promise<T> {
    const kind = isKnown ? 'known' : 'unknown';
    const totalBytes = Math.min(wanted.totalBytes ?? LARGEST[kind], LARGEST[kind]);
    const declared = Number(req.headers['content-length'] ?? totalBytes);
    if (declared > totalBytes) throw new BodyError('BODY_TOO_LARGE');
    if (this.taken[kind] + declared > AT_ONCE[kind]) throw new BodyError('UPLOADS_BUSY');
    this.taken[kind] += declared;
    try {
      return await read({ ...wanted, totalBytes });
    } finally {
      this.taken[kind] -= declared;
    }
  }
}
