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
  'A random password is generated and shown once. With --password-stdin the password is read from standard input (8 to 256 characters);',
  'it cannot be an argument, because every user of this machine can read the arguments of processes.',
];

const create: Command = {
  name: 'admin create',
  usage: '<name> [--password-stdin]',
  summary: 'Adds an administrator of the panel.',
  details: [...PASSWORD_DETAILS, 'Works while the panel runs.'],
  options: PASSWORD_OPTION,
  positionals: { min: 1, max: 1 },
  async run(terminal, [username = ''], options) {
    if (!NAME.test(username)) throw new CommandError('A name must have 4 to 64 characters: letters, digits and . _ @ -');
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
        if (isUniqueViolation(error)) throw new CommandError(`An administrator named ${username} already exists.`);
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
  summary: 'Sets a new password for an administrator and ends their sessions.',
  details: [...PASSWORD_DETAILS, 'Works while the panel runs; the administrator has to sign in again everywhere.'],
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
        `Administrator ${administrator.username} has a new password, and all their sessions have ended.`,
        password,
        options,
      );
    });
  },
};

const disableSecondFactor: Command = {
  name: 'admin disable-2fa',
  usage: '<name>',
  summary: 'Removes the second factor of an administrator who has lost it.',
  details: [
    'They sign in with the password alone until they set up a new one. Recovery codes become invalid, sessions ' +
      'continue. Works while the panel runs.',
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
      terminal.print(`${name} now signs in with the password alone.`);
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
  throw new CommandError(`There is no administrator named ${username}. Administrators: ${names.join(', ')}`);
}

async function passwordFor(terminal: Terminal, options: Options): Promise<string> {
  if (!options['password-stdin']) return randomBytes(15).toString('base64url');
  const password = (await terminal.readInput()).replace(/\r?\n$/, '');
  if (password.length < 8 || password.length > 256) throw new CommandError('The password must have 8 to 256 characters.');
  if (password === DEFAULT_ADMIN_PASSWORD)
    throw new CommandError('This is the published default password, which everyone can look up. Choose another one.');
  return password;
}

function printResult(terminal: Terminal, text: string, password: string, options: Options): number {
  terminal.print(text);
  if (!options['password-stdin']) terminal.print(`Password: ${password}\nIt is shown only once. Write it down now.`);
  return 0;
}
