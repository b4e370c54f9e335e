import { createConnection, type Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { MysqlTarget } from '../../src/backup/database/mysql-target.js';
import { SetAside } from '../../src/backup/database/set-aside.js';
import { createTestPlace, testServer, type TestPlace } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { svc, type SvcAnswer } from '../support/svc.js';

if (!testServer)
  process.stdout.write('  skipped: restores over a server’s database that end half-way (set TEST_DATABASE_SERVER to run it)\n');

describe.skipIf(!testServer)('a restore to a database server', () => {
  let panel: TestPanel;
  let key: string;
  let file: string;
  let place: TestPlace;
  let connection: Connection;

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.admin('addzj', { user: 'fromback', pass: 'secret-pass-1', btdh: 'local' });
    key = String((await panel.admin('bfmy', { ypass: 'svc-panel-admin' })).data.hfmy);
    const made = await svc(panel.place, ['backup']);
    file = `${panel.dataDir}/backups/${made.text.split(':')[0]}`;
  });
  afterAll(async () => {
    await connection?.end();
    await place?.dispose();
    await panel.close();
  });

  beforeEach(async () => {
    await connection?.end();
    await place?.dispose();
    place = await createTestPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
    const old = await TestPanel.on(place);
    await old.admin('addzj', { user: 'fromold1', pass: 'secret-pass-1', btdh: 'local' });
    await old.stop();
    await connect();
    await connection.query('CREATE TABLE of_somebody_else (id INT PRIMARY KEY, at VARCHAR(20))');
    await connection.query("INSERT INTO of_somebody_else VALUES (1, 'kept')");
  });

  async function connect(): Promise<void> {
    connection = await createConnection({ uri: place.databaseUrl.replace(/^mariadb:/, 'mysql:') });
  }

  /** The definition of each table, without numbers that increase on their own. */
  async function shape(): Promise<Record<string, string>> {
    const [tables] = await connection.query("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'");
    const made: Record<string, string> = {};
    for (const table of (tables as Record<string, string>[]).map((row) => Object.values(row)[0]!)) {
      const [[row]] = (await connection.query(`SHOW CREATE TABLE \`${table}\``)) as unknown as [Record<string, string>[]];
      made[table] = row!
        ['Create Table']!.replace(/ AUTO_INCREMENT=\d+/, '')
        .split(/,?\n/)
        .sort()
        .join('\n');
    }
    return made;
  }

  async function users(): Promise<string[]> {
    const [rows] = await connection.query('SELECT user FROM SVC_zj ORDER BY id');
    return (rows as { user: string }[]).map(({ user }) => user);
  }

  /** Runs `svc` while nobody else is connected. */
  async function alone(args: readonly string[], input = ''): Promise<SvcAnswer> {
    await connection.end();
    try {
      return await svc(place, args, { input });
    } finally {
      await connect();
    }
  }

  const restore = (): Promise<SvcAnswer> => alone(['restore', file, '--overwrite'], key);

  it('says in the backup and in doctor what is not included', async () => {
    await connection.query('CREATE VIEW of_both AS SELECT 1 AS one');
    await connection.query('CREATE TRIGGER before_one BEFORE INSERT ON of_somebody_else FOR EACH ROW SET NEW.at = 1');
    const { text } = await alone(['doctor']);
    expect(text).toMatch(/warn\s+backup\s+not included in backups: view of_both, trigger before_one/);
    expect((await alone(['backup'])).text).toContain('recovery key');
    await TestPanel.on(place).then(async (old) => {
      await old.admin('bfmy', { ypass: 'svc-panel-admin' });
      await old.stop();
    });
    const made = await alone(['backup']);
    expect(made).toMatchObject({ code: 0, text: expect.stringContaining('Not included') as string });
    expect(made.text).toContain('view of_both, trigger before_one');
  });

  it('drops the old data only once the backup is in place', async () => {
    const before = Object.keys(await shape());
    expect(await restore()).toMatchObject({ code: 0 });
    expect(await users()).toEqual(['fromback']);
    expect(Object.keys(await shape()).sort()).toEqual(before.filter((name) => name !== 'of_somebody_else').sort());
  });

  it.each([
    ['rows are not taken', () => vi.spyOn(MysqlTarget.prototype, 'insert').mockRejectedValue(new Error('The server is full'))],
    ['its end fails', () => vi.spyOn(MysqlTarget.prototype, 'finish').mockRejectedValue(new Error('The server is full'))],
  ])('that fails restores everything: %s', async (_name, breakIt) => {
    const before = await shape();
    const broken = breakIt();
    try {
      expect(await restore()).toMatchObject({ code: 1, text: expect.stringContaining('The server is full') as string });
    } finally {
      broken.mockRestore();
    }
    expect(await shape()).toEqual(before);
    expect(await users()).toEqual(['fromold1']);
    const again = await TestPanel.on(place);
    await again.stop();
  });

  it('killed at any point leaves the old data to be restored, or to be replaced by another try', async () => {
    const before = await shape();
    // Without a connection nothing can be undone, as with a killed process.
    for (let statements = 1; ; statements += 6) {
      const left = { statements };
      const dying = {
        query: (...given: unknown[]) => {
          if ((left.statements -= 1) < 0) throw new Error('killed');
          return Reflect.apply(connection.query, connection, given) as unknown;
        },
      };
      const aside = new SetAside(dying as never);
      const isThrough = await aside.begin().then(
        () => true,
        () => false,
      );
      if (isThrough) await connection.query('CREATE TABLE SVC_zj (id INT PRIMARY KEY)');
      const [[marked]] = (await connection.query("SHOW TABLES LIKE 'SVC_restoring'")) as unknown as [unknown[]];
      if (marked) await expect(TestPanel.on(place)).rejects.toThrow('svc restore --undo');
      // The undo is killed, too.
      left.statements = 9;
      await new SetAside(dying as never).rollBack().catch(() => undefined);
      expect(await alone(['restore', '--undo'])).toMatchObject({ code: 0 });
      expect(await shape()).toEqual(before);
      expect(await users()).toEqual(['fromold1']);
      if (isThrough) break;
    }
    await new SetAside(connection as never).begin();
    expect(await alone(['restore', file], key)).toMatchObject({ code: 1, text: expect.stringContaining('--overwrite') as string });
    expect(await restore()).toMatchObject({ code: 0 });
    expect(await users()).toEqual(['fromback']);
    expect(await alone(['restore', '--undo'])).toMatchObject({ code: 0, text: expect.stringContaining('Nothing was changed') as string });
  });

  it('killed while the old tables are dropped is complete: the next start drops the rest', async () => {
    const aside = new SetAside(connection as never);
    await aside.begin();
    await aside.rollBack();
    await connection.query('CREATE TABLE svc_before_restore_7 (id INT)');
    await connection.query('CREATE TABLE SVC_restored_over (kind INT)');
    const started = await TestPanel.on(place);
    await started.stop();
    expect(Object.keys(await shape()).filter((name) => /restor/.test(name) && name !== 'SVC_restored')).toEqual([]);
    expect(await users()).toEqual(['fromold1']);
  });
});
