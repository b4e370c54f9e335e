import type { SvcFacade } from '@svc/sdk';

/**
 * Writes to the payment log why a notification was rejected: the plugin's text `log_<why>`, where `{number}` is the order's.
 *
 * @param number validated before; empty if missing
 */
export async function refuse(svc: SvcFacade, why: string, number = ''): Promise<false> {
  await svc.svc_pay_log({ key: `log_${why}`, params: { number: number && ` ${number}` } }, 'warning');
  return false;
}

/**
 * Writes to the payment log that an order cannot be sent because the gateway's settings are incomplete: the plugin's text
 * `log_order_unset`.
 */
export async function notSetUp(svc: SvcFacade, number: string): Promise<false> {
  await svc.svc_pay_log({ key: 'log_order_unset', params: { number } }, 'error');
  return false;
}
