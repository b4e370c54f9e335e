import { createHmac } from 'node:crypto';

import { SESSION_COOKIES, cookieLine } from '../../auth/index.js';
import { sameText } from '../../common/index.js';
import type { CallContext } from '../../sdk/index.js';
import { isThemeName } from '../../theme/index.js';

/** Cookie of an administrator who previews a theme. */
const COOKIE = 'theme_preview';

/** Duration of a preview, in seconds. */
const PREVIEW_SECONDS = 1_800;

/** Returns the `Set-Cookie` line that shows `theme` only in this administrator's session; an empty name ends the preview. */
export function previewCookie(theme: string, call: CallContext): string {
  const value = theme && `${theme}.${signature(theme, call)}`;
  return cookieLine(COOKIE, value, theme ? PREVIEW_SECONDS : 0, call.baseUrl.startsWith('https:'));
}

/** Returns the previewed theme; empty without a preview. The cookie is bound to the session and ends with it. */
export function previewedTheme(call: CallContext): string {
  const cookie = call.admin ? call.cookies[COOKIE] : undefined;
  if (!cookie) return '';
  const [theme = '', signed = ''] = cookie.split('.');
  return sameText(signed, signature(theme, call)) ? theme : '';
}

/** Returns the theme whose draft settings this page shows; empty if none. */
export function draftOf({ admin, query }: CallContext): string {
  return admin && isThemeName(query.theme_draft) ? query.theme_draft : '';
}

/** Only the holder of the session can compute it. */
function signature(theme: string, { cookies }: CallContext): string {
  return createHmac('sha256', `theme preview ${cookies[SESSION_COOKIES.admin] ?? ''}`)
    .update(theme)
    .digest('base64url');
}
