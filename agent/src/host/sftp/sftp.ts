import * as fs from 'node:fs/promises';
import path from 'node:path';

import { dropFile, putFile, readText } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { failureOfProgram, runProgram } from '../programs/run-program.js';
import type { Services } from '../services/services.js';
import { hasSftp, isOpen, type SiteRecord } from '../records/site-record.js';
import { SITES_GROUP, type SystemUsers } from '../users/system-users.js';

const DROP_IN = '/etc/ssh/sshd_config.d/svc-hosting.conf';

/** SFTP access by OpenSSH's internal SFTP server, in a chroot of the site's folder. No shell, no forwarding. */
export class Sftp {
  private readonly keys: string;

  constructor(
    config: HostingConfig,
    private readonly users: SystemUsers,
    private readonly services: Services,
  ) {
    this.keys = path.join(config.settings, 'keys');
    this.root = config.root;
  }

  private readonly root: string;

  /** Configures sshd for members of the sites' group. A configuration sshd rejects is rolled back. @throws HostRefusal `CONFIG` */
  async prepare(): Promise<void> {
    await fs.mkdir(this.keys, { recursive: true, mode: 0o755 });
    const before = await readText(DROP_IN);
    if (!(await putFile(DROP_IN, this.rules(), { mode: 0o644 }))) return;
    const test = await runProgram('sshd', ['-t']);
    if (test.code !== 0) {
      if (before === null) await dropFile(DROP_IN);
      else await putFile(DROP_IN, before, { mode: 0o644 });
      throw failureOfProgram(test, 'CONFIG', 'sshd rejected its configuration');
    }
    if (await this.services.isRunning('ssh')) await this.services.reload('ssh');
  }

  /** Applies keys and access of a site. */
  async apply(site: SiteRecord): Promise<void> {
    const content = site.sftp.keys.map((key) => `restrict ${key}\n`).join('');
    const file = this.keyFile(site);
    if (content === '') await dropFile(file);
    else await putFile(file, content, { mode: 0o644 });
    const isShut = await this.users.setOpen(site, hasSftp(site));
    // Kills all processes of the user, sessions included; PHP starts again with the next request.
    if (isShut || !isOpen(site)) await this.users.endProcesses(site);
    if (isShut) await this.users.noteEnded(site);
  }

  /** Sets the password; null disables sign-in by password. Open sessions are closed because their owner may know only the old one. */
  async setPassword(site: SiteRecord, password: string | null): Promise<void> {
    if (password === null) await this.users.dropPassword(site);
    else await this.users.setPassword(site, password);
    await this.users.endProcesses(site);
  }

  /** Returns the password hash; null if sign-in by password is disabled. */
  hashOf(site: SiteRecord): Promise<string | null> {
    return this.users.hashOf(site);
  }

  /** Like {@link setPassword} with the hash of the password. @throws HostRefusal `ARGUMENTS` */
  async setHash(site: SiteRecord, hash: string): Promise<void> {
    await this.users.setHash(site, hash);
    await this.users.endProcesses(site);
  }

  /** Removes the key file of a site. */
  async drop(site: Pick<SiteRecord, 'user'>): Promise<void> {
    await dropFile(this.keyFile(site));
  }

  private keyFile({ user }: Pick<SiteRecord, 'user'>): string {
    return path.join(this.keys, user);
  }

  private rules(): string {
    return `# Written by svc-agent, again with every start: users of sites have SFTP in their folder, and nothing else.
Match Group ${SITES_GROUP}
    ChrootDirectory ${this.root}/%u
    ForceCommand internal-sftp -d /public -u 0022
    AuthorizedKeysFile ${this.keys}/%u
    AuthenticationMethods publickey password
    PasswordAuthentication yes
    DisableForwarding yes
    PermitTTY no
    PermitTunnel no
    X11Forwarding no
Match all
`;
  }
}
