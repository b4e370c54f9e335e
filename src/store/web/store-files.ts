import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { Injectable } from '@nestjs/common';

import { LOCALES } from '../../common/index.js';

import { iconsModule } from './icon-list.js';
import { PAGE_TEXTS } from './texts.js';

const FOLDER = fileURLToPath(new URL('./browser', import.meta.url));
/** Path below which the files are served, before their hash. */
const FILES_PATH = '/store/assets/';
const YEAR_SECONDS = 31_536_000;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface StoreFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  /** Made when it is first asked for. */
  packed?: Buffer;
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

  constructor() {
    for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort()) {
      if (extname(name) in TYPES) this.add(name.replaceAll('\\', '/'), readFileSync(join(FOLDER, name)));
    }
    const tabler = dirname(createRequire(import.meta.url).resolve('@tabler/core/package.json'));
    this.add(
      'lib/sha256.js',
      readFileSync(join(dirname(createRequire(import.meta.url).resolve('js-sha256/package.json')), 'build/sha256.min.mjs')),
    );
    // Its source map is not here.
    this.add(
      'tabler.min.css',
      Buffer.from(readFileSync(join(tabler, 'dist/css/tabler.min.css'), 'utf8').replace(/\/\*# sourceMappingURL=[^*]*\*\//, '')),
    );
    this.add('lib/icons.js', Buffer.from(iconsModule()));
    for (const locale of LOCALES)
      this.add(
        `lib/texts.${locale}.js`,
        Buffer.from(`/** @type {Record<string, string>} */\nexport const texts = ${JSON.stringify(PAGE_TEXTS[locale])};\n`),
      );
    const all = createHash('sha256');
    for (const [name, { etag }] of this.files) all.update(`${name} ${etag}\n`);
    this.base = `${FILES_PATH}${all.digest('hex').slice(0, 16)}/`;
  }

  /** Names of what is served. */
  get names(): string[] {
    return [...this.files.keys()];
  }

  /** Serves a `GET` or `HEAD`. @returns false where the request is for none of the files: nothing was sent */
  handle(req: IncomingMessage, res: ServerResponse, path: string): boolean {
    const file = path.startsWith(this.base) ? this.files.get(path.slice(this.base.length)) : undefined;
    if (!file) return false;
    const headers = {
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      ETag: file.etag,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      // A drawing opened by itself is a document: it runs nothing.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      Vary: 'Accept-Encoding',
    };
    if (req.headers['if-none-match']?.includes(file.etag)) {
      res.writeHead(304, headers).end();
      return true;
    }
    const isPacked = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
    const body = isPacked ? (file.packed ??= gzipSync(file.body)) : file.body;
    res.writeHead(200, {
      ...headers,
      'Content-Type': file.type,
      'Content-Length': body.length,
      ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    });
    res.end(body);
    return true;
  }

  private add(name: string, body: Buffer): void {
    this.files.set(name, {
      type: TYPES[extname(name)]!,
      body,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    });
  }
}
