import type { CallContext, HttpReply } from '@svc/sdk';

/** Query parameters of confirmations, which are shown only once; browser/address.ts removes them as well. */
const RESULT_PARAMETERS = ['saved', 'done', 'redeemed'];

/** Redirects with 303, optionally setting cookies. */
export function onwards(location: string, cookies: readonly string[] = []): HttpReply {
  return { status: 303, headers: { Location: location, ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }) }, body: '' };
}

/** Validates a path of this panel to continue at; `home` for anything else. */
export function nextOf(given: string | undefined, home: string): string {
  return given !== undefined && given.length <= 1_000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(given) ? given : home;
}

/**
 * Redirects to the sign-in, which leads back to this page, or for a submitted form to the form's page.
 *
 * @param home target for a form whose browser sends no referrer, or another site's
 */
export function toSignIn(ctx: CallContext, login: string, home: string): HttpReply {
  // Only the path matters; the host is a placeholder.
  const here = new URL(`http://localhost${ctx.path}${ctx.rawQuery && `?${ctx.rawQuery}`}`);
  const page = ctx.method === 'GET' ? here : pageOfForm(ctx);
  const present = RESULT_PARAMETERS.filter((name) => page?.searchParams.has(name));
  for (const name of present) page?.searchParams.delete(name);
  return onwards(`${login}?${new URLSearchParams({ next: page ? page.pathname + page.search : home }).toString()}`);
}

/** Page a form was sent from, according to the referrer. */
function pageOfForm({ headers, baseUrl }: CallContext): URL | null {
  const sent = String(headers.referer ?? '');
  const address = URL.canParse(sent) ? new URL(sent) : null;
  return address && (address.host === headers.host || address.origin === baseUrl) ? address : null;
}
