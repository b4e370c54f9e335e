import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';

/** Names the panel makes up for sites on servers. */
const MADE_UP = /^svc\.[0-9a-f]{16}$/;

/** A name for a new site on its server, which nothing else has: visitors come by others. */
export const newSiteName = (): string => `svc.${randomBytes(8).toString('hex')}`;

/** Whether visitors may come by the name a site has on its server, as they do where it was there before the panel. */
export const isVisited = (siteName: string): boolean => !MADE_UP.test(siteName);

/** Addresses of sites: those of this machine answer at the panel's ports, all others at ports 80 and 443 of their own servers. */
@Injectable()
export class SitesAddress {
  private actualPort: number;
  private actualTlsPort: number | null;

  constructor(private readonly config: AppConfig) {
    this.actualPort = config.sitesPort;
    this.actualTlsPort = config.sitesTlsPort;
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
  listening(port: number, tlsPort: number | null): void {
    this.actualPort = port;
    this.actualTlsPort = tlsPort;
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
  urlOf(username: string, isHere: boolean): string {
    return this.urlOfName(this.nameOf(username), isHere);
  }

  /** Address at which a name is served. @param name of a site or a domain bound to one @param isHere whether by this machine */
  urlOfName(name: string, isHere: boolean): string {
    const port = isHere ? this.publicPort : 80;
    return `http://${name}${port === 80 ? '' : `:${port}`}/`;
  }

  /** The same over TLS; null where it is not. */
  secureUrlOf(name: string, isHere: boolean): string | null {
    return isHere ? this.secureUrlOfName(name) : `https://${name}/`;
  }

  /** Address at which this machine serves a name over TLS; null where it serves no site so. @param path with its query */
  secureUrlOfName(name: string, path = '/'): string | null {
    const port = this.config.sitesTlsPublicPort ?? this.actualTlsPort;
    return port === null ? null : `https://${name}${port === 443 ? '' : `:${port}`}${path}`;
  }
}
