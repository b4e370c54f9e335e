import { DEFAULT_LOCALE, translate } from '../../common/index.js';
import { plainPage } from '../sites/plain-page.js';

import '../texts.js';

/** First page of a new site, in the site's default language: it is a file, nobody is asking for it yet. */
export function welcomePage(username: string): string {
  const title = translate(DEFAULT_LOCALE, 'hosting.welcome_title', { user: username });
  return plainPage(DEFAULT_LOCALE, title, translate(DEFAULT_LOCALE, 'hosting.welcome_text'));
}
