import type { RequestListener } from 'node:http';

import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';

import { HttpServer, type HttpServerOptions, pathOf, sendWhole } from '../http/index.js';
import type { Entry } from './entry.js';
import type { RequestLog } from './request-log.js';

/**
 * Express with a request log and a few entries in front of its router. Entries handle the plain form of the most frequent requests before
 * the router walks its stack and swaps the prototypes of request and response, which costs more than all the panel's own work for them.
 * Requests they decline reach the same handlers through the router.
 */
export class PanelAdapter extends ExpressAdapter {
  private entries: readonly Entry[] | null = null;

  private limited: HttpServer | null = null;

  /**
   * @param entriesInFront called once, by the first request, when the application is complete; returns the entries in the order they are
   *   tried
   */
  constructor(
    private readonly log: RequestLog | null,
    private readonly entriesInFront: () => readonly Entry[],
    private readonly limits: HttpServerOptions = {},
  ) {
    const server = express();
    // `/ADMIN/AJAX.PHP` and `/admin/ajax.php/` are not the operation: guards must see the same path as the router.
    server.enable('case sensitive routing');
    server.enable('strict routing');
    server.disable('x-powered-by');
    server.disable('etag');
    super(server);
  }

  /** Makes answers close their connections; see {@link HttpServer.announceEnd}. */
  announceEnd(): void {
    this.limited?.announceEnd();
  }

  /** Stops accepting connections and waits for running requests; see {@link HttpServer.close}. */
  async stopServing(patienceMs: number): Promise<void> {
    await this.limited?.close(patienceMs);
  }

  /** Sends an object returned by a handler as JSON, compressed if it is long. */
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

/** Makes a URL decodable for the router: a path with invalid escapes (`/%ff`) is taken literally, and not found. */
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
