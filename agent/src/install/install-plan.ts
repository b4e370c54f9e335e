import * as fs from 'node:fs/promises';

import { agentUnit, HOSTING_DROP_IN, PHP_UNIT } from './unit-files.js';

/** Paths of an installation. */
export const PATHS = {
  program: '/opt/svc-agent/svc-agent.mjs',
  config: '/etc/svc-agent/agent.json',
  record: '/var/lib/svc-agent/install.json',
  state: '/var/lib/svc-agent',
} as const;

/** Options of an installation. */
export interface InstallChoices {
  readonly scanOnly: boolean;
  readonly adminerName: string | null;
}

/** Changes an installation will make. */
export interface InstallPlan {
  /** Missing Debian packages. */
  readonly packages: readonly string[];
  /** New or changed files by path, except the config. */
  readonly files: ReadonlyMap<string, string>;
  /** Files to remove. */
  readonly removed: readonly string[];
  readonly hasSystemd: boolean;
  readonly scanOnly: boolean;
  readonly adminerName: string | null;
}

/** Grants the rights needed for hosting; without hosting the agent has none of them. */
const DROP_IN = '/etc/systemd/system/svc-agent.service.d/hosting.conf';

/** Required packages, each with a file it installs. */
const NEEDED: readonly (readonly [name: string, file: string])[] = [
  ['nginx', '/usr/sbin/nginx'],
  ['openssh-server', '/usr/sbin/sshd'],
  ['mariadb-server', '/usr/sbin/mariadbd'],
  ['mariadb-client', '/usr/bin/mariadb'],
  ['php-fpm', '/usr/lib/php/php-fpm-socket-helper'],
  ['adminer', '/usr/share/adminer/adminer.php'],
];
/** PHP extensions that common web applications need. */
const EXTENSIONS = ['php-mysql', 'php-curl', 'php-gd', 'php-mbstring', 'php-xml', 'php-zip', 'php-intl'];

/** Computes what an installation has to change. @param program text of this program */
export async function planInstall({ scanOnly, adminerName }: InstallChoices, program: string): Promise<InstallPlan> {
  const hasSystemd = await isThere('/run/systemd/system');
  const wanted = new Map<string, string>([[PATHS.program, program]]);
  if (hasSystemd) {
    wanted.set('/etc/systemd/system/svc-agent.service', agentUnit(process.execPath));
    if (!scanOnly) {
      wanted.set(DROP_IN, HOSTING_DROP_IN);
      wanted.set('/etc/systemd/system/svc-php@.service', PHP_UNIT);
    }
  }
  const files = new Map<string, string>();
  for (const [path, content] of wanted) if ((await fs.readFile(path, 'utf8').catch(() => null)) !== content) files.set(path, content);
  const removed = scanOnly && (await isThere(DROP_IN)) ? [DROP_IN] : [];
  return { packages: scanOnly ? [] : await missingPackages(adminerName !== null), files, removed, hasSystemd, scanOnly, adminerName };
}

async function missingPackages(withAdminer: boolean): Promise<string[]> {
  const installed = new Set(
    (await fs.readFile('/var/lib/dpkg/status', 'utf8').catch(() => ''))
      .split('\n\n')
      .flatMap((entry) => (/^Status: install ok installed$/m.test(entry) ? (/^Package: (.+)$/m.exec(entry)?.[1] ?? []) : [])),
  );
  const missing: string[] = [];
  for (const [name, file] of NEEDED) {
    if (name === 'adminer' && !withAdminer) continue;
    if (!(await isThere(file))) missing.push(name);
  }
  return [...missing, ...EXTENSIONS.filter((name) => !installed.has(name))];
}

async function isThere(path: string): Promise<boolean> {
  return fs.access(path).then(
    () => true,
    () => false,
  );
}

/** Describes the plan for the administrator. */
export function planText({ packages, files, removed, hasSystemd, scanOnly, adminerName }: InstallPlan, panel: string): string {
  const lines = [
    `This server will be connected to the panel at ${panel}. The agent opens no port.`,
    ...(packages.length > 0 ? [`- Debian packages to install: ${packages.join(' ')}`] : []),
    ...[...files.keys()].map((path) => `- File to write: ${path}`),
    ...removed.map((path) => `- File to remove: ${path}`),
    `- Config with secrets to write, readable only by root: ${PATHS.config}`,
    ...(scanOnly
      ? ['- The agent only scans sites for forbidden words.']
      : [
          '- The agent creates for the sites: users (svc…), folders (/srv/svc), nginx virtual hosts, PHP pools, MariaDB ' +
            'databases and certificates.',
          '- A configuration file is added for nginx and one for sshd: /etc/nginx/conf.d/svc-hosting.conf, ' +
            '/etc/ssh/sshd_config.d/svc-hosting.conf',
          adminerName === null
            ? '- Databases cannot be opened in the browser. For this, set --adminer-name to a host name that points to this server.'
            : `- Databases are opened in the browser at ${adminerName}, which must point to this server.`,
        ]),
    hasSystemd
      ? '- Service to start, now and at every boot: svc-agent'
      : `- This server has no systemd. Start the agent yourself: node ${PATHS.program} --config ${PATHS.config}`,
    'To uninstall, use --undo. To update, run the installation again.',
  ];
  return `${lines.join('\n')}\n`;
}
