import type { PackageContents, PackageEntry } from '../../../packaging/index.js';

/**
 * What has a larger share of bytes that are not ASCII is text in UTF-8 or GBK, or none: European texts have less.
 * Perl's -T draws the line there too.
 */
const MOST_STRANGE = 0.3;
/** What GBK gives for bytes that stand for no character. */
const PRIVATE_USE = /[\ue000-\uf8ff]/;

/** Control characters but tab, line breaks and escape. */
const isControl = (byte: number): boolean => byte === 0x7f || (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b);

/** Takes the bytes of a file as they come, and tells whether people can read them. */
export class OpaqueContent {
  private size = 0;
  private controls = 0;
  private foreign = 0;
  private hasNul = false;

  /** Takes the next piece. */
  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.hasNul || (this.hasNul = chunk.includes(0))) return;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i]!;
      if (byte >= 0x80) this.foreign += 1;
      else if (isControl(byte)) this.controls += 1;
    }
  }

  /** Whether nothing that comes can change the verdict. */
  get isDecided(): boolean {
    return this.hasNul;
  }

  /** Whether the file, all of which was added, is no text. What is in doubt is read once more. */
  async isOpaque(contents: PackageContents, entry: PackageEntry): Promise<boolean> {
    if (this.hasNul || this.controls > MOST_STRANGE * this.size) return true;
    if (this.controls + this.foreign <= MOST_STRANGE * this.size) return false;
    return !(await decodes(contents, entry, 'utf-8')) && !(await decodes(contents, entry, 'gbk', PRIVATE_USE));
  }
}

/** @param never what text does not have, though the encoding does */
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
