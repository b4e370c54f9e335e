/** Cookie with the order a browser went off to pay, so that it finds its way back without the gateway knowing the key. */
export const RETURN_COOKIE = 'svc_order';

/** Returns the path of the order's page for a browser returning from a gateway; null without a valid cookie. */
export function returnPath(cookie: string | undefined): string | null {
  const match = /^(\d{10,40})\.([A-Za-z0-9_-]{16,64})$/.exec(cookie ?? '');
  return match && `/pay/order/${match[1]}?k=${match[2]}&done=1`;
}
