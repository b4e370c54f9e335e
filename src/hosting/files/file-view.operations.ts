import { Injectable } from '@nestjs/common';

import { Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { FileListInput, HostFileListInput } from './file-inputs.js';
import { SiteFiles } from './site-files.js';

/** Looking at files, as the owner of a site and as an administrator. Source: docs/panel-api.md "Files". */
@Injectable()
export class FileViewOperations {
  constructor(
    private readonly sites: SiteAccess,
    private readonly files: SiteFiles,
  ) {}

  @Operation({ side: 'user', gn: 'listfile', auth: 'user', input: FileListInput, audit: null, rate: 'read' })
  async list(input: FileListInput, ctx: CallContext): Promise<RawReply> {
    return new RawReply(await this.files.list(await this.sites.ofOwner(ctx, 'look'), input));
  }

  @Operation({
    side: 'admin',
    gn: 'listfile',
    auth: 'admin',
    input: HostFileListInput,
    audit: null,
    rate: 'read',
    servers: { of: 'host', field: 'id' },
  })
  async listOf(input: HostFileListInput): Promise<RawReply> {
    return new RawReply(await this.files.list(await this.sites.ofHost(input.id), input));
  }
}
