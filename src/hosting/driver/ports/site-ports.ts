import type { AccessPort } from './access.js';
import type { BackupsPort } from './backups.js';
import type { BinPort } from './bin.js';
import type { CertificatesPort } from './certificates.js';
import type { CommandsPort } from './commands.js';
import type { DatabasePort } from './database.js';
import type { DomainsPort } from './domains.js';
import type { FilesPort } from './files.js';
import type { PhpPort } from './php.js';
import type { RewritesPort } from './rewrites.js';
import type { WebSettingsPort } from './web-settings.js';
import type { StatisticsPort } from './statistics.js';
import type { TrafficPort } from './traffic.js';

/** What a driver can do with a site besides its life cycle. Pages and operations offer only the ports it has. */
export interface SitePorts {
  readonly files?: FilesPort;
  readonly domains?: DomainsPort;
  readonly traffic?: TrafficPort;
  readonly settings?: WebSettingsPort;
  readonly statistics?: StatisticsPort;
  readonly bin?: BinPort;
  readonly backups?: BackupsPort;
  readonly certificates?: CertificatesPort;
  readonly php?: PhpPort;
  readonly database?: DatabasePort;
  readonly access?: AccessPort;
  readonly commands?: CommandsPort;
  readonly rewrites?: RewritesPort;
}

/** Name of a port, and of its capability. */
export type SitePortName = keyof SitePorts;

/** All ports. */
const PORTS: Readonly<Record<SitePortName, true>> = {
  files: true,
  domains: true,
  traffic: true,
  settings: true,
  statistics: true,
  bin: true,
  backups: true,
  certificates: true,
  php: true,
  database: true,
  access: true,
  commands: true,
  rewrites: true,
};

/** Returns the ports a driver has. */
export function portsOf(driver: SitePorts): SitePortName[] {
  return (Object.keys(PORTS) as SitePortName[]).filter((port) => driver[port] !== undefined);
}
