/**
 * The page of a program: edits its form and steps as rows instead of JSON, and uploads its archive in pieces. Loaded on that page only.
 * The JSON text remains what is saved; without scripts it is edited directly.
 */
import { element, fill, on, pageData, text } from '../kit/page.js';

/** Size of a piece in bytes. */
const PIECE = 4 * 1024 * 1024;

type Item = Record<string, unknown>;
type Part = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Rows for the items of a JSON list in a text field. */
class Rows {
  private readonly name: string;
  private readonly text: HTMLTextAreaElement;
  private readonly list: HTMLElement;

  constructor(private readonly root: HTMLElement) {
    this.name = root.dataset.rows!;
    this.text = root.querySelector('[data-rows-text] textarea')!;
    this.list = root.querySelector('[data-rows-list]')!;
    const { form } = this.text;
    // Only the text is submitted; inputs of rows have names only so that errors can be shown at them.
    form!.addEventListener('formdata', ({ formData }) => {
      for (const part of [...formData.keys()]) if (part.startsWith(`${this.name}.`)) formData.delete(part);
    });
    root.addEventListener('input', ({ target }) => {
      if (target !== this.text) this.save();
    });
    root.addEventListener('change', ({ target }) => {
      // Input from before the session ended is restored into the text.
      if (target === this.text) return this.isShown ? this.show(itemsIn(this.text.value) !== null) : undefined;
      if (target instanceof HTMLSelectElement && target.dataset.part === 'cz') this.exchange(target);
      this.save();
    });
    root.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-rows-do]') : null;
      if (button) this.act(button);
    });
    this.show(true);
  }

  private act(button: HTMLElement): void {
    const row = button.closest<HTMLElement>('[data-row]');
    switch (button.dataset.rowsDo) {
      case 'text':
        return this.show(!this.isShown);
      case 'add':
        this.add({ cz: this.root.querySelector<HTMLSelectElement>('[data-rows-kind]')!.value });
        this.list.lastElementChild?.querySelector<HTMLElement>('[data-part]:not([data-part=cz])')?.focus();
        break;
      case 'up':
        row!.previousElementSibling?.before(row!);
        break;
      case 'down':
        row!.nextElementSibling?.after(row!);
        break;
      case 'remove':
        row!.remove();
    }
    this.save();
    if (row?.isConnected) button.focus();
  }

  private get isShown(): boolean {
    return this.root.hasAttribute('data-rows-shown');
  }

  /** Shows rows or the text. Invalid JSON can only be shown as text. */
  private show(asRows: boolean): void {
    const items = asRows ? itemsIn(this.text.value) : null;
    const problem = this.root.querySelector<HTMLElement>('[data-rows-problem]')!;
    problem.hidden = !asRows || items !== null;
    if (!problem.hidden) return;
    this.root.toggleAttribute('data-rows-shown', asRows);
    for (const part of this.root.querySelectorAll<HTMLElement>('[data-rows-only]')) part.hidden = !asRows;
    this.root.querySelector<HTMLElement>('[data-rows-text]')!.hidden = asRows;
    const [toText, toRows] = [this.root.dataset.toText!, this.root.dataset.toRows!];
    this.root.querySelector('[data-rows-do=text]')!.textContent = asRows ? toText : toRows;
    this.list.replaceChildren();
    for (const item of items ?? []) this.add(item);
    this.number();
  }

  private add(item: Item): void {
    const row = copyOf(this.root, '[data-rows-row]');
    row.querySelector<HTMLSelectElement>('[data-part=cz]')!.value = String(item.cz);
    this.list.append(row);
    this.fill(row, item);
  }

  /** Another kind has other inputs; common values are kept. */
  private exchange(kind: HTMLSelectElement): void {
    const row = kind.closest<HTMLElement>('[data-row]')!;
    this.fill(row, { ...valuesOf(row), cz: kind.value });
  }

  private fill(row: HTMLElement, item: Item): void {
    const place = row.querySelector('[data-row-parts]')!;
    place.replaceChildren(copyOf(this.root, `[data-rows-parts="${CSS.escape(String(item.cz))}"]`));
    for (const part of row.querySelectorAll<Part>('[data-part]:not([data-part=cz])')) {
      const value = item[part.dataset.part!];
      if (part instanceof HTMLInputElement && part.type === 'checkbox') part.checked = value === true || value === 'true';
      else if (value !== undefined) part.value = Array.isArray(value) ? value.join('\n') : String(value);
    }
  }

  private save(): void {
    if (!this.isShown) return;
    const rows = [...this.list.querySelectorAll<HTMLElement>('[data-row]')];
    this.text.value = rows.length === 0 ? '[]' : `[\n${rows.map((row) => `  ${JSON.stringify(valuesOf(row))}`).join(',\n')}\n]`;
    this.number();
  }

  private number(): void {
    const rows = [...this.list.querySelectorAll<HTMLElement>('[data-row]')];
    for (const [index, row] of rows.entries()) {
      row.querySelector('[data-row-number]')!.textContent = String(index + 1);
      for (const part of row.querySelectorAll<Part>('[data-part]')) {
        const at = `${this.name}.${index + 1}`;
        part.name = part.dataset.part === 'cz' ? at : `${at}.${part.dataset.part!}`;
        part.id = part.name;
        const label = part.closest('[data-row-part]')?.querySelector('label');
        if (label) label.htmlFor = part.id;
      }
      row.querySelector('[data-rows-do=up]')!.toggleAttribute('disabled', index === 0);
      row.querySelector('[data-rows-do=down]')!.toggleAttribute('disabled', index === rows.length - 1);
    }
  }
}

function copyOf(root: HTMLElement, template: string): HTMLElement {
  const found = root.querySelector<HTMLTemplateElement>(`template${template}`);
  return (found?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined) ?? element('div');
}

function valuesOf(row: HTMLElement): Item {
  return Object.fromEntries(
    [...row.querySelectorAll<Part>('[data-part]')].map((part) => [
      part.dataset.part!,
      part instanceof HTMLInputElement && part.type === 'checkbox' ? String(part.checked) : part.value,
    ]),
  );
}

/** Parses a list of items; null if invalid. */
function itemsIn(text: string): Item[] | null {
  try {
    const read: unknown = JSON.parse(text.trim() || '[]');
    const items = Array.isArray(read) ? (read as unknown[]) : Object.values(read as object);
    return items.every((item): item is Item => typeof item === 'object' && item !== null && !Array.isArray(item)) ? items : null;
  } catch {
    return null;
  }
}

interface Answer {
  readonly error?: number;
  readonly size?: number;
  readonly msg?: string;
  readonly left?: unknown;
  readonly row_version?: string;
}

/** Runs an operation; the page's own `fetch` asks for a code if required. */
async function post(fields: Record<string, string | File>): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const request = { method: 'POST', body, headers: { Accept: 'application/json' } };
  return fetch(pageData.endpoint!, request).then(
    (response) => response.json() as Promise<Answer>,
    () => ({ msg: text('offline') }),
  );
}

/** Uploads an archive in pieces, and resumes after an interruption. */
async function send(form: HTMLElement): Promise<void> {
  const input = form.querySelector<HTMLInputElement>('input[type=file]')!;
  const [file] = input.files ?? [];
  if (!file) return input.focus();
  const { pieces: gn, program: id = '', version, progress, done } = form.dataset;
  const [bar, words] = [form.querySelector('progress')!, form.querySelector('[data-pieces-words]')!];
  const button = form.querySelector('button')!;
  button.disabled = true;
  bar.hidden = false;
  bar.max = file.size;
  for (let at = 0; at < file.size;) {
    bar.value = at;
    words.textContent = fill(progress!, { percent: Math.floor((at / file.size) * 100) });
    const piece = new File([file.slice(at, at + PIECE)], 'piece');
    const answer = await post({
      gn: gn!,
      ...(id && { id }),
      ...(version && { row_version: version }),
      fesw: String(at),
      zsize: String(file.size),
      file: piece,
    });
    if (answer.error === 1 && answer.size === 1) {
      const isWhole = !Array.isArray(answer.left) || answer.left.length === 0;
      if (isWhole) return location.assign(done!);
      bar.hidden = true;
      words.textContent = answer.msg ?? '';
      button.disabled = false;
      return;
    }
    if (answer.error !== 0) {
      // The archive was replaced by another user: sending it again overwrites that.
      if (answer.row_version) form.dataset.version = answer.row_version;
      words.textContent = answer.msg ?? text('failed');
      button.disabled = false;
      return;
    }
    at = Number(answer.size);
  }
}

for (const root of document.querySelectorAll<HTMLElement>('[data-rows]')) new Rows(root);
on('click', 'data-pieces-send', (button) => void send(button.closest<HTMLElement>('[data-pieces]')!));
