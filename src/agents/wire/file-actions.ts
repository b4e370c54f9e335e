import { asRoot, asSite, LONG } from './action.js';
import {
  address,
  archiveName,
  bytes,
  day,
  workId,
  entry,
  entryName,
  fileActionResult,
  path,
  relocation,
  sha256,
  siteName,
  spaceUsed,
  time,
  uploadState,
  uploadTarget,
} from './action-values.js';
import { fields, flag, list, maybe, oneOf, text, whole } from './shape.js';

/** Opaque to the panel; changes with every modification of the file. */
const version = text(100);
const uploadPiece = 8 * 1024 * 1024;
/** Result of a backup; the same as `MadeBackup` of the panel. */
const made = {
  size: bytes,
  sha256,
  content: bytes,
  files: whole(0, 2 ** 40),
  left: whole(0, 2 ** 40),
  changed: whole(0, 2 ** 40),
  changedPaths: list(text(4_096), 20),
};
/** A stored archive. */
const kept = fields({ name: archiveName, size: bytes, sha256, content: bytes });

/**
 * File actions, executed by the site's system user, with the rules and error codes of `FilesPort`. The argument `space` is how many
 * additional bytes may be used, otherwise `NO_SPACE`; the result `space` is how many are used, negative if space was freed.
 */
export const FILE_ACTIONS = {
  /** At most `limit` entries and 40 KB; `total` shows whether there are more. */
  'files.list': asSite({
    args: {
      folder: path,
      sort: oneOf('name', 'size', 'changed'),
      descending: flag,
      offset: whole(0, 1_000_000),
      limit: whole(1, 1_000),
      text: maybe(text(255)),
    },
    result: { total: whole(0, 2 ** 40), entries: list(entry, 1_000), cut: flag },
  }),
  'files.find': asSite({ args: { path }, result: { entry } }),
  /** Whole content of a file; `TOO_LARGE` if it exceeds `most`. */
  'files.read': asSite({
    args: { path, most: whole(0, 64 * 1024 * 1024) },
    body: { to: 'panel', most: 64 * 1024 * 1024 },
    result: { version, changedAt: time },
  }),
  /** Like `files.read` for files of any size; the length is sent with the body. */
  'files.open': asSite({ seconds: LONG, args: { path }, body: { to: 'panel', most: 2 ** 50 } }),
  'files.size': asSite({ args: { path }, result: { bytes } }),
  'files.write': asSite({
    args: { path, isNew: flag, version: maybe(version), space: bytes },
    body: { to: 'server', most: 64 * 1024 * 1024 },
    result: { version, changedAt: time, space: spaceUsed },
  }),
  'files.makeFolder': asSite({ args: { path } }),
  'files.rename': asSite({ args: { folder: path, from: entryName, to: entryName } }),
  'files.move': asSite({ args: relocation.shapes, result: { count: whole(0, 1_000) } }),
  'files.discard': asSite({ args: { paths: list(path, 1_000, 1) }, result: { count: whole(0, 1_000) } }),
  'files.uploaded': asSite({ args: { target: uploadTarget }, result: { state: uploadState } }),
  'files.upload': asSite({
    args: { target: uploadTarget, offset: bytes, space: bytes },
    body: { to: 'server', most: uploadPiece },
    result: { state: uploadState, space: spaceUsed },
  }),
  'files.cancelUpload': asSite({ args: { target: uploadTarget }, result: { space: spaceUsed } }),
  'files.copy': asSite({ seconds: LONG, args: { deed: workId, ...relocation.shapes, space: bytes }, result: fileActionResult.shapes }),
  'files.pack': asSite({
    seconds: LONG,
    args: { deed: workId, folder: path, names: list(entryName, 1_000, 1), archive: path, space: bytes },
    result: fileActionResult.shapes,
  }),
  'files.unpack': asSite({
    seconds: LONG,
    args: { deed: workId, archive: path, folder: path, encoding: maybe(oneOf('utf-8', 'gbk')), space: bytes },
    result: fileActionResult.shapes,
  }),
  'files.trash': asSite({
    args: { offset: whole(0, 1_000_000), limit: whole(1, 1_000) },
    result: {
      total: whole(0, 2 ** 40),
      entries: list(
        fields({ id: text(64, /^[a-z0-9.-]+$/), path, type: oneOf('file', 'folder', 'other'), size: bytes, deletedAt: time }),
        1_000,
      ),
    },
  }),
  'files.restore': asSite({ args: { ids: list(text(64, /^[a-z0-9.-]+$/), 200, 1) }, result: { paths: list(path, 200) } }),
  /** null for everything. */
  'files.purge': asSite({
    seconds: LONG,
    args: { deed: workId, ids: maybe(list(text(64, /^[a-z0-9.-]+$/), 200)), before: maybe(time) },
    result: { count: whole(0, 2 ** 40), space: spaceUsed },
  }),
  'files.tidy': asSite({ args: { before: time }, result: { space: spaceUsed } }),

  /**
   * Backup actions for site files, see `BackupsPort`. With `url`, archives are uploaded to or downloaded from there and not kept; otherwise
   * they are stored on the server's disk outside every web root.
   */
  'backups.make': asSite({ seconds: LONG, secrets: ['url'], args: { deed: workId, name: archiveName, url: maybe(address) }, result: made }),
  /** Uploads a part of an archive to a presigned address; can be repeated. */
  'backups.send': asSite({
    seconds: LONG,
    secrets: ['url'],
    args: { deed: workId, name: archiveName, from: bytes, size: bytes, url: address },
  }),
  'backups.restore': asSite({
    seconds: LONG,
    secrets: ['url'],
    args: { deed: workId, archive: kept, url: maybe(address), space: bytes },
    /** The archive itself, sent with the task instead of `url`, if it is on another server. */
    body: { to: 'server', most: 2 ** 50 },
    result: { space: spaceUsed },
  }),
  'backups.open': asSite({ seconds: LONG, args: { name: archiveName, from: bytes }, body: { to: 'panel', most: 2 ** 50 }, result: {} }),
  /** Fingerprint of the files without reading their contents; empty if something changed just now. */
  'backups.mark': asSite({ seconds: 60, result: { mark: text(64, /^(?:[0-9a-f]{64})?$/) } }),
  'backups.remove': asRoot({ args: { name: archiveName } }),
  'backups.check': asRoot({ of: 'server', result: { free: bytes } }),

  /** Access logs in the combined format, see `StatisticsPort`. Returns at most 500 names, those after `after`. */
  'logs.grown': asRoot({
    of: 'server',
    args: { since: maybe(time), after: maybe(siteName) },
    result: { sites: list(siteName, 500), next: maybe(siteName) },
  }),
  /** Complete lines, at most 1 MiB. */
  'logs.read': asRoot({ args: { cursor: text(64) }, body: { to: 'panel', most: 1024 * 1024 }, result: { next: text(64) } }),
  'logs.last': asRoot({ args: { lines: whole(1, 1_000) }, body: { to: 'panel', most: 1024 * 1024 } }),
  'logs.days': asRoot({ result: { days: list(fields({ day, bytes, isPacked: flag, isCut: flag }), 400) } }),
  /** `not_found` if that day has no log. */
  'logs.open': asRoot({ seconds: LONG, args: { day }, body: { to: 'panel', most: 2 ** 50 } }),
  /** Bytes sent in a month `YYYY-MM`, in the server's time zone. */
  'traffic.month': asRoot({ args: { month: text(7, /^\d{4}-\d\d$/) }, result: { bytes } }),
} as const;
