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

/** Exit code of a program; negative for a signal. */
const exit = whole(-255, 255);
/** Result of `*.matches`, which changes nothing. */
const same = { same: flag };

/** Actions on the server and the lifecycle of its sites. */
export const SITE_ACTIONS = {
  'server.probe': asRoot({
    of: 'server',
    result: {
      /** Such as `Debian GNU/Linux 12 (bookworm)`. */
      system: text(200),
      /** Versions of installed programs; null if not installed. */
      versions: fields({ nginx: maybe(text(40)), mariadb: maybe(text(40)), sshd: maybe(text(40)), agent: text(40) }),
      php: list(phpVersion, 20),
      disk: fields({ total: bytes, free: bytes }),
      /** Host name of Adminer; null if not offered. */
      adminer: maybe(hostName),
      /** Time zone of the server, such as `Asia/Shanghai`; commands are scheduled in it. */
      zone: text(64),
    },
  }),
  /** @see HostDriver.list: sorted by name, at most 100, those after `after`. */
  'site.list': asRoot({ of: 'server', args: { after: maybe(siteName) }, result: { sites: list(remoteSite, 100), next: maybe(siteName) } }),
  /** Repeated with the same mark: `already`; another owner's site of that name: `refused` with `SITE_TAKEN`. */
  'site.create': asRoot({
    secrets: ['password'],
    args: { password: maybe(password), quota, expiresOn: maybe(day), php: maybe(phpVersion) },
    result: { siteId: text(64, /^[a-z0-9-]+$/) },
  }),
  /**
   * Like `site.create` for a site that had this id on another server: it keeps the id if free here, so that the names of its system user
   * and database in the site's own configuration stay valid.
   */
  'site.createAs': asRoot({
    secrets: ['password'],
    args: { password: maybe(password), quota, expiresOn: maybe(day), php: maybe(phpVersion), id: text(11, /^svc[0-9a-f]{8}$/) },
    result: { siteId: text(64, /^[a-z0-9-]+$/) },
  }),
  /** Takes website, SFTP, commands and databases out of service. */
  'site.suspend': asRoot({ args: { reason: text(200) } }),
  'site.unsuspend': asRoot({ args: { to: oneOf('running', 'stopped') } }),
  'site.start': asRoot({}),
  'site.stop': asRoot({}),
  'site.renew': asRoot({ args: { expiresOn: maybe(day) } }),
  'site.quota': asRoot({ args: { quota } }),
  /** The SFTP password; databases have their own. */
  'site.password': asRoot({ secrets: ['password'], args: { password } }),
  /** Moves the site to the bin until `bin.purge`: not served, no access. */
  'site.terminate': asRoot({ seconds: 120 }),
  'site.sync': asRoot({ result: { running: flag, suspended: flag, webUsedBytes: bytes, databaseUsedBytes: bytes } }),
  'site.idle': asRoot({ result: { files: flag } }),
  /** `site` names the new owner. @see HostDriver.adopt */
  'site.adopt': asRoot({
    secrets: ['password'],
    args: { from: remoteSite, password: maybe(password), quota, expiresOn: maybe(day) },
    result: { siteId: text(64, /^[a-z0-9-]+$/) },
  }),
  'bin.has': asRoot({ result: { kept: flag } }),
  /** `site` was just created by `site.create`; `kept` replaces it. */
  'bin.restore': asRoot({ args: { kept: siteRef }, seconds: 300 }),
  'bin.purge': asRoot({ seconds: 300 }),

  /**
   * Sets all domains of a site besides its own name. Repeating it is `already`. A name of another site is `refused` with `SERVER_DOMAIN`;
   * the other names are still applied.
   */
  'domains.apply': asRoot({ args: { domains: list(domain, 500) } }),
  'domains.matches': asRoot({ args: { domains: list(domain, 500) }, result: same }),
  /** Returns the names used by other sites here; changes nothing, and the site need not exist here. */
  'domains.taken': asRoot({ args: { names: list(hostName, 500) }, result: { names: list(hostName, 500) } }),
  /** Tested with nginx first: settings it rejects are `refused` with `CONFIG`, and the live configuration stays. */
  'settings.apply': asRoot({ args: { settings: siteSettings } }),
  'settings.matches': asRoot({ args: { settings: siteSettings }, result: same }),
  /** Rules of nginx's rewrite module from a closed set; any other rule is `refused` with `CONFIG`. */
  'rewrites.apply': asRoot({ args: { rules: lines(16_000) } }),
  'certificate.apply': asRoot({ secrets: ['certificate'], args: { certificate: maybe(certificate) } }),
  'certificate.matches': asRoot({ secrets: ['certificate'], args: { certificate: maybe(certificate) }, result: same }),
  'proofs.apply': asRoot({ args: { proofs: list(proof, 100) } }),

  'php.versions': asRoot({ of: 'server', result: { versions: list(phpVersion, 20) } }),
  'php.of': asRoot({ result: { version: maybe(phpVersion) } }),
  /** null: the site has no PHP, and its `.php` files are not served. A version that is not installed is `refused` with `PHP_MISSING`. */
  'php.apply': asRoot({ args: { version: maybe(phpVersion) } }),

  /** Password hashes of SFTP and databases as a JSON text, passed unchanged to another server. */
  'credentials.take': asRoot({ body: { to: 'panel', most: 10_000 } }),
  /** Applies them to the site and its existing databases. */
  'credentials.give': asRoot({ secrets: ['credentials'], args: { credentials: text(10_000) } }),

  /** null disables sign-in by password. */
  'sftp.password': asRoot({ secrets: ['password'], args: { password: maybe(password) } }),
  /** Public keys in the format of OpenSSH's `authorized_keys`, without options. */
  'sftp.keys': asRoot({
    args: { keys: list(text(1_000, /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/=]+(?: .*)?$/), 20) },
  }),
  /** Off blocks all access, regardless of password and keys. */
  'sftp.switch': asRoot({ args: { enabled: flag } }),
  'sftp.of': asRoot({ result: { enabled: flag, user: text(32), port: whole(1, 65_535), hasPassword: flag, keys: whole(0, 20) } }),

  /**
   * Adds a command or replaces the one with its id. `TOO_MANY` if the site already has `most`; `COMMAND_SCHEDULE` for an invalid schedule.
   */
  'commands.put': asRoot({ args: { command, most: whole(1, 50) } }),
  /** Removes a command and its results; a missing one is `already`. */
  'commands.remove': asRoot({ args: { id: commandId } }),
  'commands.of': asRoot({
    result: {
      commands: list(fields({ ...command.shapes, last: maybe(fields({ began: time, seconds: whole(0, 3_600), exit })) }), 50),
      /** Time zone of the schedules, such as `Asia/Shanghai`. */
      zone: text(64),
    },
  }),
  /** Runs it immediately, waits for its end and returns the end of its output. `COMMAND_MISSING`, `COMMAND_RUNNING`. */
  'commands.run': asSite({
    seconds: LONG,
    args: { id: commandId },
    result: { began: time, seconds: whole(0, 3_600), exit, output: lines(8_000) },
  }),
  /**
   * Waits up to `seconds` until no command of the site runs and stops the rest; returns how many were stopped. The name is fixed by
   * installed agents.
   */
  'commands.settle': asRoot({ seconds: 600, args: { seconds: whole(0, 590) }, result: { ended: whole(0, 50) } }),
  /** Results of the last runs, newest first. */
  'commands.runs': asRoot({
    args: { id: commandId },
    result: { runs: list(fields({ began: time, seconds: whole(0, 3_600), exit, output: lines(2_000) }), 20) },
  }),
} as const;
