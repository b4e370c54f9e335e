import { sha256 } from 'js-sha256';

import { busy } from './page.js';

const HASHES_A_TURN = 4096;

/**
 * A picture with characters to type, and the work that may be asked besides. A picture is good for one try: after a form was refused
 * there is a new one. A form is sent once the work is done; who types for a moment does not wait. Pages of plugins (plugins/page-kit) have
 * it too.
 *
 * @param box an `img` and an input, in a form
 * @param load gives the next picture as `data:…;base64,…`; throws what to say instead
 * @returns what asks for another picture
 */
export function captcha(box: HTMLElement, load: () => Promise<string>): () => void {
  const form = box.closest('form')!;
  const field = box.querySelector('input')!;
  const picture = box.querySelector('img')!;
  /** What is sent behind the characters; null while the browser works on it. */
  let work: string | null = '';
  let working = Promise.resolve();
  let pictures = 0;

  const show = async (nth: number): Promise<void> => {
    // A later one is asked for already: what is shown must be what was given out last.
    if (nth < pictures) return;
    // It says why where none comes.
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
