import { rawAnswer } from './raw-answer.js';

/** References to the files of a page: scripts, styles, images, fonts, and their own references. */
const REFERENCES: Readonly<Record<string, RegExp>> = {
  'text/html': /<(?:script|img)\b[^>]*?\ssrc="([^"]+)"|<link\b[^>]*?\shref="([^"]+)"/g,
  'text/css': /url\(["']?([^"')]+)|@import\s+["']([^"']+)/g,
  'text/javascript': /^(?:import|export)\b[^'";]*?from\s*["']([^"']+)|^import\s*["']([^"']+)/gm,
};

/** Browser that measures transferred bytes: it accepts compression and caches immutable files. */
export class WeighingBrowser {
  private readonly kept = new Set<string>();

  constructor(
    private readonly base: string,
    private readonly cookie = '',
  ) {}

  /** Returns the transferred bytes of a page and its files, by address. */
  async open(path: string): Promise<Map<string, number>> {
    const bytes = new Map<string, number>();
    await this.load(path, bytes);
    return bytes;
  }

  private async load(path: string, bytes: Map<string, number>): Promise<void> {
    if (path.startsWith('data:') || this.kept.has(path) || bytes.has(path)) return;
    const { headers, text } = await this.ask(path, bytes);
    if (headers['cache-control']?.includes('immutable')) this.kept.add(path);
    // Charts are loaded by the page's script, on pages that have one.
    const charts = text.includes('<figure') ? (/data-chart-scripts="([^"]+)"/.exec(text)?.[1] ?? '').split(' ') : [];
    for (const address of charts) await this.load(address, bytes);
    const references = REFERENCES[headers['content-type']!.split(';', 1)[0]!];
    for (const match of references ? text.matchAll(references) : []) {
      const { origin, pathname, search } = new URL((match[1] ?? match[2])!, this.base + path);
      if (origin === this.base) await this.load(pathname + search, bytes);
    }
  }

  private async ask(path: string, bytes: Map<string, number>): ReturnType<typeof rawAnswer> {
    const headers = { 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'zh-CN', ...(this.cookie ? { cookie: this.cookie } : {}) };
    const answer = await rawAnswer(this.base, path, headers);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    bytes.set(path, answer.bytes.length);
    return answer;
  }
}

/** Returns the sum. */
export function total(bytes: ReadonlyMap<string, number>): number {
  return [...bytes.values()].reduce((sum, one) => sum + one, 0);
}
