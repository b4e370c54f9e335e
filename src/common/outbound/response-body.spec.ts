import { pbkdf2 } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { writeBody } from './response-body.js';

/** More than there are threads that files are opened on. */
const WORK = 16;

it('fails only after its file exists, so that the caller can remove it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-body-'));
  const busy = Array.from({ length: WORK }, () => promisify(pbkdf2)('x', 'y', 50_000, 32, 'sha256'));
  const cutOff = new Readable({ read: () => undefined }).on('error', () => undefined);
  const written = writeBody(cutOff as IncomingMessage, join(folder, 'part'), 1_000);
  process.nextTick(() => cutOff.destroy(new Error('cut off')));
  await expect(written).rejects.toThrow();
  expect(existsSync(join(folder, 'part'))).toBe(true);
  await Promise.all(busy);
  await rm(folder, { recursive: true });
});
