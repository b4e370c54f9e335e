import { join } from 'node:path';

import type { Provider } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { ImageFolder } from '../images/index.js';
import { IncomingPackages, LocalPackageStorage, PackageSigner, PackageStorage } from '../packages/index.js';

/** Where the store keeps what is no row: everything below `DATA_DIR/store`. */
export const STORE_PLACES: Provider[] = [
  place(IncomingPackages, (folder) => new IncomingPackages(join(folder, 'incoming'))),
  place(PackageStorage, (folder) => new LocalPackageStorage(join(folder, 'packages'))),
  place(PackageSigner, (folder) => new PackageSigner(folder)),
  place(ImageFolder, (folder) => new ImageFolder(join(folder, 'images'))),
];

function place(provide: unknown, make: (folder: string) => unknown): Provider {
  return { provide: provide as string, inject: [AppConfig], useFactory: (config: AppConfig) => make(join(config.dataDir, 'store')) };
}
