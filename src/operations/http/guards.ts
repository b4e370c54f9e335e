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

import { authFailureBody } from '../../auth/index.js';
import { CORE_OWNER } from '../../common/index.js';
import { closingHeaders, failureReply, sendJson, type WireReply } from '../../http/index.js';
import type { CallContext } from '../../sdk/index.js';

import { Admission, type Requirements, type RolePermits } from '../admission.js';
import { CallFactory } from '../call/call-factory.js';
import { AuthFailure, OperationError } from '../errors.js';

/** Runs handlers of controllers under the same {@link Admission} as operations. Their rate is counted by `@Limited` or by the entry. */
@Injectable()
abstract class AdmissionGuard {
  constructor(
    private readonly calls: CallFactory,
    private readonly admission: Admission,
    protected readonly reflector: Reflector,
  ) {}

  protected async authorize(
    context: ExecutionContext,
    required: Pick<Requirements, 'auth' | 'side'>,
    permits: RolePermits = () => true,
  ): Promise<true> {
    const http = context.switchToHttp();
    const { side } = required;
    const call = await this.calls.of(http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>(), side ?? 'public');
    const own = this.reflector.get<true | undefined>(OWN, context.getHandler());
    await this.admission.authorize(
      { ...required, own, owner: CORE_OWNER, closesWithUserPanel: side === 'user', rate: null },
      call,
      permits,
    );
    return true;
  }
}

/**
 * Admits signed-in administrators whose role permits what the handler {@link Needs}. The filter in charge answers a refusal: that of pages
 * redirects to the login page, {@link RefusalFilter} answers everywhere else.
 *
 * @example
 * ```ts
 * @Get('report.csv')
 * @UseGuards(AdminGuard)
 * report(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> { … }
 * ```
 */
@Injectable()
export class AdminGuard extends AdmissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): Promise<true> {
    const needs = this.reflector.get<readonly string[] | undefined>(NEEDS, context.getHandler());
    return this.authorize(
      context,
      { auth: 'admin', side: 'admin' },
      (access, permissions) => access.isFull || needs?.every((name) => permissions.may(access, name)) === true,
    );
  }
}

const NEEDS = 'svc:needs';
const OWN = 'svc:own';

/** Marks a handler that concerns the caller's own account only: it needs no second factor that has yet to be set up. */
export const Own = (): MethodDecorator => SetMetadata(OWN, true);

/**
 * Names the operations an administrator must be permitted to run to use a handler behind {@link AdminGuard}; with no name, every
 * administrator may use it. Without `@Needs` only administrators with full access may.
 */
export const Needs = (...names: readonly string[]): MethodDecorator => SetMetadata(NEEDS, names);

/** Admits signed-in users while the user panel is open. */
@Injectable()
export class UserGuard extends AdmissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): Promise<true> {
    return this.authorize(context, { auth: 'user', side: 'user' });
  }
}

/** Decides whether to admit a request; looks up what it needs from providers. */
export type AuthCallback = (call: CallContext, providers: Pick<ModuleRef, 'get'>) => boolean | Promise<boolean>;

const AUTH_CALLBACK = 'svc:auth-callback';

/** Admits whom the callback of the handler admits; see {@link AdmittedBy}. */
@Injectable()
export class CallbackGuard extends AdmissionGuard implements CanActivate {
  constructor(
    calls: CallFactory,
    admission: Admission,
    reflector: Reflector,
    private readonly providers: ModuleRef,
  ) {
    super(calls, admission, reflector);
  }

  canActivate(context: ExecutionContext): Promise<true> {
    const callback = this.reflector.getAllAndOverride<AuthCallback>(AUTH_CALLBACK, [context.getHandler(), context.getClass()]);
    return this.authorize(context, { auth: (call) => callback(call, this.providers), side: null });
  }
}

/**
 * Protects a handler or a whole controller by a check of its own.
 *
 * @example
 * ```ts
 * @AdmittedBy((call, providers) => providers.get(SafeModeLink, { strict: false }).fits(call.query.token))
 * ```
 */
export const AdmittedBy = (callback: AuthCallback): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(AUTH_CALLBACK, callback), UseGuards(CallbackGuard));

/** Answers a refusal as the operations do, unless the controller has a filter of its own. */
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
