import { escapeHtml, type SvcFacade } from '@svc/sdk';

/**
 * What leads a buyer on to the gateway he chose, for a page that shows it; to the pay page of his order where he chose
 * none, or it has no answer now.
 */
export async function payHtml(svc: SvcFacade, orderNumber: string, type: string, payUrl: string): Promise<string> {
  const order = await svc.orders.get(orderNumber);
  const step = order?.status === 'unpaid' && type !== '' ? await svc.svc_pay_dispatch_gateway(order, type) : false;
  if (typeof step === 'string') return step.trimStart().startsWith('<') ? step : leadOn(step);
  if (typeof step === 'object' && step !== null) {
    if ('html' in step && typeof step.html === 'string') return step.html;
    if ('redirect' in step && typeof step.redirect === 'string') return leadOn(step.redirect);
  }
  return leadOn(payUrl);
}

/** A page that goes on to an address. */
function leadOn(url: string): string {
  const address = escapeHtml(url);
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">${address}</a>`;
}
