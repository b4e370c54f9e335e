/**
 * Uploads on the files page: dropped or chosen files and folders are sent in pieces, two at a time, and interrupted uploads
 * resume. Loaded on that page only.
 */
import { element, fill, pageData, text } from '../kit/page.js';
import { storage } from '../kit/storage.js';

/** Size of a piece in bytes. */
const PIECE = 4 * 1024 * 1024;
const AT_ONCE = 2;
/** Maximum attempts to send a piece, and the delay between them in milliseconds. */
const TRIES = 4;
const WAIT_MS = 1_500;

interface Upload {
  readonly file: File;
  /** Path relative to the current folder. */
  readonly name: string;
  readonly line: HTMLElement;
  readonly bar: HTMLProgressElement;
  readonly words: HTMLElement;
  readonly button: HTMLButtonElement;
  stopped: boolean;
}

interface Answer {
  readonly success?: boolean;
  readonly error?: number;
  readonly size?: number;
  readonly code?: unknown;
  readonly msg?: string;
}

class Uploads {
  private readonly waiting: Upload[] = [];
  private running = 0;
  private done = 0;
  private readonly queue: HTMLElement;
  private readonly place: string;

  constructor(private readonly root: HTMLElement) {
    this.queue = root.querySelector('[data-upload-queue]')!;
    this.place = `svc-uploads ${pageData.endpoint} ${pageData.account} ${root.dataset.host} ${root.dataset.uploads}`;
    for (const input of root.querySelectorAll<HTMLInputElement>('input[type=file]')) {
      input.addEventListener('change', () => {
        for (const file of input.files ?? []) this.add(file, file.webkitRelativePath || file.name);
        input.value = '';
      });
    }
    const page = document.querySelector('main')!;
    page.addEventListener('dragover', (event) => event.preventDefault());
    page.addEventListener('drop', (event) => {
      event.preventDefault();
      void this.drop(event.dataTransfer!);
    });
    addEventListener('beforeunload', (event) => {
      if (this.running > 0) event.preventDefault();
    });
    root.querySelector('[data-upload-forget]')!.addEventListener('click', () => this.remember(() => []));
    this.showPending();
  }

  /** Entries are read synchronously, because they are invalid after the drop event. */
  private async drop({ items, files }: DataTransfer): Promise<void> {
    const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? null).filter((entry) => entry !== null);
    if (entries.length === 0) for (const file of files) this.add(file, file.name);
    for (const entry of entries) await this.walk(entry, '');
  }

  private async walk(entry: FileSystemEntry, folder: string): Promise<void> {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      return this.add(file, folder + entry.name);
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A reader returns entries in batches.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await this.walk(one, `${folder}${entry.name}/`);
    }
  }

  private add(file: File, name: string): void {
    const bar = element('progress', 'progress progress-sm flex-fill');
    bar.max = Math.max(1, file.size);
    bar.value = 0;
    bar.setAttribute('aria-label', name);
    const words = element('div', 'small text-break');
    const button = element('button', 'btn btn-sm', this.root.dataset.stop!);
    button.type = 'button';
    const line = element('div', 'mt-2', words, element('div', 'd-flex gap-2 align-items-center', bar, button));
    const upload: Upload = { file, name, line, bar, words, button, stopped: false };
    button.addEventListener('click', () => void this.press(upload));
    this.queue.append(line);
    this.queue.hidden = false;
    this.waiting.push(upload);
    this.show(upload, 0);
    this.next();
  }

  private async press(upload: Upload): Promise<void> {
    if (!upload.stopped) {
      upload.stopped = true;
      upload.line.remove();
      this.remember((names) => names.filter((name) => name !== upload.name));
      await this.post('file_upload_cancel', this.fieldsOf(upload)).catch(() => undefined);
      return;
    }
    upload.stopped = false;
    upload.button.textContent = this.root.dataset.stop!;
    this.waiting.push(upload);
    this.next();
  }

  private next(): void {
    while (this.running < AT_ONCE && this.waiting.length > 0) {
      const upload = this.waiting.shift()!;
      if (upload.stopped) continue;
      this.running += 1;
      void this.send(upload).finally(() => {
        this.running -= 1;
        if (this.running === 0 && this.waiting.length === 0) this.end();
        this.next();
      });
    }
  }

  private async send(upload: Upload): Promise<void> {
    this.remember((names) => [...names.filter((name) => name !== upload.name), upload.name]);
    try {
      const { size = 0 } = await this.post('file_upload_size', this.fieldsOf(upload));
      for (let offset = size; !upload.stopped;) {
        const answer = await this.sendPiece(upload, offset);
        if (answer.error === 0) offset = answer.size!;
        else if (answer.size === 1) {
          this.done += 1;
          upload.line.remove();
          this.remember((names) => names.filter((name) => name !== upload.name));
          return;
        } else return this.fail(upload, answer.msg ?? '');
        this.show(upload, offset);
      }
    } catch {
      this.fail(upload, text('offline'));
    }
  }

  /** Retries failed pieces; the server reports the offset it needs next. */
  private async sendPiece(upload: Upload, offset: number): Promise<Answer> {
    const fields = { ...this.fieldsOf(upload), fesw: String(offset), file: upload.file.slice(offset, offset + PIECE) };
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await this.post('fileupload', fields);
        if (answer.error !== undefined) return answer;
        return { error: 1, size: 4, msg: String(answer.msg ?? answer.code ?? text('failed')) };
      } catch (error) {
        if (tries === TRIES || upload.stopped) throw error;
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS * tries));
      }
    }
  }

  private fieldsOf({ file, name }: Upload): Record<string, string> {
    const { uploads: folder = '/', host = '' } = this.root.dataset;
    return { ...(host && { id: host }), htl: folder, tempfilename: name, zsize: String(file.size), tag: String(file.lastModified) };
  }

  private async post(gn: string, fields: Record<string, string | Blob>): Promise<Answer> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ gn, ...fields })) body.append(name, value);
    const response = await fetch(pageData.endpoint!, { method: 'POST', body, headers: { Accept: 'application/json' } });
    return (await response.json()) as Answer;
  }

  private show({ name, file, bar, words }: Upload, sent: number): void {
    bar.value = sent;
    words.className = 'small text-break';
    words.textContent = fill(this.root.dataset.uploading!, { name, percent: file.size ? Math.floor((sent / file.size) * 100) : 0 });
  }

  private fail(upload: Upload, why: string): void {
    if (upload.stopped) return;
    upload.stopped = true;
    upload.words.className = 'small text-break text-danger';
    upload.words.textContent = fill(this.root.dataset.failed!, { name: upload.name, why });
    upload.button.textContent = this.root.dataset.again!;
  }

  /** All uploads have ended: reloads the list. */
  private end(): void {
    if (this.done > 0) {
      const note = element('div', 'small text-success mt-2', fill(this.root.dataset.uploaded!, { n: this.done }));
      this.queue.append(note);
      this.done = 0;
      setTimeout(() => note.remove(), 8_000);
    }
    document.dispatchEvent(new Event('refresh-lists'));
  }

  /** Remembers the names of incomplete uploads: a reloaded page no longer has the files, and asks for them. */
  private remember(change: (names: string[]) => string[]): void {
    const names = change(this.kept()).slice(-50);
    if (names.length > 0) storage('localStorage')?.setItem(this.place, JSON.stringify(names));
    else storage('localStorage')?.removeItem(this.place);
    if (names.length === 0) this.root.querySelector<HTMLElement>('[data-upload-pending]')!.hidden = true;
  }

  private kept(): string[] {
    try {
      return JSON.parse(storage('localStorage')?.getItem(this.place) ?? '[]') as string[];
    } catch {
      return [];
    }
  }

  private showPending(): void {
    const names = this.kept();
    this.root.querySelector('[data-upload-names]')!.replaceChildren(...names.map((name) => element('li', 'text-break', name)));
    this.root.querySelector<HTMLElement>('[data-upload-pending]')!.hidden = names.length === 0;
  }
}

const root = document.querySelector<HTMLElement>('[data-uploads]');
if (root) new Uploads(root);
