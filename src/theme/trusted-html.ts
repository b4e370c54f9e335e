/**
 * HTML created by trusted code of the panel (a plugin's widget or page, a rendered partial, a QR code): the only
 * kind of value that reaches a page unescaped, and only through `{% slot … %}`. Never create one from user data.
 */
export class TrustedHtml {
  constructor(readonly html: string) {}
}

/**
 * Marks `html` as trusted.
 *
 * @example
 * ```ts
 * await themes.render('admin', 'plugin', { title, content: trustedHtml(pageHtml) }, ctx);
 * ```
 */
export function trustedHtml(html: string): TrustedHtml {
  return new TrustedHtml(html);
}
