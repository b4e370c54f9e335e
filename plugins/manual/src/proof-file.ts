import type { UploadedFile } from '@svc/sdk';

import { proofKindOf, type ProofKind } from './proof-kind.js';

/** Most bytes of a proof: a photo of a phone fits. */
export const MOST_PROOF_BYTES = 5 * 1024 * 1024;

/** A file that can be kept. */
export interface ProofFile {
  readonly kind: ProofKind;
  readonly content: Buffer;
}

/** The one file of a form; null where none was chosen, the key of a text where it is none that is taken. */
export function readProof(files: readonly UploadedFile[]): ProofFile | null | 'file_kind' | 'file_size' | 'file_count' {
  const chosen = files.filter(({ size, originalname }) => size > 0 || originalname !== '');
  const [file] = chosen;
  if (!file) return null;
  if (chosen.length > 1) return 'file_count';
  if (file.size > MOST_PROOF_BYTES) return 'file_size';
  const kind = proofKindOf(file.buffer);
  return kind ? { kind, content: file.buffer } : 'file_kind';
}
