import { html, type CallContext, type SafeHtml } from '@svc/sdk';

import type { GatewayField, Settings, SettingsParts } from './gateway-field.js';
import { say } from './words.js';

/** Data of the page. */
export interface SettingsPage {
  readonly slug: string;
  readonly parts: SettingsParts;
  readonly values: Settings;
  /** Row version of the form's values. */
  readonly version: string;
}

/** Renders a gateway's tab: instructions, notification URL, form, and connection test. */
export function settingsPage(ctx: CallContext, { slug, parts: { fields, provider }, values, version }: SettingsPage): string {
  const words = (word: Parameters<typeof say>[1]): string => say(ctx.locale, word);
  return String(html`
    <p class="text-secondary">${ctx.t('intro')}</p>
    ${provider === false ? '' : notifyPart(ctx, slug)}
    <form data-ajax="p_${slug}_save" novalidate><input type="hidden" name="row_version" value="${version}">
      <div class="alert alert-danger" role="alert" data-form-error hidden></div>
      ${fields.map((field) => fieldHtml(ctx, field, values[field.key]!))}
      <div class="text-end"><button type="submit" class="btn btn-primary">${words('save')}</button></div>
    </form>
    ${provider === false ? '' : testPart(ctx, slug)}`);
}

function notifyPart(ctx: CallContext, slug: string): SafeHtml {
  const words = (word: Parameters<typeof say>[1]): string => say(ctx.locale, word);
  const notify = `${ctx.baseUrl}/pay/${slug}/notify`;
  const warning = isLocal(notify) ? words('notify_local') : notify.startsWith('https:') ? '' : words('notify_http');
  return html`<div class="mb-3"><label class="form-label" for="gateway-notify">${words('notify_url')}</label>
      <div class="input-group"><input class="form-control" id="gateway-notify" value="${notify}"
        readonly aria-describedby="gateway-notify-hint"><button class="btn" type="button" data-copy="#gateway-notify"
        data-copied="${words('copied')}">${words('copy')}</button></div>
      <div class="form-hint" id="gateway-notify-hint">${words('notify_hint')}</div>
      ${
        warning ? html`<div class="alert alert-warning mt-2 mb-0" role="status"><div class="alert-body">${warning}</div></div>` : ''
      }</div>`;
}

function testPart(ctx: CallContext, slug: string): SafeHtml {
  const words = (word: Parameters<typeof say>[1]): string => say(ctx.locale, word);
  return html`<form class="border-top pt-3 mt-3" data-ajax="zfcs" novalidate>
      <input type="hidden" name="slug" value="${slug}">
      <button type="submit" class="btn">${words('test')}</button><div class="form-hint">${words('test_hint')}</div>
      <div class="alert alert-danger mt-2 mb-0" role="alert" data-form-error hidden></div>
    </form>`;
}

function fieldHtml(ctx: CallContext, field: GatewayField, value: string): SafeHtml {
  const { key, kind, most, choices = [], placeholder = '' } = field;
  const id = `gateway-${key}`;
  const hintKey = `field_${key}_hint`;
  const hint = ctx.t(hintKey) === hintKey ? '' : ctx.t(hintKey);
  const kept = kind.startsWith('secret') && value !== '' ? say(ctx.locale, 'kept') : '';
  const describes = hint || kept ? html` aria-describedby="${id}-hint"` : '';
  return html`<div class="mb-3"><label class="form-label" for="${id}">${ctx.t(`field_${key}`)}</label>
    ${inputHtml()}
    ${hint || kept ? html`<div class="form-hint" id="${id}-hint">${[kept, hint].filter(Boolean).join(' ')}</div>` : ''}</div>`;

  function inputHtml(): SafeHtml {
    const shown = kind.startsWith('secret') ? '' : value;
    if (kind === 'choice')
      return html`<select class="form-select" id="${id}" name="${key}"${describes}>${choices.map(
        (choice) => html`<option value="${choice}"${choice === value ? html` selected` : ''}>${ctx.t(`${key}_${choice}`)}</option>`,
      )}</select>`;
    if (kind === 'lines' || kind === 'secret_lines')
      return html`<textarea class="form-control font-monospace" id="${id}" name="${key}" rows="4" maxlength="${most}" autocomplete="off"
        spellcheck="false" placeholder="${kept ? '••••••••' : placeholder}"${describes}>${shown}</textarea>`;
    const type = kind === 'secret' ? html`type="password" autocomplete="new-password"` : html`autocomplete="off"`;
    return html`<input class="form-control" id="${id}" name="${key}" ${type} maxlength="${most}" value="${shown}"
      placeholder="${kept ? '••••••••' : placeholder}" autocapitalize="none" spellcheck="false"${describes}>`;
  }
}

/** Whether a URL is only reachable from this machine or its network. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(hostname);
}
