import { PackageStorage, type ByteRange, type DigestedFile, type StoredPackage, type SweepOptions } from './package-storage.js';

/**
 * A storage that replaced another one: new packages go to the current storage, and those still in the former one are read from there.
 * Packages are addressed by digest, so either copy is valid.
 */
export class MovedPackageStorage extends PackageStorage {
  /** @param former must be cheap to query, because every read checks it first */
  constructor(
    private readonly current: PackageStorage,
    private readonly former: PackageStorage,
  ) {
    super();
  }

  store(file: DigestedFile): Promise<void> {
    return this.current.store(file);
  }

  async size(sha256: string): Promise<number | null> {
    return (await this.former.size(sha256)) ?? (await this.current.size(sha256));
  }

  async open(sha256: string, range?: ByteRange): Promise<StoredPackage> {
    return (await this.holderOf(sha256)).open(sha256, range);
  }

  async withFile<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T> {
    return (await this.holderOf(sha256)).withFile(sha256, work);
  }

  async remove(sha256: string): Promise<void> {
    await this.former.remove(sha256);
    await this.current.remove(sha256);
  }

  check(): Promise<void> {
    return this.current.check();
  }

  async sweep(options: SweepOptions): Promise<number> {
    return (await this.former.sweep(options)) + (await this.current.sweep(options));
  }

  private async holderOf(sha256: string): Promise<PackageStorage> {
    return (await this.former.size(sha256)) === null ? this.current : this.former;
  }
}
