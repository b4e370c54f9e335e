import { escapeHtml, type SvcFacade } from '@svc/sdk';

/**
 * Returns the HTML that leads a buyer to the chosen gateway, or to the order's payment page if none is chosen or the gateway does not
 * answer.
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

/** Renders a page that redirects to a URL. */
function leadOn(url: string): string {
  const address = escapeHtml(url);
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">${address}</a>`;
}
