import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ClientAddress, RateGate, RateLimited } from '../auth/index.js';
import { RouteDispatcher } from '../operations/index.js';
import { WebEntry } from '../web/index.js';

import { OwnAddresses } from './own-addresses.js';
import { SitePages } from './site-pages.js';

/** Matches a path that every router interprets identically. */
const PLAIN_PATH = /^\/[\w\-./~!$&'()*+,;=:@%]*(?=\?|$)/;

/** Entry point of requests to plugins' routes: pages, APIs, the callbacks of gateways. */
@Injectable()
export class RouteEntry {
  constructor(
    private readonly own: OwnAddresses,
    private readonly routes: RouteDispatcher,
    private readonly gate: RateGate,
    private readonly addresses: ClientAddress,
    private readonly entry: WebEntry,
    private readonly pages: SitePages,
  ) {}

  /**
   * Serves the request if it is clearly for a plugin's route; returns false to leave it to the router, whose catch-all serves the others.
   */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean {
    const path = PLAIN_PATH.exec(req.url!)?.[0];
    if (path === undefined || this.own.mayHave(path) || this.routes.candidates(req.method!, path).length === 0) return false;
    void this.serve(req, res);
    return true;
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.gate.admit('public', this.addresses.of(req), null);
      await this.entry.open(req, res, 'public', (call) => this.pages.serve(req, res, call));
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      await this.entry.fail(req, res, error);
    }
  }
}
