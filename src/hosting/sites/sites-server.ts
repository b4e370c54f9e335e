import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SecureContext } from 'node:tls';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { ClientAddress } from '../../auth/index.js';
import { AppConfig } from '../../config/index.js';
import { HttpServer } from '../../http/index.js';
import { SiteFolders, SiteLogs } from '../embedded/index.js';

import { SiteCertificates } from './site-certificates.js';
import { type FoundSite, SiteLookup } from './site-lookup.js';
import { sendNotice } from './site-notice.js';
import { SiteResponder } from './site-responder.js';
import { SitesAddress } from '../sites-address.js';
import { TrafficMeter } from '../traffic/index.js';

const log = loggerFor('sites');
/** How long open connections may go on when the server stops. */
const CLOSE_GRACE_MS = 2_000;

/** What a handshake is given. */
type ContextTaken = (error: Error | null, context?: SecureContext) => void;

/** Serves the sites of the embedded node by host name, on a port of its own and one for TLS: no cookie of the panel ever comes here. */
@Injectable()
export class SitesServer implements BeforeApplicationShutdown {
  private servers: HttpServer[] = [];

  constructor(
    private readonly config: AppConfig,
    private readonly folders: SiteFolders,
    private readonly lookup: SiteLookup,
    private readonly address: SitesAddress,
    private readonly addresses: ClientAddress,
    private readonly meter: TrafficMeter,
    private readonly responder: SiteResponder,
    private readonly logs: SiteLogs,
    private readonly certificates: SiteCertificates,
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
    const isProxy = (address: string): boolean => this.addresses.isProxy(address);
    const { sitesPort, sitesTlsPort } = this.config;
    const port = await this.listen(new HttpServer(handle, { isProxy }), sitesPort);
    const tls = { SNICallback: (name: string, done: ContextTaken) => this.choose(name, done) };
    const tlsPort = sitesTlsPort === null ? null : await this.listen(new HttpServer(handle, { isProxy, tls }), sitesTlsPort);
    this.meter.start();
    this.logs.start();
    this.address.listening(port, tlsPort);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.close(CLOSE_GRACE_MS)));
    await this.meter.stop();
    await this.logs.stop();
  }

  private async listen(sites: HttpServer, port: number): Promise<number> {
    const { server } = sites;
    server.listen(port, this.config.host);
    await once(server, 'listening');
    this.servers.push(sites);
    return (server.address() as AddressInfo).port;
  }

  /** The certificate of the site a handshake names. Without one the server has nothing to show, and says so by an alert. */
  private choose(name: string, done: ContextTaken): void {
    this.contextOf(name).then(
      (context) => done(null, context ?? undefined),
      (error: unknown) => {
        log.error({ err: error, host: name }, 'the certificate of a site could not be found');
        done(null);
      },
    );
  }

  private async contextOf(name: string): Promise<SecureContext | null> {
    const site = await this.lookup.byHost(name);
    if (site.kind === 'unknown' || site.certificateVersion === null) return null;
    return this.certificates.contextFor(site.accountId, site.certificateVersion, site.name);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const site = await this.lookup.byHost(request.headers.host);
    if (site.kind !== 'unknown') this.follow(site, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendNotice(request, response, 405, 'method');
    }
    if (site.kind === 'unknown') return sendNotice(request, response, 404, 'site_unknown');
    await this.responder.answer(site, request, response);
  }

  /** Counts what the answer sends, and has it logged once it has ended. */
  private follow({ accountId, siteName }: FoundSite, request: IncomingMessage, response: ServerResponse): void {
    const address = this.addresses.of(request);
    const { method = '', url = '', httpVersion, headers } = request;
    const ended = (bytes: number): void => {
      // A visitor who went before there was an answer, as nginx writes that.
      const status = response.headersSent ? response.statusCode : 499;
      this.logs.note(siteName, {
        address,
        method,
        url,
        httpVersion,
        status,
        bytes,
        referrer: headers.referer,
        agent: headers['user-agent'],
      });
    };
    this.meter.count(accountId, request, response, { ended, stops: true });
  }
}
