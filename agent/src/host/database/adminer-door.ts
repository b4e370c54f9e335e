import * as fs from 'node:fs/promises';
import path from 'node:path';

import { putFile } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { HostRefusal } from '../refusal.js';
import type { SiteRecord } from '../records/site-record.js';
import { ADMINER_ENTRY } from './adminer-entry.js';

const ADMINER = '/usr/share/adminer/adminer.php';

/**
 * Adminer on a host name of its own: below `/<site>/` it runs as the user of that site, who gets into the databases of that site by the
 * socket and into no other. So no session can be of another site, whatever is sent. The first request needs a ticket, which is good once.
 */
export class AdminerDoor {
  constructor(private readonly config: HostingConfig) {}

  /** Folder of the script that lets in. */
  get folder(): string {
    return path.join(this.config.settings, 'adminer');
  }

  /** Whether there is one on this server. */
  async isOffered(): Promise<boolean> {
    return (
      this.config.adminerName !== null &&
      (await fs.access(ADMINER).then(
        () => true,
        () => false,
      ))
    );
  }

  /** Makes the script. @returns the virtual host; null where there is none */
  async prepare(): Promise<string | null> {
    if (!(await this.isOffered())) return null;
    await fs.mkdir(this.folder, { recursive: true, mode: 0o755 });
    await putFile(path.join(this.folder, 'index.php'), ADMINER_ENTRY, { mode: 0o644 });
    return this.virtualHost(await this.isSecure());
  }

  /** Where to go, with the ticket at its end. @throws HostRefusal `MISSING_PROGRAM` */
  async address({ user }: Pick<SiteRecord, 'user'>): Promise<string> {
    if (!(await this.isOffered())) throw new HostRefusal('MISSING_PROGRAM', 'Adminer is not set up on this server.');
    const secure = await this.isSecure();
    const [port, usual] = secure ? [this.config.httpsPort, 443] : [this.config.httpPort, 80];
    return `http${secure ? 's' : ''}://${this.config.adminerName}${port === usual ? '' : `:${port}`}/${user}/?ticket=`;
  }

  private get certificate(): string {
    return path.join(this.config.settings, 'certificates', 'adminer');
  }

  /** With a certificate beside those of sites, which the owner of the server puts there. */
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
      // Tickets stand in addresses: none of them is written down.
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
