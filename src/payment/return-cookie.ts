/** Cookie that knows which order a browser went off to pay, so that it finds back without the gateway knowing its key. */
export const RETURN_COOKIE = 'svc_order';

/** Path of the order's page for a browser that comes back from a gateway; null where it did not go from here. */
export function returnPath(cookie: string | undefined): string | null {
  const match = /^(\d{10,40})\.([A-Za-z0-9_-]{16,64})$/.exec(cookie ?? '');
  return match && `/pay/order/${match[1]}?k=${match[2]}&done=1`;
}
