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
