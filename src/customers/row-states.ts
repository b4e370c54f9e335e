import type { ListColumn } from '../web/index.js';

type Badges = NonNullable<ListColumn['badges']>;

/** What lists show for the `status` of a host. */
export const HOST_STATES: Badges = {
  active: ['green', 'host.active'],
  expired: ['red', 'host.expired'],
  paused: ['yellow', 'host.paused'],
  provisioning: ['secondary', 'host.preparing'],
  terminating: ['secondary', 'host.terminating'],
  failed: ['secondary', 'host.terminating'],
};

/** What lists show for the `qk` of an order. */
export const ORDER_STATES: Badges = {
  paid: ['green', 'order.paid'],
  unpaid: ['yellow', 'order.unpaid'],
  closed: ['secondary', 'order.closed'],
  refunded: ['purple', 'order.refunded'],
  partly_refunded: ['purple', 'order.partly_refunded'],
};
