import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { PackageStorage } from '../packages/index.js';

const log = loggerFor('store');
/** How long a check result is reused, in milliseconds. */
const FRESH_MS = 15_000;

/** Health of the package storage. Without it, the store still serves everything except packages. */
@Injectable()
export class StorageHealth {
  private reachable: boolean | null = null;
  private checkedAt = 0;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly storage: PackageStorage,
    private readonly config: AppConfig,
  ) {}

  /** Checks the storage now; concurrent calls share one check. */
  refresh(): Promise<void> {
    this.checking ??= this.check().finally(() => (this.checking = null));
    return this.checking;
  }

  /**
   * Returns the last result, null before the first. A result older than 15 seconds triggers a new check in the background, so that a
   * hanging storage does not delay health requests.
   */
  current(): boolean | null {
    if (performance.now() - this.checkedAt > FRESH_MS) void this.refresh();
    return this.reachable;
  }

  private async check(): Promise<void> {
    this.checkedAt = performance.now();
    try {
      await this.storage.check();
      if (this.reachable === false) log.info('the package storage is reachable again');
      this.reachable = true;
    } catch (error) {
      // Logged once per outage, not on every check.
      if (this.reachable !== false) log.warn({ err: error, ...this.location() }, `${this.advice()} (${errorMessage(error)})`);
      this.reachable = false;
    }
  }

  private location(): object {
    const { storeS3 } = this.config;
    return storeS3 ? { endpoint: storeS3.endpoint, bucket: storeS3.bucket, prefix: storeS3.prefix } : { folder: this.config.dataDir };
  }

  private advice(): string {
    return this.config.storeS3
      ? 'the bucket for packages is unavailable: uploads and downloads are rejected until it is available again; check STORE_S3_…, ' +
          'the network, and that the key may list, read, write and delete objects there'
      : 'the folder for packages cannot be written: uploads are rejected until it is writable; check DATA_DIR and its permissions';
  }
}
