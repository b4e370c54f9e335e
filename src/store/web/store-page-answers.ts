import type { ServerResponse } from 'node:http';

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import { finalize, from, lastValueFrom, type Observable } from 'rxjs';

import { BodyAdmission, PLAIN_HEADERS, sendStream } from '../../http/index.js';
import { fileIn } from '../../web/index.js';
import type { StoreRequest } from '../call/index.js';

import { FormRedirect, FormPage, FormFragment } from './form-results.js';
import {
  addressOf,
  STORE_FORM_METADATA,
  STORE_PAGE_METADATA,
  type StoreFormDeclaration,
  type StorePageDeclaration,
} from './page-declaration.js';
import { firstOf, pageRequest, type PageRequest } from './page-request.js';
import { isFetched, StorePageSender } from './store-page-sender.js';
import { Refusals } from './refusals.js';

type PageMethod = (request: PageRequest, res: ServerResponse) => object | Promise<object>;

/** Renders the result of a page method. */
@Injectable()
export class StorePageAnswers implements NestInterceptor {
  constructor(private readonly pages: StorePageSender) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<void> {
    const page = Reflect.getMetadata(STORE_PAGE_METADATA, context.getHandler()) as StorePageDeclaration;
    const http = context.switchToHttp();
    const [req, res] = [http.getRequest<StoreRequest & Request>(), http.getResponse<ServerResponse>()];
    return from(this.answer(page, req, res, next));
  }

  private async answer(
    page: StorePageDeclaration,
    req: StoreRequest & Request,
    res: ServerResponse,
    next: CallHandler<object>,
  ): Promise<void> {
    if (this.pages.switchLanguage(req, res)) return;
    const vars = await lastValueFrom(next.handle());
    const file = fileIn(vars);
    if (file) return sendStream(res, 200, { ...PLAIN_HEADERS, ...file.headers }, file.body);
    await this.pages.send(req, res, page, vars);
  }
}

/** Redirects after a form, or shows its page again with the error. */
@Injectable()
export class StoreFormAnswers implements NestInterceptor {
  constructor(
    private readonly pages: StorePageSender,
    private readonly refusals: Refusals,
    private readonly modules: ModuleRef,
    private readonly admission: BodyAdmission,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<void> {
    const http = context.switchToHttp();
    const [req, res] = [http.getRequest<StoreRequest & Request>(), http.getResponse<ServerResponse>()];
    return from(this.answer(context, req, res, next)).pipe(finalize(() => this.admission.done(req)));
  }

  private async answer(context: ExecutionContext, req: StoreRequest & Request, res: ServerResponse, next: CallHandler): Promise<void> {
    const form = Reflect.getMetadata(STORE_FORM_METADATA, context.getHandler()) as StoreFormDeclaration;
    let result: unknown;
    try {
      result = await lastValueFrom(next.handle());
    } catch (error) {
      const refusal = await this.refusals.of(error, req);
      // The exception filter handles a required sign-in and server errors.
      if (!refusal || (refusal.status === 401 && refusal.code === 'LOGIN_REQUIRED')) throw error;
      if (isFetched(req)) return this.pages.sendProblem(req, res, refusal);
      // After the reader has seen the conflict, submitting again overwrites it.
      if (refusal.stale && req.body instanceof URLSearchParams) req.body.set('row_version', refusal.stale.row_version);
      return this.showAgain(context, form, req, res, { problem: refusal }, refusal.status, true);
    }
    if (result instanceof FormRedirect) return this.pages.redirectAfter(req, res, result);
    if (result instanceof FormFragment && isFetched(req)) return this.pages.sendFragment(req, res, result.view, result.vars);
    if (result instanceof FormFragment) return this.showAgain(context, form, req, res, result.vars, 200, true);
    if (result instanceof FormPage) {
      // A script that expects an error message gets the whole page instead.
      const headers = { 'HX-Retarget': '#view', 'HX-Reselect': '#view', 'HX-Reswap': 'outerHTML' };
      if (isFetched(req)) res.setHeaders(new Map(Object.entries(headers)));
      return this.showAgain(context, form, req, res, { ...result.vars, told: this.pages.messageOf(req, result) }, 200, false);
    }
    throw new Error(`The form ${form.path} returns nothing.`);
  }

  /** Shows the page of the form, which often has another address: links are resolved from that address, and the form's query is dropped. */
  private async showAgain(
    context: ExecutionContext,
    { page: name }: StoreFormDeclaration,
    req: StoreRequest & Request,
    res: ServerResponse,
    vars: object,
    status: number,
    withTyped: boolean,
  ): Promise<void> {
    const controller = this.modules.get<Record<string, PageMethod>>(context.getClass(), { strict: false });
    const method = controller[name]!;
    const page = Reflect.getMetadata(STORE_PAGE_METADATA, method) as StorePageDeclaration;
    const values = req.body instanceof URLSearchParams ? firstOf(req.body) : {};
    const request: PageRequest = { ...pageRequest(req), query: {}, refused: withTyped ? { values } : undefined };
    const shown = await method.call(controller, request, res);
    await this.pages.send(req, res, page, { ...shown, ...vars }, { status, address: addressOf(page, request.params) });
  }
}
