import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { Clock } from '../common/index.js';
import type { Database } from '../database/index.js';

import { AuditLog } from './audit-log.js';
import { OperationLog } from './entities/index.js';

let database: Database;
let dispose: () => Promise<void>;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());

it('stores a line unchanged, and truncates values longer than their column by characters', async () => {
  const audit = new AuditLog(database, new Clock());
  await audit.write({ actor: 'admin', category: '登陆', summary: '<script>"\'', ip: '127.0.0.1', outcome: '登陆成功' });
  await audit.write({ actor: '😀'.repeat(64), category: 'x'.repeat(500), summary: '字'.repeat(300), outcome: '😀'.repeat(40_000) });
  const [plain, long] = await database.repository(OperationLog).find({ order: { id: 'ASC' } });
  expect(plain).toMatchObject({ actor: 'admin', category: '登陆', summary: '<script>"\'', ip: '127.0.0.1', outcome: '登陆成功' });
  expect(long!.actor).toBe('😀'.repeat(64));
  expect(long!.category).toBe(`${'x'.repeat(63)}…`);
  expect(long!.summary).toBe(`${'字'.repeat(254)}…`);
  expect(Array.from(long!.outcome!)).toHaveLength(16_000);
  expect(long!.ip).toBe('');
});

it('never throws to its caller', async () => {
  const other = await createTestDatabase();
  const audit = new AuditLog(other.database, new Clock());
  await other.database.dataSource.destroy();
  await expect(audit.write({ actor: 'a', category: 'b', summary: 'c' })).resolves.toBeUndefined();
  await other.dispose();
});
