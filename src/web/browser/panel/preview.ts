/** Previews unsaved form input in a frame, visible only to the editing user. */
import { directive } from '../kit/alpine.js';
import { busy, on } from '../kit/page.js';
import { toast } from '../kit/toast.js';
import { call, isSuccess, messageOf } from './call.js';
import { fieldsOf } from './form.js';

/** Delay after the last keystroke, in milliseconds. */
const STILL_MS = 500;

/** `data-preview` is the operation that receives the input, `data-preview-frame` the frame that shows it. */
directive('data-preview', 'preview', (element, { expression }, { cleanup }) => {
  const form = element as unknown as HTMLFormElement;
  let timer = 0;
  let latest = 0;
  const show = async (): Promise<void> => {
    const mine = ++latest;
    const answer = await call(expression, fieldsOf(form));
    // Newer input is already being sent.
    if (mine !== latest) return;
    say(form, isSuccess(answer) ? '' : messageOf(answer));
    if (isSuccess(answer)) frameOf(form)?.contentWindow?.location.reload();
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void show(), STILL_MS);
  });
  cleanup(() => clearTimeout(timer));
});

/** Uploads a file as soon as it is chosen and stores its name in the form. */
on('change', 'data-picture', (input) => void upload(input as HTMLInputElement));
on('click', 'data-picture-remove', (button) => put(button, '', ''));

async function upload(input: HTMLInputElement): Promise<void> {
  const [image] = input.files ?? [];
  if (!image) return;
  const { picture, fields } = input.dataset;
  const answer = await busy(input, call(picture!, { ...(JSON.parse(fields!) as Record<string, string>), image }));
  input.value = '';
  if (!isSuccess(answer)) return void toast(messageOf(answer), 'danger');
  put(input, String(answer.value), String(answer.url));
}

/** Stores the name of an image in its hidden field, and shows the image. */
function put(inside: HTMLElement, value: string, address: string): void {
  const place = inside.closest('[data-picture-place]')!;
  const field = place.querySelector<HTMLInputElement>('[data-picture-value]')!;
  const shown = place.querySelector<HTMLImageElement>('img')!;
  field.value = value;
  if (address) shown.src = address;
  shown.hidden = address === '';
  place.querySelector<HTMLElement>('[data-picture-none]')!.hidden = address !== '';
  place.querySelector<HTMLElement>('[data-picture-remove]')!.hidden = address === '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const frameOf = ({ dataset }: HTMLFormElement): HTMLIFrameElement | null => document.querySelector(dataset.previewFrame!);

function say(form: HTMLFormElement, words: string): void {
  const place = form.querySelector<HTMLElement>('[data-preview-problem]')!;
  place.textContent = words;
  place.hidden = words === '';
}
