import { partSizeOf } from '../../common/index.js';
import { type ArchivePart, type ArchiveParts, type MadeBackup, storageProblem } from '../driver/index.js';

import { SiteBackupError } from './backup-errors.js';
import { withBackupErrors, type SiteBackupStorage } from './backup-storage.js';

/** Multipart upload of an archive to the storage. The server sends the parts; completing the upload needs the keys and is done here. */
export class PartedArchive implements ArchiveParts {
  private uploadId: string | null = null;

  /**
   * @param recordSending records which archive is sent.
   * @returns whether an earlier attempt has sent parts of the same one
   * @throws if the backup was cancelled
   */
  constructor(
    private readonly storage: SiteBackupStorage,
    private readonly name: string,
    private readonly recordSending: (sha256: string) => Promise<boolean>,
  ) {}

  get above(): number {
    return this.storage.partedAbove;
  }

  readonly begin = async ({ size, sha256 }: Pick<MadeBackup, 'size' | 'sha256'>): Promise<readonly ArchivePart[]> => {
    try {
      const isSame = await this.recordSending(sha256);
      // The upload was completed, but the response to an earlier attempt was lost.
      if (isSame && (await this.storage.size(this.name)) === size) return [];
      const { uploadId, arrived } = await this.upload(isSame);
      this.uploadId = uploadId;
      return this.partsOf(size)
        .filter((part) => arrived.get(part.number)?.size !== part.size)
        .map(({ number, from, size: bytes }) => ({ from, size: bytes, url: this.storage.partAddress(this.name, uploadId, number) }));
    } catch (error) {
      throw storageProblem(error);
    }
  };

  /**
   * Completes the upload, even if the storage's response is lost; does nothing for an archive sent in one request.
   *
   * @throws SiteBackupError BACKUP_DAMAGED if parts are missing, STORAGE_REFUSED, STORAGE_SILENT
   */
  async complete(size: number): Promise<void> {
    const { uploadId, name } = this;
    if (uploadId === null) return;
    const { parts } = this.storage;
    await withBackupErrors(async () => {
      const arrived = await parts.arrived(name, uploadId);
      const wanted = this.partsOf(size);
      if (arrived.size !== wanted.length || wanted.some((part) => arrived.get(part.number)?.size !== part.size))
        throw new SiteBackupError('BACKUP_DAMAGED');
      await parts.complete(name, uploadId, arrived).catch(async (error: unknown) => {
        if ((await this.storage.size(name)) !== size) throw error;
      });
    });
  }

  /** Returns the upload to continue. First aborts uploads of other archives of this name, so that their parts are never mixed. */
  private async upload(isSame: boolean) {
    const { parts } = this.storage;
    const found = await parts.unfinished(this.name);
    const [present, ...others] = isSame ? found : [undefined, ...found];
    for (const other of others) if (other !== undefined) await parts.abort(this.name, other);
    if (present !== undefined) return { uploadId: present, arrived: await parts.arrived(this.name, present) };
    return { uploadId: await parts.begin(this.name), arrived: new Map<number, { size: number }>() };
  }

  private partsOf(size: number): { number: number; from: number; size: number }[] {
    const partSize = partSizeOf(size, this.storage.usualPart);
    return Array.from({ length: Math.ceil(size / partSize) }, (_, at) => ({
      number: at + 1,
      from: at * partSize,
      size: Math.min(partSize, size - at * partSize),
    }));
  }
}
