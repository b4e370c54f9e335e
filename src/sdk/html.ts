const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Markup that was made by {@link html} or vouched for by {@link rawHtml}: it is not escaped again.
 *
 * @example
 * ```ts
 * const row: SafeHtml = html`<li>${'<not markup>'}</li>`;
 * svc.svc_register_page('user', 'list', () => String(html`<ul>${row}</ul>`), 'List');
 * ```
 * @since 1.84.0
 */
export class SafeHtml {
  constructor(private readonly markup: string) {}

  /**
   * The markup itself.
   *
   * @example
   * ```ts
   * svc.svc_register_page('user', 'hello', (ctx) => html`<p>${ctx.t('hello')}</p>`.toString(), 'Hello');
   * ```
   * @since 1.84.0
   */
  toString(): string {
    return this.markup;
  }
}

/**
 * A text made harmless inside HTML, attributes in quotes included.
 *
 * @example
 * ```ts
 * const safe: string = escapeHtml('<b>"bold"</b>'); // &lt;b&gt;&quot;bold&quot;&lt;/b&gt;
 * ```
 * @since 1.84.0
 */
export function escapeHtml(text: unknown): string {
  return String(text ?? '').replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/**
 * Markup the author vouches for, put in as it is. Never with anything a visitor wrote.
 *
 * @example
 * ```ts
 * const icon = rawHtml('<i class="mdi mdi-home"></i>');
 * const link: string = String(html`<a href="/">${icon} ${'Home & shop'}</a>`);
 * ```
 * @since 1.84.0
 */
export function rawHtml(markup: string): SafeHtml {
  return new SafeHtml(markup);
}

/**
 * HTML with its values escaped; lists are joined, `null`, `undefined` and `false` are left out, and the result of another
 * `html` goes in as it is. Convert with `String(…)` where a callback is to return text.
 *
 * @example
 * ```ts
 * const names = ['Ann', '<Bob>'];
 * const page: string = String(html`<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`);
 * ```
 * @since 1.84.0
 */
export function html(parts: TemplateStringsArray, ...values: unknown[]): SafeHtml {
  return new SafeHtml(parts.map((part, index) => part + (index < values.length ? valueOf(values[index]) : '')).join(''));
}

function valueOf(value: unknown): string {
  if (value instanceof SafeHtml) return value.toString();
  if (Array.isArray(value)) return value.map(valueOf).join('');
  if (value === null || value === undefined || value === false) return '';
  return escapeHtml(value);
}
