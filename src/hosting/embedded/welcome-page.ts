import { DEFAULT_LOCALE, translate, type Locale } from '../../common/index.js';
import { plainPage } from './plain-page.js';

/** Renders the first page of a new site, in both languages: it is a static file, so no visitor's language is known. */
export function welcomePage(username: string): string {
  const [title, text] = sentences(DEFAULT_LOCALE, username);
  return plainPage(DEFAULT_LOCALE, title, text, { locale: 'en', text: sentences('en', username).join('. ') });
}

function sentences(locale: Locale, user: string): [title: string, text: string] {
  return [translate(locale, 'hosting.welcome_title', { user }), translate(locale, 'hosting.welcome_text')];
}
