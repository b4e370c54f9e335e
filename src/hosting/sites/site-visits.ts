import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ClientAddress } from '../../auth/index.js';
import { SiteLogWriter } from '../embedded/index.js';
import { TrafficMeter } from '../traffic/index.js';

import { SiteLookup } from './site-lookup.js';

/** Status nginx logs for a visitor who closed the connection before there was a response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Finds the site of a request, counts the bytes of the response as its traffic and writes its access log. */
@Injectable()
export class SiteVisits {
  constructor(
    private readonly lookup: SiteLookup,
    private readonly addresses: ClientAddress,
    private readonly meter: TrafficMeter,
    private readonly logs: SiteLogWriter,
  ) {}

  /** Whether an address belongs to a trusted proxy. */
  isProxy(address: string): boolean {
    return this.addresses.isProxy(address);
  }

  /** Starts to write counts and logs. */
  start(): void {
    this.meter.start();
    this.logs.start();
  }

  /** Writes what has been counted and logged so far. */
  async stop(): Promise<void> {
    await this.meter.stop();
    await this.logs.stop();
  }

  /** Returns the site that a request is for; from here on its response is counted and logged. */
  async siteOf(request: IncomingMessage, response: ServerResponse): ReturnType<SiteLookup['byHost']> {
    const site = await this.lookup.byHost(request.headers.host);
    if (site.kind === 'unknown') return site;
    const { accountId, siteName } = site;
    const address = this.addresses.of(request);
    const { method = '', url = '', httpVersion, headers } = request;
    const ended = (bytes: number): void => {
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      const agent = headers['user-agent'];
      this.logs.note(siteName, { address, method, url, httpVersion, status, bytes, referrer: headers.referer, agent });
    };
    this.meter.count(accountId, request, response, { ended, stops: true });
    return site;
  }
}
