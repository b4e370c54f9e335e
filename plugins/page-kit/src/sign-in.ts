import type { CallContext, HttpReply } from '@svc/sdk';

/** Fields of addresses that say what was done: that is said once. browser/address.ts takes them away, too. */
const TOLD = ['saved', 'done', 'redeemed'];

/** Where somebody goes on, with cookies. */
export function onwards(location: string, cookies: readonly string[] = []): HttpReply {
  return { status: 303, headers: { Location: location, ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }) }, body: '' };
}

/** A page of this panel somebody wanted to see; `home` for anything else. */
export function nextOf(given: string | undefined, home: string): string {
  return given !== undefined && given.length <= 1_000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(given) ? given : home;
}

/**
 * Leads to the sign-in, and from there back to this page; from a form that was sent to the page the form is on.
 *
 * @param home where it leads from a form whose browser does not say its page, or says another site's
 */
export function toSignIn(ctx: CallContext, login: string, home: string): HttpReply {
  // Only its path counts.
  const here = new URL(`http://localhost${ctx.path}${ctx.rawQuery && `?${ctx.rawQuery}`}`);
  const page = ctx.method === 'GET' ? here : pageOfForm(ctx);
  const told = TOLD.filter((name) => page?.searchParams.has(name));
  for (const name of told) page?.searchParams.delete(name);
  return onwards(`${login}?${new URLSearchParams({ next: page ? page.pathname + page.search : home }).toString()}`);
}

/** The page a form was sent from, as its browser says. */
function pageOfForm({ headers, baseUrl }: CallContext): URL | null {
  const sent = String(headers.referer ?? '');
  const address = URL.canParse(sent) ? new URL(sent) : null;
  return address && (address.host === headers.host || address.origin === baseUrl) ? address : null;
}
