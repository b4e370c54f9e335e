import { translate, type Locale } from '../../common/index.js';

/** Reason of a pause by an administrator. */
export const ADMIN_REASON = 'admin';

/** Formats pause reasons for display; a reason without a text, such as a plugin's, is shown as it is. */
export function reasonWords(reasons: readonly string[], locale: Locale): string {
  const wordOf = (reason: string): string => {
    const key = `hosting.reason_${reason}`;
    const text = translate(locale, key);
    return text === key ? reason : text;
  };
  return reasons.map(wordOf).join(translate(locale, 'common.list_comma'));
}
