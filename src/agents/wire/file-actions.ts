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

/** Opaque to the panel; another one after each change of a file. */
const version = text(100);
const uploadPiece = 8 * 1024 * 1024;
/** What an archive of a backup came to; as `MadeBackup` of the panel. */
const made = {
  size: bytes,
  sha256,
  content: bytes,
  files: whole(0, 2 ** 40),
  left: whole(0, 2 ** 40),
  changed: whole(0, 2 ** 40),
  changedPaths: list(text(4_096), 20),
};
/** An archive as it was made. */
const kept = fields({ name: archiveName, size: bytes, sha256, content: bytes });

/**
 * Files of a site, done by its system user; the rules are those of `FilesPort`, and so are the codes of refusals. `space` among the
 * arguments is how many bytes more may be used by it: `NO_SPACE` where that is not enough; in the result it is how many more are used,
 * below 0 where there are fewer.
 */
export const FILE_ACTIONS = {
  /** At most `limit` entries, and no more than 40 KB of them: `total` tells whether there are more to ask for. */
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
  /** The whole of a file; `TOO_LARGE` where it is more than `most`. */
  'files.read': asSite({
    args: { path, most: whole(0, 64 * 1024 * 1024) },
    body: { to: 'panel', most: 64 * 1024 * 1024 },
    result: { version, changedAt: time },
  }),
  /** As `files.read`, of a file of any size; its length comes before it, with the body. */
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
  /** null: all of it. */
  'files.purge': asSite({
    seconds: LONG,
    args: { deed: workId, ids: maybe(list(text(64, /^[a-z0-9.-]+$/), 200)), before: maybe(time) },
    result: { count: whole(0, 2 ** 40), space: spaceUsed },
  }),
  'files.tidy': asSite({ args: { before: time }, result: { space: spaceUsed } }),

  /**
   * Backups of the files, as `BackupsPort` has them. With `url` they are sent there or got from there, and the server keeps nothing;
   * without it they are on its disk, outside of every web root.
   */
  'backups.make': asSite({ seconds: LONG, secrets: ['url'], args: { deed: workId, name: archiveName, url: maybe(address) }, result: made }),
  /** Sends a part of an archive on the disk to a presigned address; the same again sends it again. */
  'backups.send': asSite({
    seconds: LONG,
    secrets: ['url'],
    args: { deed: workId, name: archiveName, from: bytes, size: bytes, url: address },
  }),
  'backups.restore': asSite({
    seconds: LONG,
    secrets: ['url'],
    args: { deed: workId, archive: kept, url: maybe(address), space: bytes },
    /** The archive itself where it is on another server: it comes with the task in place of `url`. */
    body: { to: 'server', most: 2 ** 50 },
    result: { space: spaceUsed },
  }),
  'backups.open': asSite({ seconds: LONG, args: { name: archiveName, from: bytes }, body: { to: 'panel', most: 2 ** 50 }, result: {} }),
  /** Stands for the files as they are now, without reading them; empty where something changes at this moment. */
  'backups.mark': asSite({ seconds: 60, result: { mark: text(64, /^(?:[0-9a-f]{64})?$/) } }),
  'backups.remove': asRoot({ args: { name: archiveName } }),
  'backups.check': asRoot({ of: 'server', result: { free: bytes } }),

  /** Access logs in the combined format, as `StatisticsPort` has them. At most 1,000 names, those after `after`. */
  'logs.grown': asRoot({
    of: 'server',
    args: { since: maybe(time), after: maybe(siteName) },
    result: { sites: list(siteName, 500), next: maybe(siteName) },
  }),
  /** Whole lines, at most 1 MiB of them. */
  'logs.read': asRoot({ args: { cursor: text(64) }, body: { to: 'panel', most: 1024 * 1024 }, result: { next: text(64) } }),
  'logs.last': asRoot({ args: { lines: whole(1, 1_000) }, body: { to: 'panel', most: 1024 * 1024 } }),
  'logs.days': asRoot({ result: { days: list(fields({ day, bytes, isPacked: flag, isCut: flag }), 400) } }),
  /** `not_found` where there is no log of that day. */
  'logs.open': asRoot({ seconds: LONG, args: { day }, body: { to: 'panel', most: 2 ** 50 } }),
  /** Bytes a site sent in a month, `YYYY-MM`, in the zone of the installation. */
  'traffic.month': asRoot({ args: { month: text(7, /^\d{4}-\d\d$/) }, result: { bytes } }),
} as const;
