import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { AuthPolicyChecker, RateGate, RateLimited, accessOf, authFailureBody } from '../../auth/index.js';
import { Faults, PluginCallError, runInFrame, translate, takeChanges, type Undo } from '../../common/index.js';
import { failureReply, sendJson, sendRedirect } from '../../http/index.js';
import type { AuthPolicy, CallContext, PluginRateClass, RouteResult } from '../../sdk/index.js';

import { AUDIT_LOCALE, AuditLog, type AuditLine } from '../audit-log.js';
import { pluginLine } from '../operation-line.js';
import { Changeovers } from '../changeovers.js';
import { refuses } from '../answers/envelope.js';
import { AuthFailure, FormRefusal, OperationError } from '../errors.js';
import type { RequestContext } from '../call/call.js';
import { Permissions } from '../permissions.js';
import { SecondFactorGate } from '../second-factor-gate.js';

import { isPanelAddress, requireOpenAddress } from './panel-addresses.js';
import { parseRoutePath } from './route-path.js';
import { sendRouteResult } from './route-result.js';
import { NO_ROUTES, RouteTable, type RouteDefinition, type RegisteredRoute, type RouteMatch } from './route-table.js';

/** Handler of a route, with the policies it runs under. */
export interface RouteHandler {
  readonly callback: (params: Record<string, string>, ctx: CallContext) => RouteResult | Promise<RouteResult>;
  readonly auth: AuthPolicy;
  readonly csrfExempt: boolean;
  /** Of every route; `public` was counted when the request came in. */
  readonly rate: PluginRateClass;
  /**
   * What it does, for the operation log; false where that is written elsewhere. Where nothing is given, the panel writes
   * down everything but GET and HEAD.
   */
  readonly audit?: string | false;
  /** Whose request it is, where neither session of the panel says so; null for nobody's. */
  readonly actor?: (ctx: CallContext) => string | null | Promise<string | null>;
}

/** Outcome of a request that was offered to the routes; `none`: no route took it, and nothing was sent. */
export type RouteOutcome = 'handled' | 'none' | 'cross-site' | 'failed';

/** Every generic route: one table behind the catch-all, never in Express's own stack. */
@Injectable()
export class Routes extends RouteTable<RouteHandler> {
  /** @throws RouteRefusedError as {@link RouteTable.add}, and for an address that is the panel's or another gateway's */
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
    private readonly policies: AuthPolicyChecker,
    private readonly faults: Faults,
    private readonly gate: RateGate,
    private readonly audit: AuditLog,
    private readonly permissions: Permissions,
    private readonly secondFactors: SecondFactorGate,
    private readonly changeovers: Changeovers,
  ) {}

  /** The routes that could take this request, best first; none is run. */
  candidates(method: string, path: string): readonly RouteMatch<RouteHandler>[] {
    return this.routes.match(method, path);
  }

  /**
   * Offers a request to the routes that match it; where none takes it while routes are being exchanged, to those there are then.
   *
   * @throws RateLimited; PluginCallError of a route that does not answer
   * @param crossSite whether the request comes from another site and would change something
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
   * @param crossSite whether the request comes from another site and would change something
   */
  private async dispatch(
    matches: readonly RouteMatch<RouteHandler>[],
    call: RequestContext,
    res: ServerResponse,
    crossSite: boolean,
  ): Promise<RouteOutcome> {
    for (const { entry, params } of matches) {
      const { callback, auth, csrfExempt, rate } = entry.handler;
      if (crossSite && !csrfExempt) return 'cross-site';
      call.params = params;
      try {
        const frame = { owner: entry.owner, call };
        const allowed =
          typeof auth === 'function' ? runInFrame(frame, () => this.policies.check(auth, call)) : this.policies.check(auth, call);
        if (!(await allowed)) {
          sendAuthFailure(res, auth, call);
          return 'handled';
        }
        if (auth === 'admin' && !this.permissions.mayUsePlugin(accessOf(call.admin), entry.owner)) {
          sendJson(res, failureReply(new OperationError('NOT_ALLOWED'), call.locale));
          return 'handled';
        }
        if ((auth === 'admin' || auth === 'user') && !(await this.secondFactors.admits(auth, call[auth]))) {
          sendJson(res, failureReply(new OperationError('SECOND_FACTOR_FIRST'), call.locale));
          return 'handled';
        }
        if (rate !== 'public') await this.gate.admit(rate, call.ip, callerOf(call));
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

  /** One line for what somebody with an account did; what strangers do must not fill the log. */
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

/** Who acts: whom the plugin signed in itself, else whose session of the panel it is; null for strangers. */
async function actorOf({ owner, handler: { actor, audit } }: RegisteredRoute<RouteHandler>, call: RequestContext): Promise<string | null> {
  const isAsked = actor !== undefined && audit !== false && call.method !== 'GET' && call.method !== 'HEAD';
  const own = isAsked ? await actor(call) : null;
  if (typeof own === 'string' && own.trim() !== '') return `${owner}:${own.trim()}`;
  return (call.admin ?? call.user)?.username ?? null;
}

/** Path as it was registered: its values may be secrets. Null for what leaves no line. */
function auditText({ owner, path, handler }: RegisteredRoute<RouteHandler>, method: string): AuditLine | null {
  if (handler.audit === false) return null;
  if (handler.audit !== undefined) return pluginLine(owner, handler.audit);
  if (method === 'GET' || method === 'HEAD') return null;
  const text = { key: 'operations.audit_route', params: { plugin: owner, method, path } };
  return { summary: translate(AUDIT_LOCALE, text.key, text.params), text, plugin: owner };
}

/** An answer that says nothing was done. */
function isRefusal(result: RouteResult): boolean {
  const status = typeof result === 'object' && result !== null && 'status' in result ? Number(result.status) : 200;
  return status >= 400 || refuses(result);
}

/** Whose requests are counted together; somebody may be signed in on both sides. */
function callerOf({ user, admin }: RequestContext): string | null {
  if (user) return `user:${user.id}`;
  return admin && `admin:${admin.id}`;
}

/**
 * The answer to somebody a policy does not let in: a check of the plugin's own sends a browser that navigates to the login
 * page and answers everything else in JSON; `admin` and `user` always answer their JSON.
 */
export function sendAuthFailure(res: ServerResponse, policy: AuthPolicy, call: RequestContext): void {
  if (typeof policy === 'function' && isNavigation(call)) {
    sendRedirect(res, call.scope === 'admin' ? '/admin/login' : '/user/login');
    return;
  }
  sendJson(res, { status: 200, body: authFailureBody(policy) });
}

/** A browser that goes to a page: a GET that wants HTML. */
export function isNavigation(call: RequestContext): boolean {
  return call.method === 'GET' && String(call.headers.accept ?? '').includes('text/html');
}
