import { fields, flag, lines, list, maybe, oneOf, text, whole } from './shape.js';

/** Values that several actions take or give. Nothing in this folder depends on anything outside of it: an agent copies it. */

/** Largest number of bytes anything may have: a pebibyte. */
export const MOST_BYTES = 2 ** 50;

/** Bytes. */
export const bytes = whole(0, MOST_BYTES);
/** Milliseconds since 1970. */
export const time = whole(0, 8_640_000_000_000_000);
/** Hash of SHA-256 in hex. */
export const sha256 = text(64, /^[0-9a-f]{64}$/);
/** `YYYY-MM-DD`. */
export const day = text(10, /^\d{4}-\d\d-\d\d$/);
/** Name of a site: of the folders and configuration files of a server, too. */
export const siteName = text(64, /^[a-z0-9](?:[a-z0-9_-]|\.(?!\.))*$/);
/** Whose a site is; compared as a whole, never read. */
export const ownerMark = text(200, null, 1);
/** Path of a site, from its web root and beginning with `/`. Whoever takes it checks every part of it. */
export const path = text(4_096, /^\//);
/** Name in a folder. */
export const entryName = text(255, /^[^/]+$/);
/** Names the work: an attempt that was interrupted is cleared away by the next one of the same name. */
export const workId = text(64, /^[a-z0-9-]{1,64}$/);
/** Name of a host in lower case and punycode, or `*.` before one. */
export const hostName = text(255, /^(?:\*\.)?(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/);
/** Folder below the web root without slashes around it; empty for the web root. */
export const folder = text(1_024, /^(?!\/)(?:.*[^/])?$/);
/** Installed version of PHP, such as `82`. */
export const phpVersion = text(3, /^\d{2,3}$/);
/** Name of a database, and of its user. */
export const databaseName = text(32, /^[a-z][a-z0-9_]{0,31}$/);
/** A password, of SFTP or of a database. */
export const password = text(200, null, 1);
/** Presigned address of a storage. */
export const address = text(4_096, /^https?:\/\//);

/** A domain of a site: a name, and the folder it shows. */
export const domain = fields({ name: hostName, folder });

/** The site an action is about. */
export const siteRef = fields({
  name: siteName,
  /** As `site.create` answered it; empty before. */
  id: text(64, /^[a-z0-9-]*$/),
  /** An action on a site that carries another one is refused. */
  mark: ownerMark,
  /** Name of its user in the panel. */
  user: text(64, null, 1),
});

/** What a site may use; 0 is no limit. */
export const quota = fields({
  webMb: whole(0, 2 ** 40),
  databaseMb: whole(0, 2 ** 40),
  trafficGb: whole(0, 2 ** 40),
  domains: whole(0, 1_000_000),
});

/** A site as `site.list` tells it. */
export const remoteSite = fields({
  siteName,
  siteId: text(64),
  ownerMark: maybe(ownerMark),
  username: text(64),
  running: flag,
  suspended: flag,
});

/** How a site is served besides domains, certificate and PHP; as `WebSettingsState` of the panel. */
export const siteSettings = fields({
  /** Files that stand for a folder, the first that is there. */
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

/** A certificate as a site's server is to have it. */
export const certificate = fields({ names: list(hostName, 100, 1), chain: lines(30_000), key: lines(10_000), forceHttps: flag });

/** What a site answers with on plain HTTP at `/.well-known/acme-challenge/<token>`. */
export const proof = fields({ name: hostName, token: text(128, /^[A-Za-z0-9_-]{1,128}$/), answer: text(512) });

/** Names a command of a site. */
export const commandId = text(32, /^[a-z0-9]{1,32}$/);

/** A command that runs by itself, as the user of the site and without a shell. */
export const command = fields({
  id: commandId,
  /** Five fields of cron in the zone of the server: numbers, `*`, `-`, `,` and `/`. */
  schedule: text(100, /^[0-9*,/-]+(?: [0-9*,/-]+){4}$/),
  /** Program and arguments; a program without `/` is `php` of the site's version, or one of `/usr/bin`. */
  argv: list(text(1_000), 32, 1),
  /** Below the web root; what it runs in. */
  folder,
  /** Seconds after which it is ended. */
  seconds: whole(1, 3_600),
  enabled: flag,
});

/** What stands at a path. */
export const entry = fields({ name: text(4_096), type: oneOf('file', 'folder', 'other'), size: bytes, changedAt: time });

/** An upload: the same values are the same one. */
export const uploadTarget = fields({ folder: path, name: text(4_096, null, 1), size: bytes, tag: text(200) });
/** How far an upload is. */
export const uploadState = fields({ received: bytes, done: flag });

/** Which names of a folder go where. */
export const relocation = fields({ from: path, names: list(entryName, 1_000, 1), to: path });

/** What long work with files did; `space`: bytes in use now that were not before, below 0 where there are fewer. */
export const fileActionResult = fields({ done: whole(0, 2 ** 40), left: whole(0, 2 ** 40), space: whole(-MOST_BYTES, MOST_BYTES) });
/** Bytes in use now that were not before. */
export const spaceUsed = whole(-MOST_BYTES, MOST_BYTES);

/** Name of an archive on the disk of a server. */
export const archiveName = text(160, /^[a-z0-9][a-z0-9.-]*$/);
