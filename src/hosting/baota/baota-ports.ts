import { Injectable } from '@nestjs/common';

import { BaotaBackups, BaotaFiles, BaotaLogs } from './files/index.js';
import { BaotaAccess, BaotaCredentials, BaotaDatabase } from './programs/index.js';
import { BaotaCertificates, BaotaDomains, BaotaRewrites, BaotaSettings } from './serving/index.js';
import { PanelPhp } from './sites/index.js';

/** Driver ports for PHP, databases and FTP accounts. */
@Injectable()
export class BaotaPrograms {
  constructor(
    readonly php: PanelPhp,
    readonly database: BaotaDatabase,
    readonly access: BaotaAccess,
    readonly credentials: BaotaCredentials,
  ) {}
}

/** Driver ports for domains, certificates and web settings. */
@Injectable()
export class BaotaServing {
  constructor(
    readonly domains: BaotaDomains,
    readonly certificates: BaotaCertificates,
    readonly settings: BaotaSettings,
    readonly rewrites: BaotaRewrites,
  ) {}
}

/** Driver ports for files, backups and logs. */
@Injectable()
export class BaotaStorage {
  constructor(
    readonly files: BaotaFiles,
    readonly backups: BaotaBackups,
    readonly statistics: BaotaLogs,
  ) {}
}
