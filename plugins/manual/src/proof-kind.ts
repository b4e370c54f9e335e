/** Accepted file types. */
export const PROOF_TYPES = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', pdf: 'application/pdf' } as const;

/** One of {@link PROOF_TYPES}. */
export type ProofKind = keyof typeof PROOF_TYPES;

const BEGINNINGS: readonly (readonly [ProofKind, RegExp])[] = [
  ['jpg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
  ['pdf', /^%PDF-\d/],
];

/** Detects a file's type by its first bytes, ignoring its name and declared type. */
export function proofKindOf(content: Buffer): ProofKind | null {
  const beginning = content.subarray(0, 16).toString('latin1');
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null;
}
