import { alias, component } from './alpine.js';
import { captcha } from './captcha-box.js';

/** Elements `data-captcha` are a {@link captcha}; a button `data-captcha-refresh` in it asks for another picture. @param load as there */
export function captchas(load: () => Promise<string>): void {
  alias('data-captcha-refresh', 'x-on:click', 'renew');
  component('data-captcha', 'captcha', () => ({
    renew: (): void => undefined,
    init() {
      this.renew = captcha(this.$root, load);
    },
  }));
}
