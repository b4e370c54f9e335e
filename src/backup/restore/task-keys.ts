import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DAY_MS } from '../../common/index.js';
import type { Secrets } from '../../config/index.js';

// This prefix is excluded from backups.
const PREFIX = '.restoring-key-';
const SEAL_PURPOSE = 'backup.lent-key';
/** A task that takes longer has lost its process, in milliseconds. */
const MAX_AGE_MS = DAY_MS;

/**
 * Temporary storage of recovery keys for background tasks: task payloads are kept for days and included in backups, while these keys are
 * removed with the end of their task.
 */
export class TaskKeys {
  constructor(
    private readonly dataDir: string,
    private readonly secrets: Secrets,
  ) {}

  /** Stores a key. @returns token to read it with */
  async add(key: string): Promise<string> {
    await this.sweep();
    const token = randomUUID();
    await writeFile(this.pathOf(token), this.secrets.seal(key, SEAL_PURPOSE), { mode: 0o600, flag: 'wx' });
    return token;
  }

  /** Returns the key; empty, which opens no backup, if it was removed. */
  async read(token: string): Promise<string> {
    const sealed = await readFile(this.pathOf(token), 'utf8').catch(() => '');
    return this.secrets.open(sealed, SEAL_PURPOSE) ?? '';
  }

  async remove(token: string): Promise<void> {
    await rm(this.pathOf(token), { force: true });
  }

  /** Removes keys of crashed processes and of tasks cancelled while waiting. */
  private async sweep(): Promise<void> {
    for (const name of (await readdir(this.dataDir)).filter((one) => one.startsWith(PREFIX))) {
      const path = join(this.dataDir, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtimeMs < Date.now() - MAX_AGE_MS) await rm(path, { force: true });
    }
  }

  private pathOf(token: string): string {
    return join(this.dataDir, PREFIX + token);
  }
}
