import { html, type CallContext, type SafeHtml } from '@svc/sdk';

/**
 * The picture and the field of a captcha, named `captcha`; captcha.js and captcha.css go with it. The script asks for the picture itself:
 * of two that are asked for at once, the one that is shown may not be the one that counts.
 */
export function captchaField({ t }: Pick<CallContext, 't'>): SafeHtml {
  return html`<div class="captcha" data-captcha><label>${t('captcha')}
      <input name="captcha" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="16"></label>
      <img alt="${t('captcha_picture')}" width="120" height="40" hidden><noscript><img src="/user/code.php"
        alt="${t('captcha_picture')}" width="120" height="40"></noscript>
      <button type="button" data-renew>${t('captcha_renew')}</button></div>`;
}
