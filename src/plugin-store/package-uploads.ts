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

/** A ZIP in the field `file`: complete, or one chunk of a ZIP larger than a form. */
export abstract class ZipUploadInput {
  /** Offset of this chunk in the ZIP, in bytes. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) fesw = 0;
  /** Size of the complete ZIP in bytes, if sent in chunks. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(PACKAGE_LIMITS.archiveBytes, { message: 'packages.archive_too_large' })
  zsize = 0;
}

/** The operation that receives a ZIP, and where it is stored. */
export interface UploadedTo {
  readonly type: PackageType;
  readonly gn: string;
  /** Text key of the operation log entry, with `slug` and `version`. */
  readonly line: string;
  readonly folders: ExchangedFolders;
}

/** ZIP uploads, complete or in chunks. */
@Injectable()
export class PackageUploads {
  constructor(
    private readonly check: PackageCheck,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Stores the data; once complete, checks the ZIP and passes it to `order`. A rejected ZIP is deleted. Only the complete upload is logged,
   * not its chunks.
   *
   * @param order gets the package and its file name
   * @returns the result of `order`; `received` bytes while more chunks are expected
   * @throws PluginStoreError NO_FILE, PIECE, UNFIT; PackageRefusal; errors of `order`
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
    // Uploads are separate per administrator and file size.
    const partPath = await folders.incomingFile(zsize === 0 ? `${randomUUID()}.part` : `pieces-${call.admin!.id}-${total}.part`);
    const received = await addPiece(partPath, from, total, file.buffer);
    if (received < total) return new SuccessReply('pluginStore.piece', { received }, { n: received });
    const path = await folders.incomingFile(`${randomUUID()}.zip`);
    await rename(partPath, path);
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

/** The first chunk overwrites leftovers of an earlier upload. @returns bytes received so far */
async function addPiece(path: string, from: number, total: number, bytes: Buffer): Promise<number> {
  const received = from === 0 ? 0 : ((await stat(path).catch(() => null))?.size ?? 0);
  if (from !== received || from + bytes.length > total) throw new PluginStoreError('PIECE', { n: received });
  const handle = await open(path, from === 0 ? 'w' : 'r+', 0o600);
  try {
    await handle.write(bytes, 0, bytes.length, from);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return from + bytes.length;
}
