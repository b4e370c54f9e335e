import fc from 'fast-check';
import { expect, it } from 'vitest';

import { lineOf, readLine } from './command-line.js';
import { ProgramError } from './program-errors.js';

it('parses words as people write them', () => {
  expect(readLine('php artisan schedule:run')).toEqual(['php', 'artisan', 'schedule:run']);
  expect(readLine('  wget  -q -O - https://example.com/wp-cron.php?doing=1&x=%20  ')).toEqual([
    'wget',
    '-q',
    '-O',
    '-',
    'https://example.com/wp-cron.php?doing=1&x=%20',
  ]);
  expect(readLine(`php -r "echo \\"it's\\", 1;" '' 'a b'c\\ d`)).toEqual(['php', '-r', `echo "it's", 1;`, '', 'a bc d']);
  expect(readLine('sh backup.sh 100% 5*')).toEqual(['sh', 'backup.sh', '100%', '5*']);
  expect(readLine(`echo '$HOME' '| id' \\$HOME ';'`)).toEqual(['echo', '$HOME', '| id', '$HOME', ';']);
});

it.each([
  ['php a.php > /dev/null', '>'],
  ['php a.php 2>&1', '2>&1'],
  ['php a.php >>log.txt', '>>log.txt'],
  ['a | b', '|'],
  ['a && b', '&&'],
  ['a; b', 'a;'],
  ['a &', '&'],
  ['echo $HOME', '$H'],
  ['echo "${PATH}"', '${'],
  ['echo `id`', '`'],
  ['echo "$(id)"', '$('],
])('rejects %s because no shell is used', (line, sign) => {
  expect(() => readLine(line)).toThrowError(ProgramError);
  try {
    readLine(line);
  } catch (error) {
    expect((error as ProgramError).fields).toMatchObject({ ml: { key: 'siteprograms.line_shell', params: { sign } } });
  }
});

it.each(['', '   ', "''", 'a "b', "a 'b", 'a\tb', 'a\nb', `a${' b'.repeat(40)}`, `a ${'b'.repeat(1_001)}`])('rejects %j', (line) => {
  expect(() => readLine(line)).toThrowError(ProgramError);
});

it('formats words so that they are parsed the same', () => {
  const word = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !/\p{Cc}|\p{Cs}/u.test(text));
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 10 }).filter(([first]) => first !== ''),
      (argv) => {
        expect(readLine(lineOf(argv))).toEqual(argv);
      },
    ),
    { numRuns: 500 },
  );
});
