import { asRoot, asSite, LONG } from './action.js';
import {
  bytes,
  certificate,
  command,
  commandId,
  day,
  domain,
  hostName,
  password,
  phpVersion,
  proof,
  quota,
  remoteSite,
  siteName,
  siteRef,
  siteSettings,
  time,
} from './action-values.js';
import { fields, flag, lines, list, maybe, oneOf, text, whole } from './shape.js';

/** How a program ended; below 0: by a signal. */
const exit = whole(-255, 255);
/** What `*.matches` answers; it changes nothing. */
const same = { same: flag };

/** The server itself, and the life of sites on it. */
export const SITE_ACTIONS = {
  'server.probe': asRoot({
    of: 'server',
    result: {
      /** Such as `Debian GNU/Linux 12 (bookworm)`. */
      system: text(200),
      /** Of what is installed; null where it is not. */
      versions: fields({ nginx: maybe(text(40)), mariadb: maybe(text(40)), sshd: maybe(text(40)), agent: text(40) }),
      php: list(phpVersion, 20),
      disk: fields({ total: bytes, free: bytes }),
      /** Name Adminer answers by; null where there is none. */
      adminer: maybe(hostName),
      /** Zone of the server, such as `Asia/Shanghai`: commands run by it. */
      zone: text(64),
    },
  }),
  /** @see HostDriver.list: in the order of names, at most 100, those after `after`. */
  'site.list': asRoot({ of: 'server', args: { after: maybe(siteName) }, result: { sites: list(remoteSite, 100), next: maybe(siteName) } }),
  /** The same mark again is `already`; another site of that name `refused` with the code `SITE_TAKEN`. */
  'site.create': asRoot({
    secrets: ['password'],
    args: { password: maybe(password), quota, expiresOn: maybe(day), php: maybe(phpVersion) },
    result: { siteId: text(64, /^[a-z0-9-]+$/) },
  }),
  /**
   * As `site.create`, of a site that had this id on another server: it gets the same one where that is free here, so that the names of its
   * system user and its database stay what programs have written down.
   */
  'site.createAs': asRoot({
    secrets: ['password'],
    args: { password: maybe(password), quota, expiresOn: maybe(day), php: maybe(phpVersion), id: text(11, /^svc[0-9a-f]{8}$/) },
    result: { siteId: text(64, /^[a-z0-9-]+$/) },
  }),
  /** Web site, SFTP, commands and databases are out of service. */
  'site.suspend': asRoot({ args: { reason: text(200) } }),
  'site.unsuspend': asRoot({ args: { to: oneOf('running', 'stopped') } }),
  'site.start': asRoot({}),
  'site.stop': asRoot({}),
  'site.renew': asRoot({ args: { expiresOn: maybe(day) } }),
  'site.quota': asRoot({ args: { quota } }),
  /** Of SFTP; databases have their own. */
  'site.password': asRoot({ secrets: ['password'], args: { password } }),
  /** Into the bin, until `bin.purge`: nothing of it is served, and nobody gets in. */
  'site.terminate': asRoot({ seconds: 120 }),
  'site.sync': asRoot({ result: { running: flag, suspended: flag, webUsedBytes: bytes, databaseUsedBytes: bytes } }),
  'site.idle': asRoot({ result: { files: flag } }),
  /** `site` is whose it is to be. @see HostDriver.adopt */
  'site.adopt': asRoot({
    secrets: ['password'],
    args: { from: remoteSite, password: maybe(password), quota, expiresOn: maybe(day) },
    result: { siteId: text(64, /^[a-z0-9-]+$/) },
  }),
  'bin.has': asRoot({ result: { kept: flag } }),
  /** `site` is the one that `site.create` has just made; `kept` becomes it. */
  'bin.restore': asRoot({ args: { kept: siteRef }, seconds: 300 }),
  'bin.purge': asRoot({ seconds: 300 }),

  /**
   * Everything that a site answers by, besides its own name. The same again is `already`. A name another site has is `refused` with the
   * code `SERVER_DOMAIN`, and keeps no other one from being bound.
   */
  'domains.apply': asRoot({ args: { domains: list(domain, 500) } }),
  'domains.matches': asRoot({ args: { domains: list(domain, 500) }, result: same }),
  /** Those of the names other sites here answer by; it changes nothing, and the site need not be here. */
  'domains.taken': asRoot({ args: { names: list(hostName, 500) }, result: { names: list(hostName, 500) } }),
  /** nginx is tried with it first: settings it would not load are `refused` with `CONFIG`, and what was live stays. */
  'settings.apply': asRoot({ args: { settings: siteSettings } }),
  'settings.matches': asRoot({ args: { settings: siteSettings }, result: same }),
  /** Rules of nginx's rewrite module of a closed set: a rule that is not of it is `refused` with `CONFIG`. */
  'rewrites.apply': asRoot({ args: { rules: lines(16_000) } }),
  'certificate.apply': asRoot({ secrets: ['certificate'], args: { certificate: maybe(certificate) } }),
  'certificate.matches': asRoot({ secrets: ['certificate'], args: { certificate: maybe(certificate) }, result: same }),
  'proofs.apply': asRoot({ args: { proofs: list(proof, 100) } }),

  'php.versions': asRoot({ of: 'server', result: { versions: list(phpVersion, 20) } }),
  'php.of': asRoot({ result: { version: maybe(phpVersion) } }),
  /** null: the site has no PHP, and its `.php` files are not served. One that is not installed is `refused` with `PHP_MISSING`. */
  'php.apply': asRoot({ args: { version: maybe(phpVersion) } }),

  /** Passwords of SFTP and databases, as hashes in a JSON text; it goes to another server as it is. */
  'credentials.take': asRoot({ body: { to: 'panel', most: 10_000 } }),
  /** Makes them those of the site, as far as it has such databases. */
  'credentials.give': asRoot({ secrets: ['credentials'], args: { credentials: text(10_000) } }),

  /** null: nobody gets in by a password. */
  'sftp.password': asRoot({ secrets: ['password'], args: { password: maybe(password) } }),
  /** Public keys in the form of OpenSSH's `authorized_keys`, without options. */
  'sftp.keys': asRoot({
    args: { keys: list(text(1_000, /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/=]+(?: .*)?$/), 20) },
  }),
  /** Nobody gets in while it is off, whatever password and keys there are. */
  'sftp.switch': asRoot({ args: { enabled: flag } }),
  'sftp.of': asRoot({ result: { enabled: flag, user: text(32), port: whole(1, 65_535), hasPassword: flag, keys: whole(0, 20) } }),

  /**
   * Adds a command, or replaces the one of its id. `TOO_MANY` where the site has `most` others; `COMMAND_SCHEDULE` for
   * a schedule that cannot be read.
   */
  'commands.put': asRoot({ args: { command, most: whole(1, 50) } }),
  /** With what its runs came to; one there is not is `already`. */
  'commands.remove': asRoot({ args: { id: commandId } }),
  'commands.of': asRoot({
    result: {
      commands: list(fields({ ...command.shapes, last: maybe(fields({ began: time, seconds: whole(0, 3_600), exit })) }), 50),
      /** Schedules are read in it, such as `Asia/Shanghai`. */
      zone: text(64),
    },
  }),
  /**
   * Begins it now, waits for its end and answers what it said, the last of it where that was more. `COMMAND_MISSING`, `COMMAND_RUNNING`.
   */
  'commands.run': asSite({
    seconds: LONG,
    args: { id: commandId },
    result: { began: time, seconds: whole(0, 3_600), exit, output: lines(8_000) },
  }),
  /**
   * Drains them: waits so many seconds at most until no command of the site runs, and ends those that still do; how many these were.
   * Agents that are installed know it by this name.
   */
  'commands.settle': asRoot({ seconds: 600, args: { seconds: whole(0, 590) }, result: { ended: whole(0, 50) } }),
  /** What the last runs came to, newest first. */
  'commands.runs': asRoot({
    args: { id: commandId },
    result: { runs: list(fields({ began: time, seconds: whole(0, 3_600), exit, output: lines(2_000) }), 20) },
  }),
} as const;
