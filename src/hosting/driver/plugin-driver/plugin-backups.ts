import type { HostDriverBackups } from '../../../sdk/index.js';
import type { ArchiveParts, ArchivePlace, BackupsPort, MadeBackup, OpenedArchive } from '../ports/index.js';

import { checksum, count, list, nothing, orElse, record, stream, text } from './answers.js';
import type { DriverCalls } from './plugin-calls.js';
import { askOf, meter, workOf } from './port-calls.js';
import { nodeOf } from './copies.js';

const MAX_PATHS = 100;

const made = record<MadeBackup>({
  size: count,
  sha256: checksum,
  content: count,
  files: count,
  left: count,
  changed: count,
  changedPaths: list(text(), MAX_PATHS),
});

const opened = record<OpenedArchive>({ size: count, from: orElse(count, 0), content: stream });

/** Backups of a plugin's kind of server; presigned addresses are removed from its messages. */
export function backupsPort(calls: DriverCalls, port: HostDriverBackups): BackupsPort {
  const ask = askOf(calls, 'backups');
  const work = workOf(calls, 'backups');
  return {
    make: (account, to, turn) => {
      const secrets = secretsOf(to);
      const place = to.parts ? { ...to, parts: wrapParts(to.parts, secrets) } : { ...to };
      return work('make', account, turn, (own, given) => port.make(own, place, given), made, secrets);
    },
    restore: (account, from, space, turn) =>
      work('restore', account, turn, (own, given) => port.restore(own, { ...from }, meter(space), given), nothing, secretsOf(from)),
    open: (account, name, deadline, from) => ask('open', account, deadline, (own, signal) => port.open(own, name, signal, from), opened),
    remove: (account, name, deadline) => ask('remove', account, deadline, (own, signal) => port.remove(own, name, signal), nothing),
    check: (node, until) =>
      calls.ask({
        name: 'backups.check',
        node,
        until,
        run: (signal) => port.check(nodeOf(node), signal),
        read: record<{ free: number }>({ free: count }),
      }),
  };
}

/** Restricts the parts a plugin can access; their addresses count as secrets once it has them. */
function wrapParts({ above, begin }: ArchiveParts, secrets: string[]): ArchiveParts {
  return {
    above,
    begin: async ({ size, sha256 }) => {
      if (!Number.isSafeInteger(size) || size < 1 || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
        throw new TypeError('An archive must be sent with its size in bytes and its SHA-256 as 64 hex digits.');
      const parts = await begin({ size, sha256 });
      secrets.push(...parts.map(({ url }) => url));
      return parts.map((part) => ({ ...part }));
    },
  };
}

const secretsOf = ({ url }: ArchivePlace): string[] => (url === undefined ? [] : [url]);
