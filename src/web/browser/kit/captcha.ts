import { alias, component } from './alpine.js';
import { captcha } from './captcha-box.js';

/**
 * Elements with `data-captcha` become a {@link captcha}; a button with `data-captcha-refresh` in it loads another image.
 *
 * @param load as there
 */
export function captchas(load: () => Promise<string>): void {
  alias('data-captcha-refresh', 'x-on:click', 'renew');
  component('data-captcha', 'captcha', () => ({
    renew: (): void => undefined,
    init() {
      this.renew = captcha(this.$root, load);
    },
  }));
}
