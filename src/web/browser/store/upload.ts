/** File uploads of forms: by drag and drop or selection, size-checked before sending, with a progress bar. */
import Alpine from '@alpinejs/csp';

import { detailOf } from '../kit/htmx.js';
import { fill, text } from '../kit/page.js';
import { notice } from './forms.js';

const MEGABYTE = 1024 * 1024;
/** Size limits of the store, in bytes. */
const LIMITS = { package: 50 * MEGABYTE, picture: 5 * MEGABYTE };

/** Like fetch(), but reports the progress of the upload. @param onProgress receives a fraction, 0 to 1 */
function send(address: string, { method = 'POST', headers, body }: RequestInit, onProgress: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
    request.addEventListener('load', () => {
      const answered = request.getAllResponseHeaders().matchAll(/^(.+?): (.*)$/gm);
      const headersOf = [...answered].map(([, name, value]): [string, string] => [name!, value!.trim()]);
      resolve(new Response(request.responseText, { status: request.status, headers: headersOf }));
    });
    request.send(body as FormData);
  });
}

/** State of components that upload files; shown by the partial `upload_progress`. */
const sending = {
  /** Below 0: no upload. */
  share: -1,
  /** Shows the progress in the texts of its element. */
  tellProgress(this: { readonly share: number; readonly $el: HTMLElement }): void {
    const { sent = '', checking = '' } = this.$el.dataset;
    const share = Math.max(0, this.share);
    this.$el.querySelector('progress')!.value = share;
    this.$el.querySelector('.text-secondary')!.textContent = share < 1 ? fill(sent, { percent: Math.floor(share * 100) }) : checking;
  },
};

/** A form with a package. */
Alpine.data('upload', () => ({
  ...sending,
  prepare(event: Event) {
    const { ctx } = detailOf(event);
    if (ctx.sourceElement.dataset.only) return;
    const file = ctx.request.body.get('zipfile') as File;
    if (file.size === 0) ctx.request.body.delete('zipfile');
    if (file.size > LIMITS.package) {
      event.preventDefault();
      const words = this.$root.querySelector<HTMLElement>('[data-too-large]')?.dataset.tooLarge ?? '';
      this.$root.querySelector('[data-problem]')?.replaceChildren(notice(words));
      return;
    }
    // No timeout.
    ctx.request.timeout = 0;
    ctx.fetch = (address, init) => send(address, init, (share) => (this.share = share)).finally(() => (this.share = -1));
  },
}));

/** Packages are often named slug-v1.0.0.zip. */
const PACKAGE_NAME = /^([A-Za-z0-9_-]{1,63}?)(?:[-_]v?(\d[0-9A-Za-z.+_-]{0,31}))?\.zip$/i;

/** Drop zone for a package: fills in slug and version from the file name. */
Alpine.data('dropZone', () => ({
  isOver: false,
  chosen: '',
  drop({ dataTransfer }: DragEvent) {
    this.isOver = false;
    if (!dataTransfer?.files.length) return;
    this.$root.querySelector('input')!.files = dataTransfer.files;
    this.showFile();
  },
  showFile() {
    const { files, form } = this.$root.querySelector('input')!;
    const file = files?.[0];
    const size = new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });
    // The browser shows the name, but not the size or whether it was dropped.
    this.chosen = file ? `${file.name} (${size.format(file.size / 1024)})` : '';
    const [, slug, version] = PACKAGE_NAME.exec(file?.name ?? '') ?? [];
    for (const [name, guess] of Object.entries({ slug, version })) {
      const input = form?.elements.namedItem(name);
      if (input instanceof HTMLInputElement && input.value === '' && guess) input.value = guess;
    }
  },
}));

/** An image, uploaded as soon as it is chosen; a hidden input contains its URL. */
Alpine.data('picture', () => ({
  ...sending,
  url: '',
  problem: '',
  init() {
    this.url = this.$root.querySelector('input')!.value;
  },
  async choose() {
    const input = this.$el as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    this.problem = '';
    this.share = 0;
    try {
      if (file.size > LIMITS.picture) throw new Error(this.$root.dataset.tooLarge);
      const body = new FormData();
      body.append('image', file);
      this.url = await addressOf(await send('/api/upload/image', { body }, (share) => (this.share = share)));
    } catch (error) {
      this.problem = error instanceof TypeError ? text('offline') : (error as Error).message;
    } finally {
      input.value = '';
      this.share = -1;
    }
  },
}));

async function addressOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { code: number; msg?: string; data: { url: string } } | null;
  if (answer?.code === 0) return answer.data.url;
  throw new Error(answer?.msg || fill(text('unreadable'), { status: response.status }));
}
