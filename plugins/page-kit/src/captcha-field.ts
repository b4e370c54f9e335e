import { html, type CallContext, type SafeHtml } from '@svc/sdk';

/**
 * Renders a captcha with its image and the field `captcha`; needs captcha.js and captcha.css. The script loads the image itself: of two
 * images requested concurrently, the displayed one might not be the valid one.
 */
export function captchaField({ t }: Pick<CallContext, 't'>): SafeHtml {
  return html`<div class="captcha" data-captcha><label>${t('captcha')}
      <input name="captcha" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="16"></label>
      <img alt="${t('captcha_picture')}" width="120" height="40" hidden><noscript><img src="/user/code.php"
        alt="${t('captcha_picture')}" width="120" height="40"></noscript>
      <button type="button" data-renew>${t('captcha_renew')}</button></div>`;
}
