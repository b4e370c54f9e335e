import { Injectable } from '@nestjs/common';

import { FailureLimits, RateLimited } from '../../auth/index.js';
import { Faults, localeOf, PluginCalls, type CallKind, type RegistrationScope } from '../../common/index.js';
import { Routes } from '../../operations/index.js';
import {
  Dispatch,
  PaymentLog,
  PaymentMethods,
  PaymentRegistry,
  RETURN_COOKIE,
  RejectedNotifications,
  Settlement,
  parsePayType,
  payType,
  returnPath,
  tracedNotify,
  type NotifyTrace,
} from '../../payment/index.js';
import type { CallContext, GatewayReply, PaymentMethodRecord, PaymentRecord, SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { requirePermission } from '../package/permissions.js';

/** The functions of the facade about money. */
export type PaymentFunctions = Pick<
  SvcFacade,
  | 'svc_register_payment'
  | 'svc_get_payment_plugins'
  | 'svc_get_enabled_payment_methods'
  | 'svc_save_payment_methods'
  | 'svc_pay_type'
  | 'svc_pay_parse_type'
  | 'svc_pay_dispatch_gateway'
  | 'svc_pay_settle_order'
  | 'svc_pay_log'
>;

/** What a gateway's server is told. */
interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What gateways are told that a notification was not accepted: `fail`, `failure`, `{"code":"FAIL"}`, `error`. */
const SAYS_NO = /fail|error|invalid|denied/i;
/** Notifications of one address a gateway may refuse: sixty in ten minutes. */
const REFUSED = { limit: 60, windowSeconds: 600 };
/** Callbacks of gateways come before any plugin's catch-all of the same path. */
const CALLBACK_PRIORITY = 0;

/** Binds the payment module to one plugin; a gateway's `notify` and `return` become routes of their own. */
@Injectable()
export class PaymentFunctionsFactory {
  constructor(
    private readonly registry: PaymentRegistry,
    private readonly methods: PaymentMethods,
    private readonly dispatch: Dispatch,
    private readonly settlement: Settlement,
    private readonly log: PaymentLog,
    private readonly routes: Routes,
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly failures: FailureLimits,
    private readonly rejected: RejectedNotifications,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): PaymentFunctions {
    const { slug } = plugin;
    return {
      svc_register_payment: (target, info) => {
        if (target !== slug) throw new Error(`${slug}: a gateway is registered under the plugin's own slug, not "${target}".`);
        return registrations.add(this.register(slug, info));
      },
      svc_get_payment_plugins: () => this.registry.all(),
      // For buyers to choose from: a gateway that is off is not among them.
      svc_get_enabled_payment_methods: async (locale) => {
        const methods = await this.methods.available(undefined, locale === undefined ? undefined : localeOf(locale));
        return methods.map(({ type: _type, ...method }) => method);
      },
      svc_save_payment_methods: async (methods) => {
        requirePermission(plugin, 'settings', 'svc_save_payment_methods');
        return this.saveMethods(methods);
      },
      svc_pay_type: payType,
      svc_pay_parse_type: parsePayType,
      svc_pay_dispatch_gateway: (order, type) => this.dispatch.dispatch(typeof order === 'object' ? order.id : order, type),
      svc_pay_settle_order: (order, gateway, extra) => this.settlement.settle(order, gateway, extra),
      svc_pay_log: (content, level) => this.log.ofGateway(slug, content, level),
    };
  }

  /** What the plugin saves is of the gateways it sees; rows of those that are off at the moment stay. */
  private async saveMethods(methods: Partial<PaymentMethodRecord>[]): Promise<PaymentMethodRecord[]> {
    if (!Array.isArray(methods)) return this.methods.save(methods);
    const unseen = this.methods.enabled().filter(({ plugin }) => !this.registry.get(plugin));
    return this.methods.save([...methods, ...unseen]);
  }

  private register(slug: string, info: PaymentRecord): () => void {
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

  /** What the gateway answers to a notification; one that was not accepted is kept. */
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
   * A notification was not accepted. Right ones are at any time: only those beyond the limit are answered otherwise.
   *
   * @throws RateLimited
   */
  private async refused(slug: string, ip: string): Promise<void> {
    const seconds = await this.failures.count(`pay:${slug}`, ip, REFUSED);
    if (seconds > 0) throw new RateLimited(seconds);
  }

  /** What the panel calls by itself; what is no function is the registry's to refuse. */
  private blamedRecord(slug: string, info: PaymentRecord): PaymentRecord {
    if (typeof info.build !== 'function') throw new Error(`${slug}: the gateway's build needs a function.`);
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

  /** A callback with its time; the payment module survives what it throws, the plugin list names it. */
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
        // Gateways call by GET or POST; anything else is none of theirs.
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

/** What a gateway is told; a status that says nothing of a notification is a refusal. */
function replyOf(answer: string | GatewayReply): Reply {
  if (typeof answer !== 'object' || answer === null) return { status: 200, type: 'text/plain', body: String(answer) };
  const { status = 200, body = '' } = answer;
  const isKnown = Number.isInteger(status) && status >= 200 && status < 500;
  const isText = typeof body === 'string';
  return { status: isKnown ? status : 400, type: isText ? 'text/plain' : 'application/json', body: isText ? body : JSON.stringify(body) };
}
