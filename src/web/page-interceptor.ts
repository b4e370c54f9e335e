import type { IncomingMessage, ServerResponse } from 'node:http';

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { CORE_OWNER } from '../common/index.js';
import { sendRedirect } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';

import { PageAnswers, type PageAnswer } from './page-answers.js';
import { PAGE_METADATA, PageMissing, PageRedirect, type PageDeclaration } from './page-declaration.js';
import { PageSender } from './page-sender.js';
import { WebEntry } from './web-entry.js';

/** Renders the page of a method declared with `@Page`. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly entry: WebEntry,
    private readonly answers: PageAnswers,
    private readonly pages: PageSender,
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
    let answer: PageAnswer;
    try {
      answer = await this.answers.make({ owner: CORE_OWNER, record: page }, call, { method: () => lastValueFrom(next.handle()) });
    } catch (error) {
      if (error instanceof PageRedirect) return sendRedirect(res, error.to);
      if (!(error instanceof PageMissing)) throw error;
      return this.pages.sendMissing(res, call, page.side);
    }
    await this.answers.send(res, call, page, answer);
  }
}
