import type { PackageContents, PackageEntry } from '../../../packaging/index.js';

/**
 * Above this share of non-ASCII bytes a file is either UTF-8 or GBK text, or binary; European texts have less. Perl's -T uses the same
 * limit.
 */
const MAX_NON_TEXT_SHARE = 0.3;
/** GBK decodes unassigned bytes to these. */
const PRIVATE_USE = /[\ue000-\uf8ff]/;

/** Control characters except tab, line breaks and escape. */
const isControl = (byte: number): boolean => byte === 0x7f || (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b);

/** Decides from a stream of bytes whether a file is readable text. */
export class OpaqueContent {
  private size = 0;
  private controls = 0;
  private foreign = 0;
  private hasNul = false;

  /** Adds the next chunk. */
  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.hasNul || (this.hasNul = chunk.includes(0))) return;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i]!;
      if (byte >= 0x80) this.foreign += 1;
      else if (isControl(byte)) this.controls += 1;
    }
  }

  /** Whether further bytes cannot change the verdict. */
  get isDecided(): boolean {
    return this.hasNul;
  }

  /** Whether the completely added file is not text; reads it again in unclear cases. */
  async isOpaque(contents: PackageContents, entry: PackageEntry): Promise<boolean> {
    if (this.hasNul || this.controls > MAX_NON_TEXT_SHARE * this.size) return true;
    if (this.controls + this.foreign <= MAX_NON_TEXT_SHARE * this.size) return false;
    return !(await decodes(contents, entry, 'utf-8')) && !(await decodes(contents, entry, 'gbk', PRIVATE_USE));
  }
}

/** @param never characters that real text does not contain */
async function decodes(contents: PackageContents, entry: PackageEntry, encoding: string, never?: RegExp): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const fits = (chunk?: Buffer): boolean => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      return !never?.test(text);
    } catch {
      return false;
    }
  };
  for await (const chunk of contents.openEntry(entry) as AsyncIterable<Buffer>) if (!fits(chunk)) return false;
  return fits();
}
