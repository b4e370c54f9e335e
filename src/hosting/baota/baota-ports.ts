import { Injectable } from '@nestjs/common';

import { BaotaBackups, BaotaFiles, BaotaLogs } from './files/index.js';
import { BaotaAccess, BaotaCredentials, BaotaDatabase } from './programs/index.js';
import { BaotaCertificates, BaotaDomains, BaotaRewrites, BaotaSettings } from './serving/index.js';
import { PanelPhp } from './sites/index.js';

/** Ports for what sites run. */
@Injectable()
export class BaotaPrograms {
  constructor(
    readonly php: PanelPhp,
    readonly database: BaotaDatabase,
    readonly access: BaotaAccess,
    readonly credentials: BaotaCredentials,
  ) {}
}

/** Ports for how sites are served. */
@Injectable()
export class BaotaServing {
  constructor(
    readonly domains: BaotaDomains,
    readonly certificates: BaotaCertificates,
    readonly settings: BaotaSettings,
    readonly rewrites: BaotaRewrites,
  ) {}
}

/** Ports for what sites consist of. */
@Injectable()
export class BaotaStorage {
  constructor(
    readonly files: BaotaFiles,
    readonly backups: BaotaBackups,
    readonly statistics: BaotaLogs,
  ) {}
}
