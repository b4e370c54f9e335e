import { translate, type Locale } from '../../common/index.js';

/** Reason of a pause an administrator made. */
export const ADMIN_REASON = 'admin';

/** Why an account stands still, in words; a reason the panel has no words for, such as a plugin's, as it is. */
export function reasonWords(reasons: readonly string[], locale: Locale): string {
  const wordOf = (reason: string): string => {
    const key = `hosting.reason_${reason}`;
    const text = translate(locale, key);
    return text === key ? reason : text;
  };
  return reasons.map(wordOf).join(translate(locale, 'common.list_comma'));
}
