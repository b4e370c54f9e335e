import { randomBytes } from 'node:crypto';

import { Administrator, Administrators, KnownDevices, PasswordHasher, removeSecondFactor, SessionService } from '../../auth/index.js';
import { Clock } from '../../common/index.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../../config/index.js';
import { isUniqueViolation, type Database } from '../../database/index.js';
import { API_VERSION } from '../../sdk/index.js';

import { type Command, CommandError, type Options, type Terminal } from './command.js';
import { recordAction } from './record-action.js';
import { withDatabase } from './open-database.js';

const NAME = /^[A-Za-z0-9_.@-]{4,64}$/;
const PASSWORD_OPTION = { 'password-stdin': { type: 'boolean' } } as const;
const PASSWORD_DETAILS = [
  'The password is made up and shown once. With --password-stdin it is read from standard input instead (8 to 256 characters);',
  'it is never taken from the command line, where everybody on this machine can read it.',
];

const create: Command = {
  name: 'admin create',
  usage: '<name> [--password-stdin]',
  summary: 'Adds an administrator of the panel.',
  details: [...PASSWORD_DETAILS, 'Works while the panel runs.'],
  options: PASSWORD_OPTION,
  positionals: { min: 1, max: 1 },
  async run(terminal, [username = ''], options) {
    if (!NAME.test(username)) throw new CommandError('A name has 4 to 64 letters, digits and . _ @ -');
    const config = new AppConfig(terminal.env);
    return withDatabase(config, async (database) => {
      const password = await passwordFor(terminal, options);
      const passwordHash = await new PasswordHasher().hash(password);
      const row = {
        username,
        usernameKey: username.toLowerCase(),
        passwordHash,
        hasDefaultPassword: false,
        seenVersion: API_VERSION,
        createdAt: new Clock().now(),
      };
      try {
        await database.repository(Administrator).insert(row);
      } catch (error) {
        if (isUniqueViolation(error)) throw new CommandError(`There is an administrator named ${username} already.`);
        throw error;
      }
      await recordAction(database, { key: 'account.terminal.admin_created', params: { name: username } });
      return printResult(
        terminal,
        `Administrator ${username} can sign in at ${config.configuredBaseUrl || 'the panel'}/admin/.`,
        password,
        options,
      );
    });
  },
};

const resetPassword: Command = {
  name: 'admin reset-password',
  usage: '<name> [--password-stdin]',
  summary: 'Gives an administrator a new password and ends his sessions.',
  details: [...PASSWORD_DETAILS, 'Works while the panel runs: whoever is signed in under that name has to sign in again.'],
  options: PASSWORD_OPTION,
  positionals: { min: 1, max: 1 },
  async run(terminal, [username = ''], options) {
    const config = new AppConfig(terminal.env);
    return withDatabase(config, async (database) => {
      const administrator = await find(database, username);
      const password = await passwordFor(terminal, options);
      const passwordHash = await new PasswordHasher().hash(password);
      const clock = new Clock();
      await database.transaction(async () => {
        await database.repository(Administrator).update({ id: administrator.id }, { passwordHash, hasDefaultPassword: false });
        await new SessionService(database, clock, config).endEvery('admin', administrator.id);
        await new KnownDevices(database, clock).forgetEvery('admin', administrator.id);
      });
      await recordAction(database, { key: 'account.terminal.admin_password', params: { name: administrator.username } });
      return printResult(
        terminal,
        `Administrator ${administrator.username} has a new password; every session of his has ended.`,
        password,
        options,
      );
    });
  },
};

const disableSecondFactor: Command = {
  name: 'admin disable-2fa',
  usage: '<name>',
  summary: 'Takes the second factor of an administrator away, for who lost it.',
  details: [
    'He signs in with his password alone until he sets up another one; recovery codes end, sessions go on. Works while the panel runs.',
  ],
  options: {},
  positionals: { min: 1, max: 1 },
  async run(terminal, [username = '']) {
    return withDatabase(new AppConfig(terminal.env), async (database) => {
      const administrator = await find(database, username);
      const name = administrator.username;
      if (!(await removeSecondFactor(database, 'admin', administrator.id))) {
        terminal.print(`${name} has no second factor.`);
        return 0;
      }
      await recordAction(database, { key: 'account.terminal.admin_2fa', params: { name } });
      terminal.print(`${name} signs in with his password alone now.`);
      return 0;
    });
  },
};

/** Commands for recovering access to the panel. */
export const ADMIN_COMMANDS: readonly Command[] = [create, resetPassword, disableSecondFactor];

async function find(database: Database, username: string): Promise<Administrator> {
  const rows = database.repository(Administrator);
  const found = await new Administrators(rows, new PasswordHasher(), new Clock()).findByName(username);
  if (found) return found;
  const names = (await rows.find({ order: { id: 'ASC' }, take: 20 })).map((row) => row.username);
  throw new CommandError(`There is no administrator named ${username}. There is: ${names.join(', ')}`);
}

async function passwordFor(terminal: Terminal, options: Options): Promise<string> {
  if (!options['password-stdin']) return randomBytes(15).toString('base64url');
  const password = (await terminal.readInput()).replace(/\r?\n$/, '');
  if (password.length < 8 || password.length > 256) throw new CommandError('A password has 8 to 256 characters.');
  if (password === DEFAULT_ADMIN_PASSWORD)
    throw new CommandError('That is the published default password: anybody knows it. Choose another one.');
  return password;
}

function printResult(terminal: Terminal, text: string, password: string, options: Options): number {
  terminal.print(text);
  if (!options['password-stdin']) terminal.print(`Password: ${password}\nIt is shown this once. Write it down now.`);
  return 0;
}
