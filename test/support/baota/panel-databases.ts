import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import type { FakeDisk } from './panel-disk.js';
import { done, type Fields, no, remove, type Reply } from './panel-sites.js';
import type { PanelState } from './panel-state.js';

const FOLDER = '/www/backup/database';

/** Database calls of a fake server panel. Imports run as root, as on the real one. */
export class PanelDatabaseCalls {
  constructor(
    private readonly state: PanelState,
    private readonly disk: FakeDisk,
  ) {}

  readonly calls: Record<string, (fields: Fields) => Reply> = {
    '/database GetInfo': ({ db_name }) => ({
      database: db_name,
      data_size: '1.50MB',
      tables: [{ type: 'InnoDB', rows_count: 1, table_name: 'notes', data_size: '16 KB' }],
    }),
    '/database ResDatabasePassword': ({ id, name, password, data_name }) => {
      const row = this.state.databases.find((one) => String(one.id) === id && one.username === name && one.name === data_name);
      if (!row) return no('指定数据库不存在!');
      row.password = password!;
      return done('成功修改数据库密码!');
    },
    '/database SetDatabaseAccess': ({ name, access }) => {
      const row = this.state.databases.find(({ username }) => username === name);
      if (!row) return no('指定数据库不存在!');
      row.accept = access!;
      return done('设置成功!');
    },
    '/database ToBackup': ({ id }) => {
      const row = this.state.databases.find((one) => String(one.id) === id);
      if (!row) return no('指定数据库不存在!');
      const number = this.state.id();
      const name = `db_${row.name}_20260101_${String(number).padStart(6, '0')}.sql.gz`;
      const bytes = gzipSync(
        `-- MySQL dump\nDROP TABLE IF EXISTS \`notes\`;\nCREATE TABLE \`notes\` ` +
          `(\`id\` int NOT NULL);\nINSERT INTO \`notes\` VALUES (1);\n`,
      );
      mkdirSync(this.disk.at(FOLDER), { recursive: true });
      writeFileSync(this.disk.at(`${FOLDER}/${name}`), bytes);
      this.state.backups.push({
        id: number,
        pid: row.id,
        type: '1',
        name,
        filename: `${FOLDER}/${name}`,
        size: bytes.length,
        addtime: '2026-01-01 08:00:00',
      });
      return done('备份成功!');
    },
    '/database DelBackup': ({ id }) => {
      const row = this.state.backups.find((one) => String(one.id) === id);
      if (!row) return no('指定备份不存在!');
      rmSync(this.disk.at(row.filename), { force: true });
      remove(this.state.backups, (one) => one === row);
      return done('删除成功');
    },
    '/database InputSql': ({ file, name }) => {
      this.state.imported.push({ database: name!, sql: readFileSync(this.disk.at(file!), 'utf8') });
      return done('导入数据库成功!');
    },
  };
}
