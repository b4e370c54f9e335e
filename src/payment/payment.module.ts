import { Module } from '@nestjs/common';

import { AuditLog, OutsideLog } from '../operations/index.js';

import { Dispatch } from './dispatch.js';
import { OldOrders } from './old-orders.js';
import { OrderLimits } from './order-limits.js';
import { OrderList } from './order-list.js';
import { OrderNumbers } from './order-number.js';
import { Orders } from './orders.js';
import { PaymentLog } from './payment-log.js';
import { PaymentMethods } from './payment-methods.js';
import { PaymentRegistry } from './payment-registry.js';
import { PaymentOperations } from './payment.operations.js';
import { Settlement } from './settlement.js';

/** Gateways, orders and settlement. Needs the event outbox, and `PAY_FILTERS` where listeners are to be asked. */
@Module({
  providers: [
    AuditLog,
    Dispatch,
    OldOrders,
    OrderLimits,
    OrderList,
    OrderNumbers,
    Orders,
    OutsideLog,
    PaymentLog,
    PaymentMethods,
    PaymentOperations,
    PaymentRegistry,
    Settlement,
  ],
  exports: [Dispatch, OldOrders, OrderLimits, OrderList, Orders, PaymentLog, PaymentMethods, PaymentRegistry, Settlement],
})
export class PaymentModule {}
