import * as fs from 'node:fs/promises';
import path from 'node:path';

import { putFile } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { HostRefusal } from '../refusal.js';
import type { SiteRecord } from '../records/site-record.js';
import { ADMINER_ENTRY } from './adminer-entry.js';

const ADMINER = '/usr/share/adminer/adminer.php';

/**
 * Adminer on its own host name. Below `/<site>/` it runs as that site's user, who can reach only the site's databases over the socket, so
 * no request can open a session on another site. The first request needs a one-time ticket.
 */
export class AdminerAccess {
  constructor(private readonly config: HostingConfig) {}

  /** Folder of the entry script. */
  get folder(): string {
    return path.join(this.config.settings, 'adminer');
  }

  /** Whether Adminer is configured and installed on this server. */
  async isOffered(): Promise<boolean> {
    return (
      this.config.adminerName !== null &&
      (await fs.access(ADMINER).then(
        () => true,
        () => false,
      ))
    );
  }

  /** Writes the entry script. @returns the virtual host; null if Adminer is not offered */
  async prepare(): Promise<string | null> {
    if (!(await this.isOffered())) return null;
    await fs.mkdir(this.folder, { recursive: true, mode: 0o755 });
    await putFile(path.join(this.folder, 'index.php'), ADMINER_ENTRY, { mode: 0o644 });
    return this.virtualHost(await this.isSecure());
  }

  /** Returns the sign-in address, to which the ticket is appended. @throws HostRefusal `MISSING_PROGRAM` */
  async address({ user }: Pick<SiteRecord, 'user'>): Promise<string> {
    if (!(await this.isOffered())) throw new HostRefusal('MISSING_PROGRAM', 'Adminer is not set up on this server.');
    const secure = await this.isSecure();
    const [port, defaultPort] = secure ? [this.config.httpsPort, 443] : [this.config.httpPort, 80];
    return `http${secure ? 's' : ''}://${this.config.adminerName}${port === defaultPort ? '' : `:${port}`}/${user}/?ticket=`;
  }

  private get certificate(): string {
    return path.join(this.config.settings, 'certificates', 'adminer');
  }

  /** Whether the server's owner has put a certificate next to those of the sites. */
  private async isSecure(): Promise<boolean> {
    return fs.access(path.join(this.certificate, 'key.pem')).then(
      () => true,
      () => false,
    );
  }

  private virtualHost(secure: boolean): string {
    const port = secure ? this.config.httpsPort : this.config.httpPort;
    const how = secure ? ' ssl http2' : '';
    const tls = [`ssl_certificate ${this.certificate}/chain.pem;`, `ssl_certificate_key ${this.certificate}/key.pem;`];
    return [
      '# Adminer: written by svc-agent, again with every start.',
      'server {',
      `listen ${port}${how};`,
      `listen [::]:${port}${how};`,
      `server_name "${this.config.adminerName}";`,
      ...(secure ? tls : []),
      `root ${this.folder};`,
      'client_max_body_size 64m;',
      // Addresses contain tickets and must not be logged.
      'access_log off;',
      'add_header Referrer-Policy no-referrer always;',
      'location / { return 404; }',
      'location ~ "^/(?<svc_site>svc[0-9a-f]{8})/$" {',
      'include /etc/nginx/fastcgi_params;',
      `fastcgi_param SCRIPT_FILENAME ${this.folder}/index.php;`,
      'fastcgi_param SCRIPT_NAME /$svc_site/;',
      'fastcgi_param SVC_SITE $svc_site;',
      `fastcgi_param SVC_HOME ${this.config.root}/$svc_site;`,
      `fastcgi_param SVC_SOCKET ${this.config.databaseSocket};`,
      'fastcgi_param HTTP_PROXY "";',
      'fastcgi_read_timeout 300s;',
      `fastcgi_pass unix:${this.config.run}/$svc_site-adminer.sock;`,
      '}',
      '}',
      '',
    ].join('\n');
  }
}
