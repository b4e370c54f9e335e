import { Injectable } from '@nestjs/common';

import { FailureLimits, RateLimited } from '../../auth/index.js';
import { Faults, PluginCalls, type CallKind, type Undo } from '../../common/index.js';
import { Routes } from '../../operations/index.js';
import { PaymentRegistry, RETURN_COOKIE, RejectedNotifications, returnPath, tracedNotify, type NotifyTrace } from '../../payment/index.js';
import type { CallContext, GatewayReply, PaymentRecord } from '../../sdk/index.js';

/** Answer to the server of a gateway. */
interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Answers by which gateways learn that a notification was not accepted: `fail`, `failure`, `{"code":"FAIL"}`, `error`. */
const SAYS_NO = /fail|error|invalid|denied/i;
/** Refused notifications per gateway and address before it is limited: sixty in ten minutes. */
const REFUSED = { limit: 60, windowSeconds: 600 };
/** Callbacks of gateways take precedence over a plugin's catch-all route of the same path. */
const CALLBACK_PRIORITY = 0;

/** Registers gateways of plugins; `notify` and `return` of a gateway become routes of their own. */
@Injectable()
export class GatewayRegistrations {
  constructor(
    private readonly registry: PaymentRegistry,
    private readonly routes: Routes,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly failures: FailureLimits,
    private readonly rejected: RejectedNotifications,
  ) {}

  /**
   * Registers the gateway of a plugin with its callbacks.
   *
   * @returns removes all of it
   * @throws Error if the record is incomplete
   */
  register(slug: string, info: PaymentRecord): Undo {
    if (typeof info !== 'object' || info === null) throw new Error(`${slug}: a gateway needs a record with name, methods and build.`);
    const { notify, return: comeBack } = info;
    const undos = [this.registry.register(slug, this.blamedRecord(slug, info), slug)];
    try {
      if (notify) {
        const guarded = this.guarded(slug, 'notify', notify);
        undos.push(
          this.route(slug, 'notify', async (ctx) => {
            const reply = await this.answered(slug, ctx, guarded);
            return { status: reply.status, headers: { 'Content-Type': `${reply.type}; charset=utf-8` }, body: reply.body };
          }),
        );
      }
      if (comeBack) {
        const guarded = this.guarded(slug, 'return', comeBack);
        undos.push(
          this.route(slug, 'return', async (ctx) => {
            const result = await guarded(ctx);
            if (typeof result === 'string' && result.startsWith('<')) return result;
            return {
              status: 302,
              headers: { Location: typeof result === 'string' && result !== '' ? result : (returnPath(ctx.cookies[RETURN_COOKIE]) ?? '/') },
              body: '',
            };
          }),
        );
      }
    } catch (error) {
      for (const undo of undos) undo();
      throw error;
    }
    return () => {
      for (const undo of undos.reverse()) undo();
    };
  }

  /** Runs a notification and returns the gateway's answer; notifications that were not accepted are recorded. */
  private async answered(slug: string, ctx: CallContext, notify: (ctx: CallContext) => unknown): Promise<Reply> {
    const trace: NotifyTrace = { taken: false, refusals: [], words: [] };
    try {
      const reply = replyOf((await tracedNotify(trace, () => notify(ctx))) as string | GatewayReply);
      const isRefusal = reply.status >= 400 || SAYS_NO.test(reply.body.slice(0, 200));
      if (isRefusal) await this.refused(slug, ctx.ip);
      await this.rejected.ofNotify(slug, ctx, trace, isRefusal ? reply.body : null);
      return reply;
    } catch (error) {
      if (!(error instanceof RateLimited)) await this.rejected.ofFailure(slug, ctx, trace, error);
      throw error;
    }
  }

  /**
   * Counts a refused notification. Valid ones are never limited.
   *
   * @throws RateLimited beyond {@link REFUSED}
   */
  private async refused(slug: string, ip: string): Promise<void> {
    const seconds = await this.failures.count(`pay:${slug}`, ip, REFUSED);
    if (seconds > 0) throw new RateLimited(seconds);
  }

  /** Wraps the callbacks that the panel calls; the registry rejects anything else that is not a function. */
  private blamedRecord(slug: string, info: PaymentRecord): PaymentRecord {
    if (typeof info.build !== 'function') throw new Error(`${slug}: build of the gateway must be a function.`);
    const { build, query, refund, test, ready } = info;
    return {
      ...info,
      build: this.blamed(slug, 'build', build),
      ...(typeof query === 'function' && { query: this.blamed(slug, 'query', query) }),
      ...(typeof refund === 'function' && { refund: this.blamed(slug, 'refund', refund) }),
      ...(typeof test === 'function' && { test: this.blamed(slug, 'test', test) }),
      ...(typeof ready === 'function' && { ready: this.blamed(slug, 'ready', ready, 'page') }),
    };
  }

  /** Wraps a callback with a deadline; what it throws is noted as a fault of the plugin and passed on. */
  private blamed<Args extends unknown[], Result>(
    slug: string,
    name: string,
    callback: (...args: Args) => Result | Promise<Result>,
    kind: CallKind = 'payment',
  ): (...args: Args) => Promise<Result> {
    const place = `${name} of the gateway`;
    const run = this.calls.guard(slug, place, { kind }, callback);
    return async (...args) => {
      try {
        return await run(...args);
      } catch (error) {
        this.faults.note(slug, place, error);
        throw error;
      }
    };
  }

  private guarded<Result>(slug: string, kind: 'notify' | 'return', callback: (ctx: CallContext) => Result): (ctx: CallContext) => Result {
    return this.calls.guard(slug, `${kind} of the gateway`, { kind: 'payment' }, callback);
  }

  private route(slug: string, kind: 'notify' | 'return', serve: (ctx: CallContext) => Promise<object | string>): () => void {
    const handler = {
      callback: (_params: Record<string, string>, ctx: CallContext) =>
        // Gateways call by GET or POST only.
        ctx.method === 'GET' || ctx.method === 'POST' ? serve(ctx) : (false as const),
      auth: null,
      csrfExempt: true,
      rate: 'callback' as const,
      // Payments have a log of their own.
      audit: false as const,
    };
    return this.routes.add({ method: '*', path: `/pay/${slug}/${kind}`, priority: CALLBACK_PRIORITY, owner: slug, handler });
  }
}

/** Converts the return value of `notify`; a status outside 200-499 becomes 400. */
function replyOf(answer: string | GatewayReply): Reply {
  if (typeof answer !== 'object' || answer === null) return { status: 200, type: 'text/plain', body: String(answer) };
  const { status = 200, body = '' } = answer;
  const isKnown = Number.isInteger(status) && status >= 200 && status < 500;
  const isText = typeof body === 'string';
  return { status: isKnown ? status : 400, type: isText ? 'text/plain' : 'application/json', body: isText ? body : JSON.stringify(body) };
}
