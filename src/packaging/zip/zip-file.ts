import { open, type FileHandle } from 'node:fs/promises';

import { PackageRefusal } from '../package-refusal.js';

/** Random-access reader of a file that never reads past its end. */
export class ZipFile {
  private constructor(
    private readonly handle: FileHandle,
    /** In bytes. */
    readonly size: number,
  ) {}

  /** Opens the file at `path`; must be closed with {@link ZipFile.close}. */
  static async open(path: string): Promise<ZipFile> {
    const handle = await open(path, 'r');
    try {
      return new ZipFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Reads exactly `length` bytes at `offset`.
   *
   * @throws PackageRefusal UNREADABLE if the file is too short
   */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset < 0 || length < 0 || offset + length > this.size) throw new PackageRefusal('UNREADABLE');
    const bytes = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await this.handle.read(bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new PackageRefusal('UNREADABLE');
      filled += bytesRead;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
