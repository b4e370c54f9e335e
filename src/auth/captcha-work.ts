import { createHash } from 'node:crypto';

/** Maximum length of the work: together with the answer it fits the 16 characters that store clients send. */
const MAX_WORK_LENGTH = 11;

/** Adds the required proof of work to the image: `data-work="18:challenge"`. @param bits 0 requires none */
export function withWork(svg: string, bits: number, challenge: string): string {
  return bits === 0 ? svg : svg.replace('<svg ', `<svg data-work="${bits}:${challenge}" `);
}

/**
 * Returns whether the SHA-256 of `challenge:work` begins with `bits` zero bits (hashcash). A browser finds such a text within a second;
 * a program that tries many captchas pays for each.
 */
export function isWorkDone(challenge: string, work: string, bits: number): boolean {
  if (bits === 0) return true;
  if (work.length === 0 || work.length > MAX_WORK_LENGTH) return false;
  const hash = createHash('sha256').update(`${challenge}:${work}`).digest();
  return hash.readUInt32BE(0) >>> (32 - bits) === 0;
}
