const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Markup created by {@link html} or declared safe with {@link rawHtml}; it is not escaped again.
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
   * Returns the markup.
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
 * Escapes a text for use in HTML, including quoted attributes.
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
 * Marks markup as safe, so that it is inserted unescaped. Never pass anything a visitor wrote.
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
 * Builds HTML with its values escaped. Arrays are joined, `null`, `undefined` and `false` are omitted, and the result of another `html` is
 * inserted unescaped. Convert with `String(…)` where a callback must return text.
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
