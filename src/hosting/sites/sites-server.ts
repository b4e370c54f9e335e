import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { HttpServer } from '../../http/index.js';
import { SiteFolders } from '../embedded/index.js';
import { SitesAddress } from '../sites-address.js';

import { HandshakeCertificates } from './handshake-certificates.js';
import { sendNotice } from './site-notice.js';
import { SiteResponder } from './site-responder.js';
import { SiteVisits } from './site-visits.js';

const log = loggerFor('sites');
/** How long open connections may continue when the server stops, in milliseconds. */
const CLOSE_GRACE_MS = 2_000;

/** Serves the sites of the embedded node by host name, on its own ports for HTTP and TLS, so that no cookie of the panel is sent here. */
@Injectable()
export class SitesServer implements BeforeApplicationShutdown {
  private servers: HttpServer[] = [];

  constructor(
    private readonly config: AppConfig,
    private readonly folders: SiteFolders,
    private readonly address: SitesAddress,
    private readonly visits: SiteVisits,
    private readonly responder: SiteResponder,
    private readonly certificates: HandshakeCertificates,
  ) {}

  /** The port it listens on, or the configured one before it does. */
  get port(): number {
    return this.address.port;
  }

  /** Removes leftovers of interrupted creations from the folder of sites, then listens. */
  async start(): Promise<void> {
    await this.folders.removeAbandoned();
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      this.answer(request, response).catch((error: unknown) => {
        log.error({ err: error, host: request.headers.host }, 'a site could not be served');
        if (response.headersSent) response.destroy();
        else sendNotice(request, response, 500, 'server_error');
      });
    };
    const isProxy = (address: string): boolean => this.visits.isProxy(address);
    const tls: { SNICallback: HandshakeCertificates['choose'] } = { SNICallback: (name, done) => this.certificates.choose(name, done) };
    const { sitesPort, sitesTlsPort } = this.config;
    const port = await this.listen(new HttpServer(handle, { isProxy }), sitesPort);
    const tlsPort = sitesTlsPort === null ? null : await this.listen(new HttpServer(handle, { isProxy, tls }), sitesTlsPort);
    this.visits.start();
    this.address.listening(port, tlsPort);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.close(CLOSE_GRACE_MS)));
    await this.visits.stop();
  }

  private async listen(sites: HttpServer, port: number): Promise<number> {
    const { server } = sites;
    server.listen(port, this.config.host);
    await once(server, 'listening');
    this.servers.push(sites);
    return (server.address() as AddressInfo).port;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const site = await this.visits.siteOf(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendNotice(request, response, 405, 'method');
    }
    if (site.kind === 'unknown') return sendNotice(request, response, 404, 'site_unknown');
    await this.responder.answer(site, request, response);
  }
}
