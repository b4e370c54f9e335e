import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';

/** Where embedded sites answer. */
@Injectable()
export class SitesAddress {
  private actualPort: number;

  constructor(config: AppConfig) {
    this.actualPort = config.sitesPort;
  }

  /** Port of the sites server; before it listens, the configured one. */
  get port(): number {
    return this.actualPort;
  }

  /** Called by the server once it listens. */
  listening(port: number): void {
    this.actualPort = port;
  }

  /** Address of an account's site, such as `http://alice01.localhost:3080/`. */
  urlOf(username: string): string {
    return `http://${username.toLowerCase()}.localhost${this.actualPort === 80 ? '' : `:${this.actualPort}`}/`;
  }
}
