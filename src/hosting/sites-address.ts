import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';

/** Names the panel generates for sites on servers. */
const GENERATED_NAME = /^svc\.[0-9a-f]{16}$/;

/** Generates a unique name for a new site on its server; visitors use other names. */
export const newSiteName = (): string => `svc.${randomBytes(8).toString('hex')}`;

/** Returns whether visitors may use the site's name on its server, which is the case for sites that existed before the panel. */
export const isVisited = (siteName: string): boolean => !GENERATED_NAME.test(siteName);

/** Addresses of sites: those of this machine are served at the panel's ports, all others at ports 80 and 443 of their own servers. */
@Injectable()
export class SitesAddress {
  private actualPort: number;
  private actualTlsPort: number | null;

  constructor(private readonly config: AppConfig) {
    this.actualPort = config.sitesPort;
    this.actualTlsPort = config.sitesTlsPort;
  }

  /** Domain below which every account's site has its name. */
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

  /** Port visitors use: the proxy's, if there is one. */
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

  /** Returns the address of a name. @param name of a site or a domain bound to one @param isHere whether this machine serves it */
  urlOfName(name: string, isHere: boolean): string {
    const port = isHere ? this.publicPort : 80;
    return `http://${name}${port === 80 ? '' : `:${port}`}/`;
  }

  /** Like {@link urlOfName}, over TLS; null if not available. */
  secureUrlOf(name: string, isHere: boolean): string | null {
    return isHere ? this.secureUrlOfName(name) : `https://${name}/`;
  }

  /** Returns the TLS address of a name served by this machine; null if it serves no site over TLS. @param path with its query */
  secureUrlOfName(name: string, path = '/'): string | null {
    const port = this.config.sitesTlsPublicPort ?? this.actualTlsPort;
    return port === null ? null : `https://${name}${port === 443 ? '' : `:${port}`}${path}`;
  }
}
