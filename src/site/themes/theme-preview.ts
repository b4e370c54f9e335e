import { createHmac } from 'node:crypto';

import { SESSION_COOKIES, cookieLine } from '../../auth/index.js';
import { sameText } from '../../common/index.js';
import type { CallContext } from '../../sdk/index.js';
import { isThemeName } from '../../theme/index.js';

/** Cookie of an administrator who looks at a theme before he switches it on. */
const COOKIE = 'theme_preview';

/** How long he sees it, in seconds. */
const PREVIEW_SECONDS = 1_800;

/** `Set-Cookie` line that shows `theme` to the administrator of this session alone; with an empty name he sees what everybody sees. */
export function previewCookie(theme: string, call: CallContext): string {
  const value = theme && `${theme}.${signature(theme, call)}`;
  return cookieLine(COOKIE, value, theme ? PREVIEW_SECONDS : 0, call.baseUrl.startsWith('https:'));
}

/** The theme an administrator looks at; empty where nobody looks at one. It ends with his session: the cookie is good for no other. */
export function previewedTheme(call: CallContext): string {
  const cookie = call.admin ? call.cookies[COOKIE] : undefined;
  if (!cookie) return '';
  const [theme = '', signed = ''] = cookie.split('.');
  return sameText(signed, signature(theme, call)) ? theme : '';
}

/** The theme whose settings an administrator tries on this one page before they are saved; empty where nobody does. */
export function draftOf({ admin, query }: CallContext): string {
  return admin && isThemeName(query.theme_draft) ? query.theme_draft : '';
}

/** Nobody but who has the session can write it. */
function signature(theme: string, { cookies }: CallContext): string {
  return createHmac('sha256', `theme preview ${cookies[SESSION_COOKIES.admin] ?? ''}`)
    .update(theme)
    .digest('base64url');
}
