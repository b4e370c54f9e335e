import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { addressForLimits, ClientAddress, CrossSiteCheck, DEVICE_COOKIES, EACH_ITS_OWN, RateGate, rateOf } from '../../auth/index.js';
import { BaseUrl } from '../../config/index.js';
import { ApiExtension, ApiSecurity, BodyAdmission, cookiesOf, localeOfRequest, pathOf, type Sender } from '../../http/index.js';
import type { TokenScope } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { SESSION_COOKIE } from './session-cookie.js';
import { type StoreCall, StoreCallers, type StoreRequest } from '../call/index.js';

/** Access level of an endpoint: everybody, any account, developers and administrators, or administrators only. */
export type AccessLevel = 'public' | 'user' | 'developer' | 'admin';

/** Access rule of an endpoint; see {@link StoreAccess}. */
export interface AccessRule {
  readonly level: AccessLevel;
  /** Scope an API token needs; null: API tokens are rejected. */
  readonly scope: TokenScope | null;
}

const ACCESS = 'store:access';
/** OpenAPI extension that carries an endpoint's {@link AccessRule}. */
export const ACCESS_EXTENSION = 'x-access' as const;

/**
 * Declares who may call an endpoint. An endpoint without a declaration rejects everybody.
 *
 * @param scope scope an API token needs; without one, tokens are rejected
 */
export const StoreAccess = (level: AccessLevel, scope: TokenScope | null = null): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { level, scope } satisfies AccessRule),
    ApiExtension(ACCESS_EXTENSION, { level, scope } satisfies AccessRule),
    // Authentication is optional on public endpoints but may reveal more.
    ...(level === 'public' ? [ApiSecurity({})] : []),
    ApiSecurity('session'),
    ...(scope ? [ApiSecurity('token', [scope])] : []),
  );

/** Returns the access rule of a handler; undefined if it declares none. */
export function accessRuleOf(handler: (...args: never[]) => unknown): AccessRule | undefined {
  return Reflect.getMetadata(ACCESS, handler) as AccessRule | undefined;
}

/** Authenticates the caller and checks the endpoint's access rule. */
@Injectable()
export class StoreGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: StoreCallers,
    private readonly addresses: ClientAddress,
    private readonly crossSite: CrossSiteCheck,
    private readonly baseUrl: BaseUrl,
    private readonly gate: RateGate,
    private readonly admission: BodyAdmission,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const req = context.switchToHttp().getRequest<StoreRequest>();
    const call = await this.callOf(req);
    req.store = call;
    req.admit = (limit) => this.admission.open(req, { limit, sender: senderOf(call) });
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    if (!rule) throw new StoreError('ADMIN_REQUIRED');
    // API tokens are sent deliberately; only cookies, which browsers attach automatically, are exposed to cross-site requests.
    if (call.caller?.scopes == null && this.crossSite.rejects(req)) throw new StoreError('CROSS_SITE');
    check(rule, call);
    checkItem(rule, call, pathOf(req.url ?? ''));
    const rate = rateOf(context.getHandler(), context.getClass());
    if (rate !== undefined && rate !== EACH_ITS_OWN) await this.gate.admit(rate, call.ip, call.caller && `store:${call.caller.id}`);
    return true;
  }

  private async callOf(req: StoreRequest): Promise<StoreCall> {
    const cookies = cookiesOf(req.headers);
    const sessionToken = cookies[SESSION_COOKIE];
    return {
      caller: await this.callers.find(sessionToken, req.headers.authorization),
      ip: this.addresses.of(req),
      userAgent: String(req.headers['user-agent'] ?? '').slice(0, 255),
      locale: localeOfRequest(req, undefined, cookies),
      sessionToken,
      deviceToken: cookies[DEVICE_COOKIES.store],
      secure: this.baseUrl.current().startsWith('https:'),
    };
  }
}

function senderOf({ caller, ip }: StoreCall): Sender {
  if (!caller) return { kind: 'stranger', who: addressForLimits(ip) };
  return { kind: caller.role === 'admin' ? 'administrator' : 'account', who: `store ${caller.id}` };
}

/** Endpoints a token for one item may also use: they change nothing of the account. */
const ITEM_INDEPENDENT_PATHS = ['/api/developer/validate', '/api/developer/preview', '/api/upload/image'];

/** A token for one item gives access to nothing else of its account. @throws StoreError TOKEN_ITEM */
function checkItem({ level }: AccessRule, { caller }: StoreCall, path: string): void {
  if (caller?.itemId == null || level === 'public' || ITEM_INDEPENDENT_PATHS.includes(path)) return;
  const requestedId = /^\/api\/(?:developer\/)?items\/(\d+)(?:\/|$)/.exec(path)?.[1];
  if (Number(requestedId) !== caller.itemId) throw new StoreError('TOKEN_ITEM');
}

function check({ level, scope }: AccessRule, { caller }: StoreCall): void {
  if (level === 'public') return;
  if (!caller) throw new StoreError('LOGIN_REQUIRED');
  if (caller.scopes && (scope === null || !caller.scopes.includes(scope))) throw new StoreError('TOKEN_SCOPE');
  if (level === 'admin' && caller.role !== 'admin') throw new StoreError('ADMIN_REQUIRED');
  if (level === 'developer' && caller.role !== 'developer' && caller.role !== 'admin') throw new StoreError('DEVELOPER_REQUIRED');
}
