import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { auditLine, AuditLog, lineOfCall, SuccessReply, WholeNumber } from '../operations/index.js';
import { PACKAGE_LIMITS, type PackageType } from '../packaging/index.js';
import type { ExchangedFolders } from '../plugin-registry/index.js';
import type { CallContext } from '../sdk/index.js';

import { PluginStoreError } from './errors.js';
import { PackageCheck, type CheckedPackage } from './package-check.js';

/** A ZIP in the field `file`: whole, or a piece of one that is larger than a form. */
export abstract class ZipUploadInput {
  /** Bytes of the ZIP before this piece. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) fesw = 0;
  /** Bytes of the whole ZIP, where it comes in pieces. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(PACKAGE_LIMITS.archiveBytes, { message: 'packages.archive_too_large' })
  zsize = 0;
}

/** Which operation takes a ZIP, and where it is kept. */
export interface UploadedTo {
  readonly type: PackageType;
  readonly gn: string;
  /** The line of the operation log, with `slug` and `version`. */
  readonly line: string;
  readonly folders: ExchangedFolders;
}

/** ZIPs somebody sends, whole or in pieces. */
@Injectable()
export class PackageUploads {
  constructor(
    private readonly check: PackageCheck,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Keeps what was sent, and looks at it and has `order` make an order of it once it is whole; whatever is refused is thrown away. A
   * piece of a ZIP is no action: what is logged is the whole.
   *
   * @param order gets the package and the name of its file
   * @returns what `order` answers; `received` bytes where more pieces are to come
   * @throws PluginStoreError NO_FILE, PIECE, UNFIT; PackageRefusal; what `order` throws
   */
  async take(
    { type, gn, line, folders }: UploadedTo,
    { fesw: from, zsize }: ZipUploadInput,
    call: CallContext,
    order: (checked: CheckedPackage, file: string) => Promise<SuccessReply>,
  ): Promise<SuccessReply> {
    const file = call.files.find(({ fieldname, size }) => fieldname === 'file' && size > 0);
    if (!file) throw new PluginStoreError('NO_FILE', {}, { file: 'pluginStore.no_file' });
    const total = zsize || file.size;
    // Two administrators, or two files, are two uploads.
    const place = await folders.incomingFile(zsize === 0 ? `${randomUUID()}.part` : `pieces-${call.admin!.id}-${total}.part`);
    const received = await addPiece(place, from, total, file.buffer);
    if (received < total) return new SuccessReply('pluginStore.piece', { received }, { n: received });
    const path = await folders.incomingFile(`${randomUUID()}.zip`);
    await rename(place, path);
    try {
      const checked = await this.check.ofUpload(path, type);
      const reply = await order(checked, basename(path));
      const { slug, version } = checked;
      await this.audit.write(lineOfCall({ side: 'admin', gn }, auditLine(line, { slug, version }), call));
      return reply;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }
}

/** The first piece begins anew, whatever somebody left. @returns how many bytes there are */
async function addPiece(path: string, from: number, total: number, bytes: Buffer): Promise<number> {
  const there = from === 0 ? 0 : ((await stat(path).catch(() => null))?.size ?? 0);
  if (from !== there || from + bytes.length > total) throw new PluginStoreError('PIECE', { n: there });
  const handle = await open(path, from === 0 ? 'w' : 'r+', 0o600);
  try {
    await handle.write(bytes, 0, bytes.length, from);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return from + bytes.length;
}
