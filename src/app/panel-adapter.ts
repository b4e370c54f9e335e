import type { RequestListener } from 'node:http';

import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';

import { HttpServer, type HttpServerOptions, pathOf, sendWhole } from '../http/index.js';
import type { Entry } from './entry.js';
import type { RequestLog } from './request-log.js';

/**
 * Express as the panel needs it, behind a log and a few entries. These take the plain form of the requests that are made
 * most, before a router walks its stack and swaps the prototypes of request and answer: that costs more than everything
 * the panel does for them. Whatever they leave alone meets the same handlers by way of the router.
 */
export class PanelAdapter extends ExpressAdapter {
  private entries: readonly Entry[] | null = null;

  private limited: HttpServer | null = null;

  /**
   * @param entriesInFront asked once, by the first request, when the application is whole: what stands in front of the
   * router, in the order it is asked in
   */
  constructor(
    private readonly log: RequestLog | null,
    private readonly entriesInFront: () => readonly Entry[],
    private readonly limits: HttpServerOptions = {},
  ) {
    const server = express();
    // `/ADMIN/AJAX.PHP` and `/admin/ajax.php/` are not the operation: guards must see what the router sees.
    server.enable('case sensitive routing');
    server.enable('strict routing');
    server.disable('x-powered-by');
    server.disable('etag');
    super(server);
  }

  /** From now on answers end their connections; see {@link HttpServer.announceEnd}. */
  announceEnd(): void {
    this.limited?.announceEnd();
  }

  /** Stops accepting, and waits for what is under way; see {@link HttpServer.close}. */
  async stopServing(patienceMs: number): Promise<void> {
    await this.limited?.close(patienceMs);
  }

  /** An object that a handler returned is sent as JSON of the kit, which compresses what is long. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const isData = typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
    if (!isData || response.headersSent) return super.reply(response, body, statusCode);
    return sendWhole(
      response,
      statusCode ?? response.statusCode,
      { 'Content-Type': 'application/json; charset=utf-8' },
      JSON.stringify(body),
    );
  }

  override initHttpServer(): void {
    const route = this.getInstance<RequestListener>();
    this.limited = new HttpServer((req, res) => {
      this.log?.(req, res);
      req.url = decodable(req.url ?? '/');
      this.entries ??= this.entriesInFront();
      for (const entry of this.entries) if (entry.tryHandle(req, res)) return;
      route(req, res);
    }, this.limits);
    this.setHttpServer(this.limited.server);
  }
}

/** An address whose path the router can decode: one with escapes of nothing (`/%ff`) is taken letter by letter, and found nowhere. */
function decodable(url: string): string {
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
