import type { IncomingMessage } from 'node:http';

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import type { BodyIntake } from '../../http/index.js';
import type { StoreRole, TokenScope } from '../entities/index.js';

/** Authenticated sender of a request. Role and ban are as of this request, never as of the sign-in. */
export interface StoreCaller {
  readonly id: number;
  readonly username: string;
  readonly role: StoreRole;
  /** The session of a browser; null for a program with a token. */
  readonly sessionId: number | null;
  /** What the token may be used for; null for a session, which may do what its account may. */
  readonly scopes: readonly TokenScope[] | null;
  /** The one item a token is for; absent: all of the account. */
  readonly itemId?: number | null;
}

/** Request as endpoints of the store see it. */
export interface StoreCall {
  readonly caller: StoreCaller | null;
  /** Address of the client; a header counts only as far as TRUST_PROXY vouches for it. */
  readonly ip: string;
  readonly userAgent: string;
  readonly locale: Locale;
  /** The token of the session cookie, if one came. */
  readonly sessionToken: string | undefined;
  /** The token of the device cookie, if one came. */
  readonly deviceToken: string | undefined;
  readonly secure: boolean;
}

/** A request the guard has looked at. */
export type StoreRequest = IncomingMessage & {
  store?: StoreCall;
  body?: unknown;
  /** Takes its body in, of at most so many bytes. */ admit?: (limit: number) => BodyIntake;
};

/** The {@link StoreCall} of a handler. */
export const Call = createParamDecorator((_data: unknown, context: ExecutionContext): StoreCall => {
  return context.switchToHttp().getRequest<StoreRequest>().store!;
});

/** The caller of a handler that nobody reaches without an account. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): StoreCaller => {
  return context.switchToHttp().getRequest<StoreRequest>().store!.caller!;
});
