import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PROGRAM_ROOT } from '../../common/index.js';
import { CompressedFiles, sendNotModified } from '../../http/index.js';
import { LIBRARY_FILES } from '../../theme/index.js';

const FOLDER = join(PROGRAM_ROOT, 'store/web/assets');
/** URL prefix of the files, before their hash. */
const FILES_PATH = '/store/assets/';
const YEAR_SECONDS = 31_536_000;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Headers of every file. A `Map`, because `Headers` would make Node load its `fetch`, which takes 50 ms at startup. */
const HEADERS = new Map([
  ['Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  // An SVG opened on its own is a document; it must not run anything.
  ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
]);

interface StoreFile {
  readonly type: string;
  readonly body: Buffer;
  readonly hash: string;
}

/**
 * Scripts and styles of the pages, read once at startup. Their URL contains a hash of all of them, so that browsers may cache them
 * indefinitely and a page never mixes versions. Names are looked up, never used as file paths.
 */
@Injectable()
export class StoreFiles {
  /** URL path of the folder, with a trailing slash. */
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

  /** Names of the served files. */
  get names(): string[] {
    return [...this.files.keys()];
  }

  /** Serves a `GET` or `HEAD` request. @returns false if the path matches no file; nothing was sent then */
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
