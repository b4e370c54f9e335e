import type { UploadedFile } from '@svc/sdk';

import { proofKindOf, type ProofKind } from './proof-kind.js';

/** Maximum size of a proof, in bytes: enough for a phone's photo. */
export const MAX_PROOF_BYTES = 5 * 1024 * 1024;

/** A valid proof file. */
export interface ProofFile {
  readonly kind: ProofKind;
  readonly content: Buffer;
}

/** Reads the single file of a form; null if none was chosen, the key of an error text if it is invalid. */
export function readProof(files: readonly UploadedFile[]): ProofFile | null | 'file_kind' | 'file_size' | 'file_count' {
  const chosen = files.filter(({ size, originalname }) => size > 0 || originalname !== '');
  const [file] = chosen;
  if (!file) return null;
  if (chosen.length > 1) return 'file_count';
  if (file.size > MAX_PROOF_BYTES) return 'file_size';
  const kind = proofKindOf(file.buffer);
  return kind ? { kind, content: file.buffer } : 'file_kind';
}
