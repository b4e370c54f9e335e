import type { ListColumn } from '../web/index.js';

type Badges = NonNullable<ListColumn['badges']>;

/** Badges for the `status` of a host in lists. */
export const HOST_STATES: Badges = {
  active: ['green', 'host.active'],
  expired: ['red', 'host.expired'],
  paused: ['yellow', 'host.paused'],
  provisioning: ['secondary', 'host.preparing'],
  terminating: ['secondary', 'host.terminating'],
  failed: ['secondary', 'host.terminating'],
};

/** Badges for the `qk` of an order in lists. */
export const ORDER_STATES: Badges = {
  paid: ['green', 'order.paid'],
  unpaid: ['yellow', 'order.unpaid'],
  closed: ['secondary', 'order.closed'],
  refunded: ['purple', 'order.refunded'],
  partly_refunded: ['purple', 'order.partly_refunded'],
};
