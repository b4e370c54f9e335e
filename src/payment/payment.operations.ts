import { Inject, Injectable, Optional } from '@nestjs/common';

import { toFen } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { SuccessReply, NoInput, Operation, ListReply, checkVersion, versionLike } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { daysOf } from './day-range.js';
import { PaymentError } from './errors.js';
import { ORDER_ACCOUNTS, type OrderAccounts } from './order-accounts.js';
import { OrderExpiry } from './order-expiry.js';
import { OrderList } from './order-list.js';
import { noteOrderMade } from './order-made.js';
import { payPagePath } from './order-record.js';
import { orderWire } from './order-wire.js';
import { Orders } from './orders.js';
import { methodWire, rowsInFen } from './method-limits.js';
import { PaymentMethods, methodsForm } from './payment-methods.js';
import { PaymentRegistry } from './payment-registry.js';
import { payType } from './payment-type.js';
import {
  AddOrderInput,
  OrderListInput,
  OrderNumberInput,
  OrderSettingsInput,
  SavePaymentMethodsInput,
  SecondPaymentInput,
} from './payment.inputs.js';
import { SecondPayments } from './second-payments.js';

const NO_ACCOUNTS: OrderAccounts = { findForLogin: () => Promise.resolve(null) };

/** The AJAX operations of orders and payment methods. Source: docs/panel-api.md "Orders". */
@Injectable()
export class PaymentOperations {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly orders: Orders,
    private readonly list: OrderList,
    private readonly methods: PaymentMethods,
    private readonly registry: PaymentRegistry,
    private readonly expiry: OrderExpiry,
    private readonly secondPayments: SecondPayments,
    @Optional() @Inject(ORDER_ACCOUNTS) private readonly accounts: OrderAccounts = NO_ACCOUNTS,
  ) {}

  @Operation({ side: 'admin', gn: 'adddd', auth: 'admin', input: AddOrderInput, audit: 'payment.audit.order_created', rate: 'write' })
  async addOrder(input: AddOrderInput, ctx: CallContext): Promise<SuccessReply> {
    const { user, scene, name, rmb, ff } = input;
    const amount = toFen(rmb);
    if (amount === null) throw new PaymentError('ORDER_INVALID', { field: 'rmb' }, { rmb: 'payment.field.amount' });
    // Whose it is, is decided here and now: whoever gets the name later never sees it.
    const account = await this.accounts.findForLogin(user);
    const order = await this.orders.create({ user, owner: account && { account: account.id }, scene, name, amount, type: ff, ip: ctx.ip });
    noteOrderMade(this.database, order, { type: order.type });
    return new SuccessReply('payment.order_created', { id: order.id, ddh: order.number });
  }

  @Operation({ side: 'admin', gn: 'listdd', auth: 'admin', input: OrderListInput, audit: null, rate: 'read' })
  async listOrders(input: OrderListInput): Promise<ListReply> {
    const [{ total, orders }, nameOf] = await Promise.all([
      this.list.page({ ...input, ...daysOf(input, this.config.timezone) }),
      this.methods.names(),
    ]);
    return new ListReply(
      total,
      orders.map((order) => ({ ...orderWire(order, this.config.timezone, nameOf(order.type)), ip: order.ip })),
    );
  }

  @Operation({ side: 'user', gn: 'listdd', auth: 'user', input: OrderListInput, audit: null, rate: 'read' })
  async listOwnOrders(input: OrderListInput, ctx: CallContext): Promise<ListReply> {
    const [{ total, orders }, nameOf] = await Promise.all([
      this.list.page({ ...input, ...daysOf(input, this.config.timezone), accountId: accountOf(ctx) }),
      this.methods.names(),
    ]);
    return new ListReply(
      total,
      orders.map((order) => ({
        ...orderWire(order, this.config.timezone, nameOf(order.type)),
        pay_path: order.status === 'unpaid' ? payPagePath(order) : null,
      })),
    );
  }

  @Operation({ side: 'user', gn: 'ddcx', auth: 'user', input: OrderNumberInput, audit: null, rate: 'read' })
  async orderStatus(input: OrderNumberInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await this.orders.getOwn(input.ddh, accountOf(ctx));
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    return new SuccessReply('payment.found', { ddh: order.number, qk: order.status });
  }

  @Operation({
    side: 'admin',
    gn: 'setpaymethods',
    auth: 'admin',
    input: SavePaymentMethodsInput,
    audit: 'payment.audit.methods_saved',
    rate: 'write',
  })
  async saveMethods(input: SavePaymentMethodsInput): Promise<SuccessReply> {
    let methods: unknown;
    try {
      methods = JSON.parse(input.methods);
    } catch (error) {
      throw new PaymentError('METHODS_MALFORMED', {}, undefined, { cause: error });
    }
    const saved = await this.methods.save(rowsInFen(methods), (present) => checkVersion(input.row_version, methodsForm(present)));
    return new SuccessReply('payment.methods_saved', {
      methods: saved.map(methodWire),
      ...(input.row_version ? { row_version: versionLike(input.row_version, methodsForm(saved)) } : {}),
    });
  }

  /** The administrator has given a second payment back: nobody is told of it any more. */
  @Operation({
    side: 'admin',
    gn: 'zftk',
    auth: 'admin',
    input: SecondPaymentInput,
    audit: 'payment.audit.second_refunded',
    rate: 'write',
    secondProof: true,
  })
  async secondRefunded({ id }: SecondPaymentInput): Promise<SuccessReply> {
    if (!(await this.secondPayments.refunded(id))) throw new PaymentError('SECOND_PAYMENT_NOT_FOUND');
    return new SuccessReply('payment.second_refunded');
  }

  @Operation({ side: 'admin', gn: 'setdd', auth: 'admin', input: OrderSettingsInput, audit: 'payment.audit.order_settings', rate: 'write' })
  async saveOrderSettings({ order_ttl, row_version }: OrderSettingsInput): Promise<SuccessReply> {
    await this.expiry.setTtl(order_ttl, (present) => checkVersion(row_version, { order_ttl: present }));
    return new SuccessReply('payment.order_settings_saved', row_version ? { row_version: versionLike(row_version, { order_ttl }) } : {});
  }

  /** Every method somebody registered, and every enabled one, whose gateway may be switched off at the moment. */
  @Operation({ side: 'admin', gn: 'listzffs', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async listMethods(): Promise<ListReply> {
    const enabled = await this.methods.enabled();
    const enabledTypes = new Map(enabled.map((method) => [payType(method.plugin, method.method), method]));
    const rows = enabled.map((method) => {
      const found = this.registry.find(payType(method.plugin, method.method));
      const gateway = found?.gateway.name ?? '';
      return { ...methodWire(method), gateway, label: found?.method.label ?? '', registered: found !== undefined, enabled: true };
    });
    const others = this.registry.list().flatMap((gateway) =>
      [...gateway.methods]
        .filter(([key]) => !enabledTypes.has(payType(gateway.slug, key)))
        .map(([key, { label, icon }]) => ({
          plugin: gateway.slug,
          method: key,
          display_name: label,
          icon,
          sort: 99,
          gateway: gateway.name,
          label,
          registered: true,
          enabled: false,
        })),
    );
    return new ListReply(rows.length + others.length, [...rows, ...others]);
  }
}

/** The guard has let a user in; without one nothing is anybody's own. */
function accountOf(ctx: CallContext): number {
  if (!ctx.user) throw new Error('A user operation ran without a user.');
  return ctx.user.id;
}
