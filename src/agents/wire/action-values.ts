import { fields, flag, lines, list, maybe, oneOf, text, whole } from './shape.js';

/** Value types shared by several actions. This folder must not import anything from outside, because agents copy it. */

/** Maximum of any number of bytes: a pebibyte. */
export const MAX_BYTES = 2 ** 50;

/** Bytes. */
export const bytes = whole(0, MAX_BYTES);
/** Milliseconds since 1970. */
export const time = whole(0, 8_640_000_000_000_000);
/** SHA-256 in hex. */
export const sha256 = text(64, /^[0-9a-f]{64}$/);
/** `YYYY-MM-DD`. */
export const day = text(10, /^\d{4}-\d\d-\d\d$/);
/** Name of a site; also used for folders and configuration files on the server. */
export const siteName = text(64, /^[a-z0-9](?:[a-z0-9_-]|\.(?!\.))*$/);
/** Identifies the owner of a site; an opaque value that is only compared. */
export const ownerMark = text(200, null, 1);
/** Path within a site, starting with `/` at the web root. The receiver validates every segment. */
export const path = text(4_096, /^\//);
/** Name of a folder entry. */
export const entryName = text(255, /^[^/]+$/);
/** Identifies a job; the remains of an interrupted attempt are removed by the next one with the same id. */
export const workId = text(64, /^[a-z0-9-]{1,64}$/);
/** Host name in lower case and punycode, optionally with a leading `*.`. */
export const hostName = text(255, /^(?:\*\.)?(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/);
/** Folder below the web root without leading and trailing slashes; empty for the web root. */
export const folder = text(1_024, /^(?!\/)(?:.*[^/])?$/);
/** Installed version of PHP, such as `82`. */
export const phpVersion = text(3, /^\d{2,3}$/);
/** Name of a database, and of its user. */
export const databaseName = text(32, /^[a-z][a-z0-9_]{0,31}$/);
/** A password for SFTP or a database. */
export const password = text(200, null, 1);
/** Presigned storage address. */
export const address = text(4_096, /^https?:\/\//);

/** A domain of a site with the folder it serves. */
export const domain = fields({ name: hostName, folder });

/** Reference to a site. */
export const siteRef = fields({
  name: siteName,
  /** Id returned by `site.create`; empty before. */
  id: text(64, /^[a-z0-9-]*$/),
  /** An action on a site with another mark is refused. */
  mark: ownerMark,
  /** Name of its owner in the panel. */
  user: text(64, null, 1),
});

/** Limits of a site; 0 means no limit. */
export const quota = fields({
  webMb: whole(0, 2 ** 40),
  databaseMb: whole(0, 2 ** 40),
  trafficGb: whole(0, 2 ** 40),
  domains: whole(0, 1_000_000),
});

/** A site as returned by `site.list`. */
export const remoteSite = fields({
  siteName,
  siteId: text(64),
  ownerMark: maybe(ownerMark),
  username: text(64),
  running: flag,
  suspended: flag,
});

/** Web settings other than domains, certificate and PHP; the same as `WebSettingsState` of the panel. */
export const siteSettings = fields({
  /** Index files; the first existing one is used. */
  indexes: list(entryName, 20),
  runFolder: folder,
  redirects: list(fields({ id: text(64), from: text(1_024, /^\//), to: text(2_048, /^(?:\/|https?:\/\/)/), status: oneOf(301, 302) }), 100),
  passwords: list(fields({ name: text(64), folder, user: text(64, /^[^:]+$/), hash: text(200, /^[^:]+$/) }), 50),
  hotlink: fields({
    enabled: flag,
    suffixes: list(text(16, /^[a-z0-9]+$/), 50),
    domains: list(hostName, 100),
    allowEmpty: flag,
    status: oneOf(403, 404),
  }),
  cache: list(fields({ suffix: text(200, /^[a-z0-9]+(?:,[a-z0-9]+)*$/), time: text(8, /^\d{1,6}[smhdMy]$/) }), 50),
  compression: fields({
    enabled: flag,
    level: whole(1, 9),
    minBytes: whole(0, 2 ** 30),
    types: list(text(100, /^[a-z0-9.+-]+\/[a-z0-9.+*-]+$/), 50),
  }),
  errorPages: fields({ '403': maybe(path), '404': maybe(path), '503': maybe(path) }),
});

/** A certificate for a site's server. */
export const certificate = fields({ names: list(hostName, 100, 1), chain: lines(30_000), key: lines(10_000), forceHttps: flag });

/** ACME challenge: the response to plain HTTP at `/.well-known/acme-challenge/<token>`. */
export const proof = fields({ name: hostName, token: text(128, /^[A-Za-z0-9_-]{1,128}$/), answer: text(512) });

/** Id of a scheduled command. */
export const commandId = text(32, /^[a-z0-9]{1,32}$/);

/** A scheduled command, run as the site's user without a shell. */
export const command = fields({
  id: commandId,
  /** Cron schedule of five fields in the server's time zone: numbers, `*`, `-`, `,` and `/`. */
  schedule: text(100, /^[0-9*,/-]+(?: [0-9*,/-]+){4}$/),
  /** Program and arguments; a program without `/` is `php` of the site's version or a program in `/usr/bin`. */
  argv: list(text(1_000), 32, 1),
  /** Working directory below the web root. */
  folder,
  /** Time limit in seconds. */
  seconds: whole(1, 3_600),
  enabled: flag,
});

/** Entry at a path. */
export const entry = fields({ name: text(4_096), type: oneOf('file', 'folder', 'other'), size: bytes, changedAt: time });

/** An upload, identified by these values. */
export const uploadTarget = fields({ folder: path, name: text(4_096, null, 1), size: bytes, tag: text(200) });
/** Progress of an upload. */
export const uploadState = fields({ received: bytes, done: flag });

/** Entries of a folder and their target folder. */
export const relocation = fields({ from: path, names: list(entryName, 1_000, 1), to: path });

/** Result of a long file operation; `space` is the additional bytes in use, negative if space was freed. */
export const fileActionResult = fields({ done: whole(0, 2 ** 40), left: whole(0, 2 ** 40), space: whole(-MAX_BYTES, MAX_BYTES) });
/** Additional bytes in use, negative if space was freed. */
export const spaceUsed = whole(-MAX_BYTES, MAX_BYTES);

/** Name of an archive on the disk of a server. */
export const archiveName = text(160, /^[a-z0-9][a-z0-9.-]*$/);
