import { sha256 } from 'js-sha256';

import { busy } from './page.js';

const HASHES_A_TURN = 4096;

/**
 * A captcha image with optional proof of work. A captcha is valid for one attempt: after a rejected form a new one is loaded. The form
 * is submitted once the work is done, usually while the user is still typing. Also used by pages of plugins (plugins/page-kit).
 *
 * @param box contains an `img` and an input, inside a form
 * @param load returns the next image as `data:…;base64,…`; throws an error whose message is shown instead
 * @returns a function that loads another image
 */
export function captcha(box: HTMLElement, load: () => Promise<string>): () => void {
  const form = box.closest('form')!;
  const field = box.querySelector('input')!;
  const picture = box.querySelector('img')!;
  /** Proof of work appended to the characters; null while the browser computes it. */
  let work: string | null = '';
  let working = Promise.resolve();
  let pictures = 0;

  const show = async (nth: number): Promise<void> => {
    // A newer one has been requested: only the last captcha issued is valid.
    if (nth < pictures) return;
    // Shown even without an image, for the error message in its alt text.
    picture.hidden = false;
    let done = '';
    try {
      picture.src = await load();
      done = await workOf(atob(picture.src.slice(picture.src.indexOf(',') + 1)));
    } catch (error) {
      picture.alt = (error as Error).message;
      picture.removeAttribute('src');
    }
    if (nth === pictures) work = done;
  };
  const renew = (): void => {
    field.value = '';
    work = null;
    const nth = (pictures += 1);
    working = working.then(() => show(nth));
  };
  const hold = async (event: SubmitEvent): Promise<void> => {
    if (work !== null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    while (work === null) await busy(event.submitter, working);
    form.requestSubmit(event.submitter);
  };
  form.addEventListener('submit', (event) => void hold(event), { capture: true });
  form.addEventListener('formdata', ({ formData }) => {
    if (work) formData.set(field.name, `${field.value.trim()}.${work}`);
  });
  for (const refused of ['refused', 'htmx:response:error']) form.addEventListener(refused, renew);
  renew();
  return renew;
}

/**
 * Computes the proof of work of an image with `data-work="bits:challenge"`: finds a text for which the SHA-256 of `challenge:work` begins
 * with that many zero bits. Uses a library, because browsers offer no crypto API on pages without TLS.
 *
 * @returns empty if no work is required
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
