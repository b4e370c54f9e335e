import { join } from 'node:path';

import type { Provider } from '@nestjs/common';

import { AppConfig, type Bucket } from '../../config/index.js';
import { ImageFolder } from '../../images/index.js';
import { IncomingPackages, LocalPackageStorage, MovedPackageStorage, PackageStorage, S3PackageStorage } from '../packages/index.js';

/** Storage providers: everything is below `DATA_DIR/store`, except packages if a bucket is configured. */
export const STORAGE_PROVIDERS: Provider[] = [
  provider(IncomingPackages, (folder) => new IncomingPackages(join(folder, 'incoming'))),
  provider(PackageStorage, (folder, { storeS3 }) => packagesIn(folder, storeS3)),
  provider(ImageFolder, (folder) => new ImageFolder(join(folder, 'images'))),
];

function packagesIn(folder: string, bucket: Bucket | null): PackageStorage {
  const local = new LocalPackageStorage(join(folder, 'packages'));
  // Temporary downloads for inspection share the upload folder, whose sweep removes leftovers of a crash.
  return bucket ? new MovedPackageStorage(new S3PackageStorage(bucket, join(folder, 'incoming')), local) : local;
}

function provider(provide: unknown, make: (folder: string, config: AppConfig) => unknown): Provider {
  return {
    provide: provide as string,
    inject: [AppConfig],
    useFactory: (config: AppConfig) => make(join(config.dataDir, 'store'), config),
  };
}
