import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DumpError } from './dump-error.js';
import type { DumpEvent, DumpValue } from './dump-event.js';
import { DumpParser } from './dump-parser.js';

/** What a text says, given to the parser in pieces of so many characters. */
function read(text: string, size = 7, wants: (table: string) => boolean = () => true): DumpEvent[] {
  const events: DumpEvent[] = [];
  const reading = new DumpParser(wants).read();
  let step = reading.next();
  for (let at = 0; !step.done;) {
    if (step.value !== null) {
      events.push(step.value);
      step = reading.next();
    } else {
      step = reading.next(at < text.length ? text.slice(at, at + size) : null);
      at += size;
    }
  }
  return events;
}

const rows = (text: string, size?: number): (readonly DumpValue[])[] =>
  read(text, size).flatMap((event) => (event.kind === 'row' ? [event.values] : []));

/** Every way a program writes a value. */
const written = fc.oneof(
  fc.constant({ sql: 'NULL', value: null }),
  fc.constant({ sql: 'true', value: '1' }),
  fc.integer().map((number) => ({ sql: String(number), value: String(number) })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => ({ sql: String(number), value: String(number) })),
  fc
    .record({ text: fc.string({ unit: 'grapheme' }), prefix: fc.constantFrom('', '_binary ', '_utf8mb4', 'N') })
    .map(({ text, prefix }) => ({
      sql: `${prefix}'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
      value: text,
    })),
  fc.string({ unit: fc.constantFrom("'", '"', '\\', ';', '-', '#', '/', '*', '\n', 'x', '(', ')', ',', '`') }).map((text) => ({
    sql: `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    value: text,
  })),
  fc.string().map((text) => ({ sql: `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`, value: text })),
  fc.string({ unit: 'grapheme' }).map((text) => ({ sql: `0x${Buffer.from(text).toString('hex')}`, value: text })),
  fc.string({ unit: 'grapheme' }).map((text) => ({ sql: `x'${Buffer.from(text).toString('hex').toUpperCase()}'`, value: text })),
);
const blank = fc.constantFrom('', ' ', '\r\n', '\t', "/* it's; */", "-- don't;\n", '#"\n', ' /*!40101 ', '/**/', '--\n');

describe('the parser of dumps', () => {
  it('reads every value as it was, however it is written and wherever a piece ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(written, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.array(blank, { minLength: 6, maxLength: 6 }),
        fc.constantFrom('INSERT INTO', 'insert  ignore into', 'REPLACE INTO', 'INSERT LOW_PRIORITY', 'INSERT'),
        fc.constantFrom('`zj`', 'zj', '"zj"', '`db`.`zj`', 'db . zj'),
        fc.integer({ min: 1, max: 40 }),
        (table, [a, b, c, d, e, f], verb, name, size) => {
          const tuples = table.map((row) => `${a}(${row.map(({ sql }) => `${b}${sql} ${c}`).join(',')})`).join(`${d},${e}`);
          const sql = `${f}${verb} ${name} VALUES ${tuples}${d};SELECT 1;${verb} \`z\` (\`a\`) VALUE (1);`;
          expect(rows(sql, size)).toEqual([...table.map((row) => row.map(({ value }) => value)), ['1']]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses or passes over anything else, and never hangs', () => {
    const pieces = [
      'INSERT',
      ' INTO ',
      '`zj',
      '`',
      'VALUES',
      '(',
      ')',
      ',',
      ';',
      "'",
      '"',
      '\\',
      'CREATE',
      ' TABLE ',
      '/*',
      '*/',
      '--',
      '#',
      '0x',
      'DELIMITER ',
      '$$',
      '1',
      '.',
      '\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 40 }), (parts) => {
        try {
          read(parts.join(''), 3);
        } catch (error) {
          expect(error).toBeInstanceOf(DumpError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes columns from the statement, or the table', () => {
    expect(
      read(
        "CREATE TABLE IF NOT EXISTS `x`.`zj` (`id` int(11) DEFAULT '1,2' COMMENT 'a ) b', user enum('a','b'), " +
          '`key` decimal(1,2),\n PRIMARY KEY (`id`), CHECK (id > 1)) ;',
      ),
    ).toEqual([{ kind: 'table', table: 'zj', columns: ['id', 'user', 'key'] }]);
    expect(read('INSERT INTO zj (`id`, user) VALUES (1, 2) ON DUPLICATE KEY UPDATE id=1;')).toMatchObject([
      { columns: ['id', 'user'], values: ['1', '2'] },
    ]);
  });

  it('runs nothing: no statement within a routine, a comment, or a text counts', () => {
    const sql = `DELIMITER $$
      CREATE PROCEDURE p() BEGIN -- don't
        INSERT INTO zj VALUES (1); INSERT INTO zj VALUES (2); END$$
      DELIMITER ;
      /* INSERT INTO zj VALUES (3); */ # INSERT INTO zj VALUES (4);
      INSERT INTO other VALUES ('; INSERT INTO zj VALUES (5); ''', "\\"; INSERT INTO zj VALUES (6);");
      /*!50003 INSERT INTO zj VALUES (7) */;
      USE \`; INSERT INTO zj VALUES (8);\`;`;
    for (const size of [1, 3, 10_000]) expect(read(sql, size, (table) => table === 'zj')).toMatchObject([{ values: ['7'] }]);
  });

  it('keeps nothing of what nobody wants, however long it is', () => {
    const long = `INSERT INTO log VALUES ('${'x'.repeat(1_000_000)}')`.repeat(20);
    expect(read(`${long};INSERT INTO zj VALUES (1);`, 65_536, (table) => table === 'zj')).toHaveLength(1);
  });

  it('says what it cannot read', () => {
    for (const [sql, words] of [
      ["INSERT INTO zj VALUES ('a", 'truncated'],
      ['INSERT INTO zj VALUES (NOW())', 'NOW'],
      ['INSERT INTO zj SELECT * FROM x;', 'SELECT'],
      ['INSERT INTO zj SET a = 1;', 'SET'],
      ['INSERT INTO zj VALUES (1', 'truncated'],
      ['CREATE TABLE zj (id int', 'truncated'],
      [`INSERT INTO zj VALUES ('${'x'.repeat(17_000_000)}')`, 'longer'],
    ] as const)
      expect(() => read(sql, 65_536), sql.slice(0, 40)).toThrow(words);
  });
});
