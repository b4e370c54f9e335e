import { asRoot, LONG } from './action.js';
import { address, archiveName, bytes, databaseName, workId, password, path, sha256, time } from './action-values.js';
import { fields, flag, list, maybe, oneOf, text, whole } from './shape.js';

/** Source or target of SQL: a file of the site (`.sql` or `.sql.gz`), an archive on the server's disk, or a presigned address. */
const place = oneOf('site', 'archive', 'address');

/** A database of a site and its user of the same name. */
const database = fields({ name: databaseName, bytes, hasUser: flag, hosts: list(text(64), 20) });

/**
 * Database actions. A name belongs to one site of the server: another site's name is `refused` with `DATABASE_TAKEN`, without revealing the
 * owner.
 */
export const DATABASE_ACTIONS = {
  /** Creates a database and a user with full rights in it only. Repeating it sets the password. */
  'databases.create': asRoot({ secrets: ['password'], args: { name: databaseName, password, most: whole(0, 1_000) } }),
  'databases.drop': asRoot({ seconds: 120, args: { name: databaseName } }),
  'databases.password': asRoot({ secrets: ['password'], args: { name: databaseName, password } }),
  /** Hosts from which the user may connect besides the server; empty for none, `%` for everywhere. */
  'databases.access': asRoot({ args: { name: databaseName, hosts: list(text(64, /^[0-9a-fA-F.:%/]+$/), 20) } }),
  'databases.list': asRoot({ result: { databases: list(database, 100) } }),
  'databases.size': asRoot({ args: { name: databaseName }, result: { bytes } }),
  /**
   * `path` for `site`, `archive` for `archive`, `url` for `address`; compressed with gzip if the name ends in `.gz`, and always for the
   * latter two.
   */
  'databases.dump': asRoot({
    seconds: LONG,
    secrets: ['url'],
    args: {
      deed: workId,
      name: databaseName,
      to: place,
      path: maybe(path),
      archive: maybe(archiveName),
      url: maybe(address),
      space: bytes,
    },
    result: { size: bytes, sha256, content: bytes },
  }),
  /**
   * Runs the SQL as the site's user with `--sandbox`, so that it has no access to anything else. Invalid SQL is refused with `DATABASE_SQL`
   * and the server's message.
   */
  'databases.restore': asRoot({
    seconds: LONG,
    secrets: ['url'],
    args: {
      deed: workId,
      name: databaseName,
      from: place,
      path: maybe(path),
      archive: maybe(archiveName),
      url: maybe(address),
      sha256: maybe(sha256),
      /** Whether to empty the database first. */
      empty: flag,
    },
  }),
  /** Dumps on the server's disk, newest first. */
  'databases.archives': asRoot({
    args: { name: databaseName },
    result: { archives: list(fields({ name: archiveName, size: bytes, madeAt: time }), 200) },
  }),
  'databases.openArchive': asRoot({
    seconds: LONG,
    args: { name: databaseName, archive: archiveName },
    body: { to: 'panel', most: 2 ** 50 },
  }),
  'databases.removeArchive': asRoot({ args: { name: databaseName, archive: archiveName } }),
  /** Drops all contents; user, password and hosts stay. */
  'databases.clear': asRoot({ seconds: 300, args: { name: databaseName } }),
  /** Like dump and restore with a body, for the user's own files. */
  'databases.export': asRoot({ seconds: LONG, args: { name: databaseName }, body: { to: 'panel', most: 2 ** 50 } }),
  'databases.import': asRoot({ seconds: LONG, args: { name: databaseName, empty: flag }, body: { to: 'server', most: 2 ** 40 } }),
  /**
   * Allows a sign-in to Adminer: the bearer of the ticket gets a session for this site's database and user within `seconds`, once. Returns
   * the address, on its own host name, without the ticket.
   */
  'databases.door': asRoot({
    secrets: ['ticket'],
    args: { name: databaseName, ticket: text(64, /^[0-9a-f]{64}$/), seconds: whole(1, 60) },
    result: { url: address },
  }),
} as const;
