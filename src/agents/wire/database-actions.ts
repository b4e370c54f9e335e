import { asRoot, LONG } from './action.js';
import { address, archiveName, bytes, databaseName, workId, password, path, sha256, time } from './action-values.js';
import { fields, flag, list, maybe, oneOf, text, whole } from './shape.js';

/** Where SQL comes from or goes to: a file of the site (`.sql` or `.sql.gz`), an archive on the server's disk, or a presigned address. */
const place = oneOf('site', 'archive', 'address');

/** A database of a site and its user, which has the same name. */
const database = fields({ name: databaseName, bytes, hasUser: flag, hosts: list(text(64), 20) });

/** Databases of sites. Names belong to one site of the server: one of another is `refused` with `DATABASE_TAKEN`, and never told of. */
export const DATABASE_ACTIONS = {
  /** Database and user, who may do everything in it and nothing beside it. The same again sets the password. */
  'databases.create': asRoot({ secrets: ['password'], args: { name: databaseName, password, most: whole(0, 1_000) } }),
  'databases.drop': asRoot({ seconds: 120, args: { name: databaseName } }),
  'databases.password': asRoot({ secrets: ['password'], args: { name: databaseName, password } }),
  /** From where its user may come besides the server itself; empty: from nowhere else. `%` is everywhere. */
  'databases.access': asRoot({ args: { name: databaseName, hosts: list(text(64, /^[0-9a-fA-F.:%/]+$/), 20) } }),
  'databases.list': asRoot({ result: { databases: list(database, 100) } }),
  'databases.size': asRoot({ args: { name: databaseName }, result: { bytes } }),
  /** `path` for `site`, `archive` for `archive`, `url` for `address`; gzip where the name ends so, and always for the other two. */
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
   * By the database's own user with `--sandbox`, so that the file reaches nothing else. `SQL` with what the server said where it is wrong.
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
      /** What was in the database before goes. */
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
  /** Drops everything that is in it; user, password and hosts stay. */
  'databases.clear': asRoot({ seconds: 300, args: { name: databaseName } }),
  /** The same from a body and to one, for files of the person at the browser. */
  'databases.export': asRoot({ seconds: LONG, args: { name: databaseName }, body: { to: 'panel', most: 2 ** 50 } }),
  'databases.import': asRoot({ seconds: LONG, args: { name: databaseName, empty: flag }, body: { to: 'server', most: 2 ** 40 } }),
  /**
   * Opens the door to Adminer once: whoever brings the ticket within `seconds` has a session bound to this site, this database and its
   * user. Answers the address to go to, on a host name of its own, without the ticket.
   */
  'databases.door': asRoot({
    secrets: ['ticket'],
    args: { name: databaseName, ticket: text(64, /^[0-9a-f]{64}$/), seconds: whole(1, 60) },
    result: { url: address },
  }),
} as const;
