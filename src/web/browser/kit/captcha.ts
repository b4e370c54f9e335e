import { sha256 } from 'js-sha256';

import { alias, component } from './alpine.js';
import { busy } from './page.js';

const HASHES_A_TURN = 4096;

/**
 * A picture with characters to type, and the work that may be asked besides. A picture is good for one try: after a form was refused
 * there is a new one. A form is sent once the work is done; who types for a moment does not wait.
 *
 * @param load gives the next picture as `data:…;base64,…`; throws what to say instead
 */
export function captchas(load: () => Promise<string>): void {
  alias('data-captcha-refresh', 'x-on:click', 'renew');
  component('data-captcha', 'captcha', () => ({
    /** What is sent behind the characters; null while the browser works on it. */
    work: '' as string | null,
    working: Promise.resolve(),
    pictures: 0,
    init() {
      const form = this.$root.closest('form')!;
      form.addEventListener('submit', (event) => this.hold(event, form), { capture: true });
      form.addEventListener('formdata', ({ formData }) => {
        const { name, value } = this.field();
        if (this.work) formData.set(name, `${value.trim()}.${this.work}`);
      });
      for (const refused of ['refused', 'htmx:response:error']) form.addEventListener(refused, () => this.renew());
      this.renew();
    },
    field() {
      return this.$root.querySelector('input')!;
    },
    renew() {
      this.field().value = '';
      this.work = null;
      this.working = this.show((this.pictures += 1));
    },
    async show(nth: number) {
      const picture = this.$root.querySelector('img')!;
      // It says why where none comes.
      picture.hidden = false;
      let work = '';
      try {
        picture.src = await load();
        work = await workOf(atob(picture.src.slice(picture.src.indexOf(',') + 1)));
      } catch (error) {
        picture.alt = (error as Error).message;
        picture.removeAttribute('src');
      }
      // Of two pictures asked for at once the first is used up.
      if (nth === this.pictures) this.work = work;
    },
    async hold(event: SubmitEvent, form: HTMLFormElement) {
      if (this.work !== null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      while (this.work === null) await busy(event.submitter, this.working);
      form.requestSubmit(event.submitter);
    },
  }));
}

/**
 * Does the work a picture asks for with `data-work="bits:challenge"`: finds what makes the SHA-256 of `challenge:work` begin with that
 * many zero bits. By a library: pages without TLS have no crypto of the browser's own.
 *
 * @returns empty where no work is asked
 */
async function workOf(svg: string): Promise<string> {
  const [, bits, challenge] = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg) ?? [];
  if (!bits) return '';
  for (let work = 0; ; work += 1) {
    const [a, b, c, d] = sha256.array(`${challenge}:${work.toString(36)}`) as [number, number, number, number];
    if (((a << 24) | (b << 16) | (c << 8) | d) >>> (32 - Number(bits)) === 0) return work.toString(36);
    if (work % HASHES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
  }
}
