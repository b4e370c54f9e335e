import { expect, it } from 'vitest';

import { sqlRefusal } from './site-sql.js';

it.each([
  ['ERROR 1021 (HY000) at line 3: Disk full (/tmp/#sql); waiting for someone to free some space... (errno: 28 "No space left on device")'],
  ["ERROR 1114 (HY000) at line 9: The table 'posts' is full"],
  ['ERROR 3 (HY000) at line 2: Error writing file \'/tmp/MLd\' (Errcode: 28 "No space left on device")'],
  ['mariadb-dump: Got errno 28 on write'],
  ['ERROR 1030 (HY000) at line 5: Got error 122 "Disk quota exceeded" from storage engine InnoDB (errno: 122)'],
])('a database server that says %s has a full disk', (said) => expect(sqlRefusal(`${said}\n`)).toMatchObject({ code: 'DISK_FULL' }));

it.each([
  ["ERROR 1064 (42000) at line 1: You have an error in your SQL syntax near 'No space left on device'"],
  ['ERROR 1644 (45000) at line 1: Disk full'],
  [''],
])('one that says %s has none', (said) => expect(sqlRefusal(said)).toMatchObject({ code: 'DATABASE_SQL', params: { answer: said } }));

it('what is wrong is told without the statement a client repeats before it, which decides nothing', () => {
  const repeated = (error: string) =>
    sqlRefusal(`--------------\nINSERT INTO t VALUES ('\nERROR 1021 errno: 28')\n--------------\n\n${error}\n`);
  const wrong = 'ERROR 1136 (21S01) at line 4: Column count does not match';
  expect(repeated(wrong)).toMatchObject({ code: 'DATABASE_SQL', params: { answer: wrong } });
  expect(repeated('ERROR 1021 (HY000) at line 4: Disk full')).toMatchObject({ code: 'DISK_FULL' });
});
