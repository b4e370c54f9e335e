/** The part of yauzl that is used here; it ships no types of its own. See https://github.com/thejoshwolfe/yauzl. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  export interface Entry {
    /** A Buffer, because files are opened with `decodeStrings: false`. */
    readonly fileName: Buffer;
    readonly compressedSize: number;
    readonly uncompressedSize: number;
    readonly crc32: number;
    readonly externalFileAttributes: number;
    readonly generalPurposeBitFlag: number;
    isEncrypted(): boolean;
  }

  export interface ZipFile {
    /** Bytes of the whole archive. */
    readonly fileSize: number;
    eachEntry(): AsyncIterableIterator<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
  }

  const yauzl: {
    fromFdPromise(fd: number, options: { lazyEntries: true; autoClose: false; decodeStrings: false }): Promise<ZipFile>;
  };
  export default yauzl;
}
