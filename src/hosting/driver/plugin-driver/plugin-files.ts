import type { Readable } from 'node:stream';

import type { HostDriverFiles } from '../../../sdk/index.js';
import type { FileActionResult, FileList, FilesPort, SiteEntry, TrashEntry, TrashList, UploadState } from '../ports/index.js';

import { bytes, count, flag, list, nothing, oneOf, record, stream, text } from './answers.js';
import type { DriverCalls } from './plugin-calls.js';
import { askOf, meter, workOf } from './port-calls.js';

/** Maximum length of trash ids and file versions. */
const MAX_ID = 255;
/** Maximum number of restored paths in an answer. */
const MAX_RESTORED = 10_000;

const entry = record<SiteEntry>({ name: text(), type: oneOf('file', 'folder', 'other'), size: count, changedAt: count });
const result = record<FileActionResult>({ done: count, left: count });
const uploadState = record<UploadState>({ received: count, done: flag });
const fileVersion = record({ version: text(MAX_ID), changedAt: count });
const trashEntry = record<TrashEntry>({
  id: text(MAX_ID),
  path: text(),
  type: oneOf('file', 'folder', 'other'),
  size: count,
  deletedAt: count,
});

/** Files of a plugin's kind of server. */
export function filesPort(calls: DriverCalls, port: HostDriverFiles): FilesPort {
  const ask = askOf(calls, 'files');
  const work = workOf(calls, 'files');
  return {
    list: (account, wanted, deadline) =>
      ask(
        'list',
        account,
        deadline,
        (own, signal) => port.list(own, { ...wanted }, signal),
        record<FileList>({ total: count, entries: list(entry, wanted.limit), cut: flag }),
      ),
    find: (account, path, deadline) => ask('find', account, deadline, (own, signal) => port.find(own, path, signal), entry),
    read: (account, path, maxBytes, deadline) =>
      ask(
        'read',
        account,
        deadline,
        (own, signal) => port.read(own, path, maxBytes, signal),
        record({ bytes: bytes(maxBytes), version: text(MAX_ID), changedAt: count }),
      ),
    open: (account, path, deadline) =>
      ask(
        'open',
        account,
        deadline,
        (own, signal) => port.open(own, path, signal),
        record<{ size: number; content: Readable }>({ size: count, content: stream }),
      ),
    size: (account, path, deadline) => ask('size', account, deadline, (own, signal) => port.size(own, path, signal), count),
    write: (account, file, space, deadline) =>
      ask('write', account, deadline, (own, signal) => port.write(own, { ...file }, meter(space), signal), fileVersion),
    makeFolder: (account, path, deadline) =>
      ask('makeFolder', account, deadline, (own, signal) => port.makeFolder(own, path, signal), nothing),
    rename: (account, folder, from, to, deadline) =>
      ask('rename', account, deadline, (own, signal) => port.rename(own, folder, from, to, signal), nothing),
    move: (account, wanted, deadline) =>
      ask('move', account, deadline, (own, signal) => port.move(own, structuredClone(wanted), signal), count),
    discard: (account, paths, deadline) => ask('discard', account, deadline, (own, signal) => port.discard(own, [...paths], signal), count),
    uploaded: (account, target, deadline) =>
      ask('uploaded', account, deadline, (own, signal) => port.uploaded(own, { ...target }, signal), uploadState),
    upload: (account, target, offset, piece, space, deadline) =>
      ask('upload', account, deadline, (own, signal) => port.upload(own, { ...target }, offset, piece, meter(space), signal), uploadState),
    cancelUpload: (account, target, space, deadline) =>
      ask('cancelUpload', account, deadline, (own, signal) => port.cancelUpload(own, { ...target }, meter(space), signal), nothing),
    copy: (account, wanted, space, turn) =>
      work('copy', account, turn, (own, given) => port.copy(own, structuredClone(wanted), meter(space), given), result),
    pack: (account, wanted, space, turn) =>
      work('pack', account, turn, (own, given) => port.pack(own, structuredClone(wanted), meter(space), given), result),
    unpack: (account, wanted, space, turn) =>
      work('unpack', account, turn, (own, given) => port.unpack(own, { ...wanted }, meter(space), given), result),
    trash: (account, offset, limit, deadline) =>
      ask(
        'trash',
        account,
        deadline,
        (own, signal) => port.trash(own, offset, limit, signal),
        record<TrashList>({ total: count, entries: list(trashEntry, limit) }),
      ),
    restore: (account, ids, deadline) =>
      ask('restore', account, deadline, (own, signal) => port.restore(own, [...ids], signal), list(text(), MAX_RESTORED)),
    purge: (account, chosen, space, turn) =>
      work('purge', account, turn, (own, given) => port.purge(own, structuredClone(chosen), meter(space), given), count),
    tidy: (account, before, space, deadline) =>
      ask('tidy', account, deadline, (own, signal) => port.tidy(own, before, meter(space), signal), nothing),
  };
}
