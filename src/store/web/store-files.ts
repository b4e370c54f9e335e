import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PROGRAM_ROOT } from '../../common/index.js';
import { CompressedFiles, sendNotModified } from '../../http/index.js';
import { LIBRARY_FILES } from '../../theme/index.js';

const FOLDER = join(PROGRAM_ROOT, 'store/web/assets');
/** Path below which the files are served, before their hash. */
const FILES_PATH = '/store/assets/';
const YEAR_SECONDS = 31_536_000;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Headers of every file. No `Headers`, with which Node would load its `fetch`: a twentieth of a second of the start. */
const HEADERS = new Map([
  ['Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  // A drawing opened by itself is a document: it runs nothing.
  ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
]);

interface StoreFile {
  readonly type: string;
  readonly body: Buffer;
  readonly hash: string;
}

/**
 * Scripts and styles of the pages, read once. Their address carries a hash of all of them, so that browsers may keep them for ever and
 * a page never mixes versions. A name is looked up, never turned into a path.
 */
@Injectable()
export class StoreFiles {
  /** Address of the folder, with a slash at its end. */
  readonly base: string;
  private readonly files = new Map<string, StoreFile>();

  constructor(private readonly compressedFiles: CompressedFiles) {
    for (const name of readdirSync(FOLDER).sort()) if (extname(name) in TYPES) this.add(name, readFileSync(join(FOLDER, name)));
    for (const name of ['htmx.min.js', 'tabler.used.css', 'appearance.js', 'charts.js', 'store.js', 'store.css'] as const)
      this.add(name, readFileSync(LIBRARY_FILES[name]));
    const all = createHash('sha256');
    for (const [name, { hash }] of this.files) all.update(`${name} ${hash}\n`);
    this.base = `${FILES_PATH}${all.digest('hex').slice(0, 16)}/`;
  }

  /** Names of what is served. */
  get names(): string[] {
    return [...this.files.keys()];
  }

  /** Serves a `GET` or `HEAD`. @returns false where the request is for none of the files: nothing was sent */
  async handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
    const name = path.startsWith(this.base) ? path.slice(this.base.length) : '';
    const file = this.files.get(name);
    if (!file) return false;
    res.setHeaders(HEADERS);
    if (await this.compressedFiles.send(req, res, { name, version: file.hash, read: async () => file.body })) return true;
    const tag = { ETag: `"${file.hash}"` };
    if (!sendNotModified(req, res, tag))
      res.writeHead(200, { ...tag, 'Content-Type': file.type, 'Content-Length': file.body.length }).end(file.body);
    return true;
  }

  private add(name: string, body: Buffer): void {
    this.files.set(name, {
      type: TYPES[extname(name)]!,
      body,
      hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    });
  }
}
