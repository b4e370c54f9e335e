/** What a proof may be, by what its bytes say. */
export const PROOF_TYPES = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', pdf: 'application/pdf' } as const;

/** One of {@link PROOF_TYPES}. */
export type ProofKind = keyof typeof PROOF_TYPES;

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
