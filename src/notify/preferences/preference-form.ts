import type { FormValues } from '../../http/index.js';
import type { Scope } from '../../sdk/index.js';
import { noticeKindsOf } from '../notice.js';
import { NOTICE_WAYS, isWanted, type NotificationPreferences } from '../receivers/index.js';

/** Returns the form fields of preferences. */
export function preferenceForm(
  side: Scope,
  preferences: Omit<NotificationPreferences, 'locale'> & { readonly locale: string | null },
): FormValues {
  const { email, locale, digest } = preferences;
  const ways = NOTICE_WAYS.filter((way) => side === 'user' || way !== 'channel');
  const switches = noticeKindsOf(side).flatMap((kind) => ways.map((way) => [`${kind}_${way}`, isWanted(preferences, kind, way)] as const));
  return { email: email ?? '', yy: locale ?? '', ...Object.fromEntries(switches), hz: digest };
}
