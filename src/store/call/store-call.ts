import type { IncomingMessage } from 'node:http';

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import type { BodyIntake } from '../../http/index.js';
import type { StoreRole, TokenScope } from '../entities/index.js';

/** Authenticated sender of a request. Role and ban status are current as of this request. */
export interface StoreCaller {
  readonly id: number;
  readonly username: string;
  readonly role: StoreRole;
  /** Browser session; null for an API token. */
  readonly sessionId: number | null;
  /** Scopes of the token; null for a session, which may do everything its account may. */
  readonly scopes: readonly TokenScope[] | null;
  /** The only item a token is valid for; absent: all of the account. */
  readonly itemId?: number | null;
}

/** A request as the store's endpoints see it. */
export interface StoreCall {
  readonly caller: StoreCaller | null;
  /** Client address; forwarding headers count only as configured by TRUST_PROXY. */
  readonly ip: string;
  readonly userAgent: string;
  readonly locale: Locale;
  /** Token of the session cookie, if present. */
  readonly sessionToken: string | undefined;
  /** Token of the device cookie, if present. */
  readonly deviceToken: string | undefined;
  readonly secure: boolean;
}

/** A request that passed the guard. */
export type StoreRequest = IncomingMessage & {
  store?: StoreCall;
  body?: unknown;
  /** Accepts the body, up to this many bytes. */ admit?: (limit: number) => BodyIntake;
};

/** Injects the {@link StoreCall} into a handler. */
export const Call = createParamDecorator((_data: unknown, context: ExecutionContext): StoreCall => {
  return context.switchToHttp().getRequest<StoreRequest>().store!;
});

/** Injects the caller into a handler that requires an account. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): StoreCaller => {
  return context.switchToHttp().getRequest<StoreRequest>().store!.caller!;
});
