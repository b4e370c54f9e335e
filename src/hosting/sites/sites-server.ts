import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { ClientAddress } from '../../auth/index.js';
import { AppConfig } from '../../config/index.js';
import { HttpServer } from '../../http/index.js';
import { SiteFolders } from '../embedded/index.js';

import { SiteLookup } from './site-lookup.js';
import { sendNotice } from './site-notice.js';
import { SiteResponder } from './site-responder.js';
import { SitesAddress } from '../sites-address.js';
import { TrafficMeter } from '../traffic/index.js';

const log = loggerFor('sites');
/** How long open connections may go on when the server stops. */
const CLOSE_GRACE_MS = 2_000;

/** Serves the sites of the embedded node by host name, on a port of its own: no cookie of the panel ever comes here. */
@Injectable()
export class SitesServer implements BeforeApplicationShutdown {
  private sites: HttpServer | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly folders: SiteFolders,
    private readonly lookup: SiteLookup,
    private readonly address: SitesAddress,
    private readonly addresses: ClientAddress,
    private readonly meter: TrafficMeter,
    private readonly responder: SiteResponder,
  ) {}

  /** Port it listens on; the configured one before. */
  get port(): number {
    return this.address.port;
  }

  /** Removes what creations that never ended left in the folder of sites, then listens. */
  async start(): Promise<void> {
    await this.folders.removeAbandoned();
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      this.answer(request, response).catch((error: unknown) => {
        log.error({ err: error, host: request.headers.host }, 'a site could not be served');
        if (response.headersSent) response.destroy();
        else sendNotice(request, response, 500, 'server_error');
      });
    };
    this.sites = new HttpServer(handle, { isProxy: (address) => this.addresses.isProxy(address) });
    const { server } = this.sites;
    server.listen(this.config.sitesPort, this.config.host);
    await once(server, 'listening');
    this.meter.start();
    this.address.listening((server.address() as AddressInfo).port);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sites?.close(CLOSE_GRACE_MS);
    this.sites = null;
    await this.meter.stop();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendNotice(request, response, 405, 'method');
    }
    const site = await this.lookup.byHost(request.headers.host);
    if (site.kind === 'unknown') return sendNotice(request, response, 404, 'site_unknown');
    this.meter.count(site.accountId, request, response);
    await this.responder.answer(site, request, response);
  }
}
