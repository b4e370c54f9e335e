/** What is used of yauzl, which ships no types of its own; see https://github.com/thejoshwolfe/yauzl. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  export interface Entry {
    /** Of a file opened without `decodeStrings`. */
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
