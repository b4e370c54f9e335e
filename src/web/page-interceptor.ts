import type { IncomingMessage, ServerResponse } from 'node:http';

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { sendRedirect, sendRouteResult, type RequestContext } from '../operations/index.js';

import { ListFile, Lists } from './lists/index.js';
import { PAGE_METADATA, PAGE_PATIENCE_MS, PageMissing, PageRedirect, type PageDeclaration } from './page-declaration.js';
import { PageSender } from './page-sender.js';
import { WebEntry } from './web-entry.js';

/** Shows what a method declared with `@Page` returns: its view with its lists, or one of these as a file. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly entry: WebEntry,
    private readonly pages: PageSender,
    private readonly lists: Lists,
    private readonly files: ListFile,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<void> {
    const page = this.reflector.get<PageDeclaration>(PAGE_METADATA, context.getHandler());
    const http = context.switchToHttp();
    const res = http.getResponse<ServerResponse>();
    const req = http.getRequest<IncomingMessage>();
    const show = (call: RequestContext): Promise<void> => this.show(page, res, call, next);
    return from(page.open ? this.entry.open(req, res, page.side, show) : this.entry.side(req, res, page.side, show));
  }

  private async show(page: PageDeclaration, res: ServerResponse, call: RequestContext, next: CallHandler<object>): Promise<void> {
    const { side, path, view = path.slice(path.lastIndexOf('/') + 1), lists = [] } = page;
    const wanted = lists.find(({ id }) => id === call.query.export);
    // A file is worth a longer wait.
    if (!wanted) call.showWithin(PAGE_PATIENCE_MS);
    let vars: object;
    try {
      vars = await lastValueFrom(next.handle());
    } catch (error) {
      if (error instanceof PageRedirect) return sendRedirect(res, error.to);
      if (!(error instanceof PageMissing)) throw error;
      return this.pages.sendError(res, call, side, 404, 'web.not_found', 'web.not_found_text');
    }
    if (wanted) return sendRouteResult(res, await this.files.reply(wanted, side, call), call);
    await this.pages.send(res, call, side, view, { ...vars, lists: await this.lists.buildAll(lists, side, call) }, { plain: page.plain });
  }
}
