import { Injectable } from '@nestjs/common';

import type {
  ArchivePlace,
  BackupsPort,
  DriverTurn,
  DriverAccount,
  DriverNode,
  DriverResult,
  KeptArchive,
  MadeBackup,
  OpenedArchive,
  SpaceMeter,
} from '../../hosting/index.js';

import { isUnknown, mapped, ServerCalls, streamOf } from './server-calls.js';
import { withAnySpace } from './space-grant.js';

/** Backups of sites on servers with an agent: on the server's disk, or uploaded from there to presigned addresses. */
@Injectable()
export class AgentBackups implements BackupsPort {
  constructor(private readonly calls: ServerCalls) {}

  async make(account: DriverAccount, to: ArchivePlace, turn: DriverTurn): Promise<DriverResult<MadeBackup>> {
    const { id, signal, progress } = turn;
    const { name, url, parts } = to;
    // The size is not known in advance, so an archive that may need a multipart upload is first created on the server's disk.
    const direct = parts === undefined ? (url ?? null) : null;
    const made = await this.calls.site(account, 'backups.make', { deed: id, name, url: direct }, signal, { progress });
    if (!('value' in made) || parts === undefined || url === undefined) return made;
    const sent = await this.send(account, { name, url, parts }, made.value, turn);
    await this.remove(account, name, signal);
    return 'value' in sent ? made : sent;
  }

  async restore(account: DriverAccount, from: KeptArchive, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult> {
    const { id, signal, progress } = turn;
    const { name, size, sha256, content, url = null } = from;
    const archive = { name, size, sha256, content };
    const { fetch } = from;
    const send = fetch && { bytes: size, sha256, content: () => streamOf(() => fetch(signal)) };
    const done = await withAnySpace(space, (granted) =>
      this.calls.site(account, 'backups.restore', { deed: id, archive, url, space: granted }, signal, {
        progress,
        ...(send ? { send } : {}),
      }),
    );
    return mapped(done, () => undefined);
  }

  async open(account: DriverAccount, name: string, deadline: AbortSignal, from: number): Promise<DriverResult<OpenedArchive>> {
    const opened = await this.calls.opened(account, 'backups.open', { name, from }, deadline);
    if (!('value' in opened)) return opened;
    const { content, bytes } = opened.value;
    if (bytes !== null) return { outcome: 'ok', value: { size: from + bytes, from, content } };
    content.destroy();
    return { outcome: 'unknown', message: 'the agent did not report the size of the archive' };
  }

  /** Older agents do not support this action. */
  async mark(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>> {
    const marked = await this.calls.site(account, 'backups.mark', {}, deadline);
    return isUnknown(marked) ? { outcome: 'ok', value: '' } : mapped(marked, ({ mark }) => mark);
  }

  remove(account: DriverAccount, name: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'backups.remove', { name }, deadline);
  }

  check(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<{ free: number }>> {
    return this.calls.server(node, 'backups.check', {}, deadline);
  }

  private async send(
    account: DriverAccount,
    { name, url, parts }: Required<ArchivePlace>,
    made: MadeBackup,
    { id, signal, progress }: DriverTurn,
  ): Promise<DriverResult> {
    const { size, sha256 } = made;
    const pieces = size > parts.above ? await parts.begin({ size, sha256 }) : [{ from: 0, size, url }];
    for (const piece of pieces) {
      const args = { deed: id, name, from: piece.from, size: piece.size, url: piece.url };
      const sent = await this.calls.site(account, 'backups.send', args, signal, { progress: (done) => progress(piece.from + done, size) });
      if (!('value' in sent)) return sent;
    }
    return { outcome: 'ok', value: undefined };
  }
}
