import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mysql from 'mysql2/promise';

/** Data folder and empty database of a test. */
export interface TestInstallation {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Removes both. */
  dispose(): Promise<void>;
}

/** @param server for example `mysql://root@127.0.0.1:3306`; default: SQLite in the data folder */
export async function createInstallation(server: string | undefined): Promise<TestInstallation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-plugin-test-'));
  const clear = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (server === undefined) return { dataDir, databaseUrl: `sqlite:${join(dataDir, 'panel.db')}`, dispose: async () => clear() };
  const name = `svc_test_${randomBytes(6).toString('hex')}`;
  const onServer = async (sql: string): Promise<void> => {
    const connection = await mysql.createConnection(server.replace(/^mariadb:/, 'mysql:'));
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  try {
    await onServer(`CREATE DATABASE \`${name}\``);
  } catch (error) {
    clear();
    throw error;
  }
  const dispose = async (): Promise<void> => {
    clear();
    await onServer(`DROP DATABASE IF EXISTS \`${name}\``);
  };
  return { dataDir, databaseUrl: `${server.replace(/\/$/, '')}/${name}`, dispose };
}
