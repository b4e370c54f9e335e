import type { SvcFacade } from '@svc/sdk';

/**
 * Why a notification is not taken, for the payment log: the plugin's own text `log_<why>`, whose `{number}` is the order's.
 *
 * @param number checked before; empty where none came
 */
export async function refuse(svc: SvcFacade, why: string, number = ''): Promise<false> {
  await svc.svc_pay_log({ key: `log_${why}`, params: { number: number && ` ${number}` } }, 'warning');
  return false;
}

/** An order cannot be sent to a gateway whose settings are incomplete: the payment log says the plugin's text `log_order_unset`. */
export async function notSetUp(svc: SvcFacade, number: string): Promise<false> {
  await svc.svc_pay_log({ key: 'log_order_unset', params: { number } }, 'error');
  return false;
}
