import type { Locale } from '../../common/index.js';
import type { Mailer } from '../mail/index.js';

import { mailHtml, textAsHtml } from './mail-html.js';

/** A short mail with a link. */
export interface LinkMail {
  readonly to: string;
  readonly locale: Locale;
  /** Name of the site. */
  readonly site: string;
  readonly subject: string;
  readonly text: string;
  readonly link: string;
  /** Label of the link button. */
  readonly button: string;
  readonly footer: string;
}

/**
 * Sends a mail with a link, as text and with a button, from a background task.
 *
 * @throws FinalFailure, MailFailure see {@link Mailer.sendFromTask}
 */
export function sendLinkMail(mailer: Mailer, { to, locale, site, subject, text, link, button, footer }: LinkMail): Promise<void> {
  const section = { heading: '', time: '', html: textAsHtml(text), link };
  const html = mailHtml({ locale, site, subject, sections: [section], open: button, footer });
  return mailer.sendFromTask({ to, subject, text: `${text}\n\n${link}\n\n-- \n${footer}\n`, html }, locale);
}
