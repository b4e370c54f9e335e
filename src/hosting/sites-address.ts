import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';

/** Where embedded sites answer. */
@Injectable()
export class SitesAddress {
  private actualPort: number;

  constructor(private readonly config: AppConfig) {
    this.actualPort = config.sitesPort;
  }

  /** Domain below which every account has its site. */
  get domain(): string {
    return this.config.sitesDomain;
  }

  /** Port of the sites server; before it listens, the configured one. */
  get port(): number {
    return this.actualPort;
  }

  /** Called by the server once it listens. */
  listening(port: number): void {
    this.actualPort = port;
  }

  /** Port visitors use: that of a proxy, where there is one. */
  get publicPort(): number {
    return this.config.sitesPublicPort ?? this.actualPort;
  }

  /** Name of an account's site, such as `alice01.localhost`. */
  nameOf(username: string): string {
    return `${username.toLowerCase()}.${this.domain}`;
  }

  /** Address of an account's site, such as `http://alice01.localhost:3080/`. */
  urlOf(username: string): string {
    return this.urlOfName(this.nameOf(username));
  }

  /** Address at which a name is served. @param name of a site or a domain bound to one */
  urlOfName(name: string): string {
    return `http://${name}${this.publicPort === 80 ? '' : `:${this.publicPort}`}/`;
  }
}
