import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { RateLimited, authFailureBody } from '../../auth/index.js';
import { Faults, PluginCallError, runInFrame, translate, takeChanges, type Undo } from '../../common/index.js';
import { failureReply, sendJson, sendRedirect } from '../../http/index.js';
import type { AuthPolicy, CallContext, PluginRateClass, RouteResult } from '../../sdk/index.js';

import { Admission, type Requirements } from '../admission.js';
import { AUDIT_LOCALE, AuditLog, type AuditLine } from '../audit-log.js';
import { pluginLine } from '../operation-line.js';
import { Changeovers } from '../changeovers.js';
import { isFailure } from '../answers/envelope.js';
import { AuthFailure, FormRefusal, OperationError } from '../errors.js';
import type { RequestContext } from '../call/call.js';

import { isPanelAddress, requireOpenAddress } from './panel-addresses.js';
import { parseRoutePath } from './route-path.js';
import { sendRouteResult } from './route-result.js';
import { NO_ROUTES, RouteTable, type RouteDefinition, type RegisteredRoute, type RouteMatch } from './route-table.js';

/** Handler of a route, with the policies it runs under. */
export interface RouteHandler {
  readonly callback: (params: Record<string, string>, ctx: CallContext) => RouteResult | Promise<RouteResult>;
  readonly auth: AuthPolicy;
  readonly csrfExempt: boolean;
  /** Rate class; `public` is counted when the request comes in. */
  readonly rate: PluginRateClass;
  /** Text for the operation log; false if the plugin logs elsewhere. By default every request except GET and HEAD is logged. */
  readonly audit?: string | false;
  /** Name of the caller if the plugin signs in its own users; null for an anonymous caller. */
  readonly actor?: (ctx: CallContext) => string | null | Promise<string | null>;
}

/** Outcome of offering a request to the routes; `none`: no route took it, and nothing was sent. */
export type RouteOutcome = 'handled' | 'none' | 'cross-site' | 'failed';

/** All routes of plugins, in one table behind the catch-all instead of Express's own stack. */
@Injectable()
export class Routes extends RouteTable<RouteHandler> {
  /** @throws RouteRefusedError as {@link RouteTable.add}, and for an address of the panel or of another gateway */
  override add(route: RouteDefinition<RouteHandler>): Undo {
    requireOpenAddress(route.path, parseRoutePath(route.path).segments, route.owner);
    return super.add(route);
  }

  override match(method: string, path: string): readonly RouteMatch<RouteHandler>[] {
    return isPanelAddress(path) ? NO_ROUTES : super.match(method, path);
  }
}

/** Offers a request to the routes that match it, by priority, until one takes it. */
@Injectable()
export class RouteDispatcher {
  constructor(
    private readonly routes: Routes,
    private readonly admission: Admission,
    private readonly faults: Faults,
    private readonly audit: AuditLog,
    private readonly changeovers: Changeovers,
  ) {}

  /** Returns the routes that match, best first, without running any. */
  candidates(method: string, path: string): readonly RouteMatch<RouteHandler>[] {
    return this.routes.match(method, path);
  }

  /**
   * Offers a request to the matching routes. If none takes it during a changeover of plugins, tries again with the routes after it.
   *
   * @throws RateLimited; PluginCallError of a route that does not answer
   * @param crossSite whether the request comes from another site and may change data
   */
  async offer(call: RequestContext, res: ServerResponse, crossSite: boolean): Promise<RouteOutcome> {
    const { mark } = this.changeovers;
    const outcome = await this.dispatch(this.candidates(call.method, call.path), call, res, crossSite);
    if (outcome !== 'none' || !(await this.changeovers.passed(mark))) return outcome;
    return this.dispatch(this.candidates(call.method, call.path), call, res, crossSite);
  }

  /**
   * Runs the matching routes until one takes the request.
   *
   * @throws RateLimited; PluginCallError of a route that does not answer
   * @param crossSite whether the request comes from another site and may change data
   */
  private async dispatch(
    matches: readonly RouteMatch<RouteHandler>[],
    call: RequestContext,
    res: ServerResponse,
    crossSite: boolean,
  ): Promise<RouteOutcome> {
    for (const { entry, params } of matches) {
      const { callback, csrfExempt } = entry.handler;
      if (crossSite && !csrfExempt) return 'cross-site';
      call.params = params;
      try {
        const frame = { owner: entry.owner, call };
        if (!(await this.admits(entry, res, call))) return 'handled';
        const actor = await runInFrame(frame, () => actorOf(entry, call));
        const result = await runInFrame(frame, () => callback(params, call));
        if (result === false) continue;
        await this.writeAudit(entry, actor, result, call);
        await sendRouteResult(res, result, call);
        return 'handled';
      } catch (error) {
        if (error instanceof AuthFailure) {
          sendAuthFailure(res, error.policy, call);
          return 'handled';
        }
        if (error instanceof FormRefusal) {
          sendJson(res, failureReply(error.reason, call.locale));
          return 'handled';
        }
        if (error instanceof RateLimited) throw error;
        this.faults.report(entry.owner, `route ${entry.method} ${entry.path}`, error);
        if (error instanceof PluginCallError) throw error;
        return 'failed';
      }
    }
    return 'none';
  }

  /**
   * Checks what the route requires; sends the answer if role or second factor are missing.
   *
   * @throws AuthFailure; RateLimited; what the policy throws
   */
  private async admits(entry: RegisteredRoute<RouteHandler>, res: ServerResponse, call: RequestContext): Promise<boolean> {
    try {
      await this.admission.admit(requirementsOf(entry), call, (access, permissions) => permissions.mayUsePlugin(access, entry.owner));
      return true;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      sendJson(res, failureReply(error, call.locale));
      return false;
    }
  }

  /** Writes a log line for callers with an account only: anonymous requests must not fill the log. */
  private async writeAudit(
    entry: RegisteredRoute<RouteHandler>,
    actor: string | null,
    result: RouteResult,
    call: RequestContext,
  ): Promise<void> {
    const text = auditText(entry, call.method);
    if (actor === null || text === null || isRefusal(result)) return;
    await this.audit.write({ actor, category: 'route', ...text, ip: call.ip, outcome: 'ok', changes: takeChanges(call) });
  }
}

/** Returns the actor for the log: the plugin's own user, else the account of the panel; null for an anonymous caller. */
async function actorOf({ owner, handler: { actor, audit } }: RegisteredRoute<RouteHandler>, call: RequestContext): Promise<string | null> {
  const isAsked = actor !== undefined && audit !== false && call.method !== 'GET' && call.method !== 'HEAD';
  const own = isAsked ? await actor(call) : null;
  if (typeof own === 'string' && own.trim() !== '') return `${owner}:${own.trim()}`;
  return (call.admin ?? call.user)?.username ?? null;
}

/** Logs the path as registered, because its values may be secrets. Null: no line. */
function auditText({ owner, path, handler }: RegisteredRoute<RouteHandler>, method: string): AuditLine | null {
  if (handler.audit === false) return null;
  if (handler.audit !== undefined) return pluginLine(owner, handler.audit);
  if (method === 'GET' || method === 'HEAD') return null;
  const text = { key: 'operations.audit_route', params: { plugin: owner, method, path } };
  return { summary: translate(AUDIT_LOCALE, text.key, text.params), text, plugin: owner };
}

/** The answer reports that nothing was done. */
function isRefusal(result: RouteResult): boolean {
  const status = typeof result === 'object' && result !== null && 'status' in result ? Number(result.status) : 200;
  return status >= 400 || isFailure(result);
}

/** A policy that is a function decides alone: whom it admits need not have an account of the panel. */
function requirementsOf({ owner, handler: { auth, rate } }: RegisteredRoute<RouteHandler>): Requirements {
  const side = auth === 'admin' || auth === 'user' ? auth : null;
  return { owner, auth, side, closesWithUserPanel: false, rate: rate === 'public' ? null : rate };
}

/**
 * Answers a caller whom the policy refuses. A policy of the plugin's own redirects browsers that navigate to the login page and answers
 * everything else in JSON; `admin` and `user` always answer JSON.
 */
export function sendAuthFailure(res: ServerResponse, policy: AuthPolicy, call: RequestContext): void {
  if (typeof policy === 'function' && isNavigation(call)) {
    sendRedirect(res, call.scope === 'admin' ? '/admin/login' : '/user/login');
    return;
  }
  sendJson(res, { status: 200, body: authFailureBody(policy) });
}

/** A browser navigates to a page: GET that accepts HTML. */
export function isNavigation(call: RequestContext): boolean {
  return call.method === 'GET' && String(call.headers.accept ?? '').includes('text/html');
}
