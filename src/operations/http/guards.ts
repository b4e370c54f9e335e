import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';

import { AuthPolicyChecker, accessOf, authFailureBody } from '../../auth/index.js';
import { closingHeaders, failureReply, sendJson, type WireReply } from '../../http/index.js';
import type { AuthPolicy, CallContext, Scope } from '../../sdk/index.js';

import { AuthFailure, OperationError } from '../errors.js';

import { Permissions } from '../permissions.js';
import { SecondFactorGate } from '../second-factor-gate.js';

import { CallFactory } from '../call/call-factory.js';
import type { RequestContext } from '../call/call.js';
import { UserPanelSwitch } from '../user-panel-switch.js';

@Injectable()
abstract class PolicyGuard {
  constructor(
    private readonly calls: CallFactory,
    private readonly policies: AuthPolicyChecker,
  ) {}

  protected callOf(context: ExecutionContext, scope: Scope | 'public'): Promise<RequestContext> {
    const http = context.switchToHttp();
    return this.calls.of(http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>(), scope);
  }

  protected async admit(call: RequestContext, policy: AuthPolicy): Promise<true> {
    if (!(await this.policies.check(policy, call))) throw new AuthFailure(policy);
    return true;
  }
}

/**
 * Lets in who is signed in as an administrator and may do what the handler {@link Needs}. Whom a guard refuses gets what the kind of answer
 * asks for: the filter of a page leads to the login page, {@link RefusalFilter} answers everywhere else.
 *
 * @example
 * ```ts
 * @Get('report.csv')
 * @UseGuards(AdminGuard)
 * report(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> { … }
 * ```
 */
@Injectable()
export class AdminGuard extends PolicyGuard implements CanActivate {
  constructor(
    calls: CallFactory,
    policies: AuthPolicyChecker,
    private readonly reflector: Reflector,
    private readonly permissions: Permissions,
    private readonly secondFactors: SecondFactorGate,
  ) {
    super(calls, policies);
  }

  async canActivate(context: ExecutionContext): Promise<true> {
    const call = await this.callOf(context, 'admin');
    await this.admit(call, 'admin');
    if (!this.reflector.get<boolean>(OWN, context.getHandler())) await this.secondFactors.require('admin', call.admin);
    const access = accessOf(call.admin);
    const needs = this.reflector.get<readonly string[] | undefined>(NEEDS, context.getHandler());
    if (!access.isFull && !needs?.every((name) => this.permissions.may(access, name))) throw new OperationError('NOT_ALLOWED');
    return true;
  }
}

const NEEDS = 'svc:needs';
const OWN = 'svc:own';

/** Marks a handler that is about the caller's own account alone: who has yet to set up the second factor he must have may use it too. */
export const Own = (): MethodDecorator => SetMetadata(OWN, true);

/**
 * Says what an administrator must be allowed to do to use a handler behind {@link AdminGuard}: names of operations, all of them; none lets
 * everybody in who is signed in. A handler that says nothing is for administrators without a role.
 */
export const Needs = (...names: readonly string[]): MethodDecorator => SetMetadata(NEEDS, names);

/** Lets in who is signed in on the user side, while that is open. */
@Injectable()
export class UserGuard extends PolicyGuard implements CanActivate {
  constructor(
    calls: CallFactory,
    policies: AuthPolicyChecker,
    private readonly userPanel: UserPanelSwitch,
    private readonly reflector: Reflector,
    private readonly secondFactors: SecondFactorGate,
  ) {
    super(calls, policies);
  }

  async canActivate(context: ExecutionContext): Promise<true> {
    const call = await this.callOf(context, 'user');
    this.userPanel.requireOpen();
    await this.admit(call, 'user');
    if (!this.reflector.get<boolean>(OWN, context.getHandler())) await this.secondFactors.require('user', call.user);
    return true;
  }
}

/** Says whether a request may come in; asks providers for what it has to know. */
export type AuthCallback = (call: CallContext, providers: Pick<ModuleRef, 'get'>) => boolean | Promise<boolean>;

const AUTH_CALLBACK = 'svc:auth-callback';

/** Lets in whom the callback of the handler lets in; see {@link AdmittedBy}. */
@Injectable()
export class CallbackGuard extends PolicyGuard implements CanActivate {
  constructor(
    calls: CallFactory,
    policies: AuthPolicyChecker,
    private readonly reflector: Reflector,
    private readonly providers: ModuleRef,
  ) {
    super(calls, policies);
  }

  async canActivate(context: ExecutionContext): Promise<true> {
    const callback = this.reflector.getAllAndOverride<AuthCallback>(AUTH_CALLBACK, [context.getHandler(), context.getClass()]);
    return this.admit(await this.callOf(context, 'public'), (call) => callback(call, this.providers));
  }
}

/**
 * Protects a handler, or all of a controller, by a check of its own.
 *
 * @example
 * ```ts
 * @AdmittedBy((call, providers) => providers.get(SafeModeLink, { strict: false }).fits(call.query.token))
 * ```
 */
export const AdmittedBy = (callback: AuthCallback): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(AUTH_CALLBACK, callback), UseGuards(CallbackGuard));

/** Answers whom a guard refused, where the controller has no filter of its own for that: as the operations do. */
@Catch(AuthFailure, OperationError)
export class RefusalFilter implements ExceptionFilter<AuthFailure | OperationError> {
  constructor(private readonly calls: CallFactory) {}

  catch(error: AuthFailure | OperationError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const req = http.getRequest<IncomingMessage>();
    const reply: WireReply =
      error instanceof AuthFailure ? { status: 200, body: authFailureBody(error.policy) } : failureReply(error, this.calls.localeOf(req));
    sendJson(http.getResponse<ServerResponse>(), { ...reply, headers: { ...reply.headers, ...closingHeaders(req) } });
  }
}
