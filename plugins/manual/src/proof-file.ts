import type { UploadedFile } from '@svc/sdk';

/** Most bytes of a proof: a photo of a phone fits. */
export const MOST_PROOF_BYTES = 5 * 1024 * 1024;

/** What a proof may be, by what its bytes say. */
export const PROOF_TYPES = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', pdf: 'application/pdf' } as const;

/** One of {@link PROOF_TYPES}. */
export type ProofKind = keyof typeof PROOF_TYPES;

/** A file that can be kept. */
export interface ProofFile {
  readonly kind: ProofKind;
  readonly content: Buffer;
}

const BEGINNINGS: readonly (readonly [ProofKind, RegExp])[] = [
  ['jpg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
  ['pdf', /^%PDF-\d/],
];

/** What a file is by its first bytes; what its sender calls it counts for nothing. */
export function proofKindOf(content: Buffer): ProofKind | null {
  const beginning = content.subarray(0, 16).toString('latin1');
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null;
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
