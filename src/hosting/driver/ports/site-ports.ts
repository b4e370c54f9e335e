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

/** What a driver can do with a site besides its life cycle. What is there works: pages and operations offer nothing else. */
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

/** Name of a port, and of the capability that comes with it. */
export type SitePortName = keyof SitePorts;

/** Every port. */
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

/** The ports a driver has. */
export function portsOf(driver: SitePorts): SitePortName[] {
  return (Object.keys(PORTS) as SitePortName[]).filter((port) => driver[port] !== undefined);
}
