import { Injectable } from '@nestjs/common';

import { NoInput, Operation, type RawReply, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, siteOperations } from '../site-tools/index.js';
import { hashFolderPassword } from '../sites/index.js';

import { hostOn, ListData, settingBody, WebSettingEditor } from './setting-editor.js';
import { refuse } from './setting-errors.js';
import { FolderPasswordInput, FolderPasswordNameInput } from './setting-inputs.js';
import { MAX_ENTRIES, readFolder } from './setting-values.js';

/** Operations on the password-protected folders of a site. Source: docs/panel-api.md "Site settings". */
export const folderPasswordOperations = siteOperations((on, side) => {
  @Injectable()
  class FolderPasswordOperations {
    constructor(private readonly editor: WebSettingEditor) {}

    @Operation(on('pass_list', NoInput, null, 'read'))
    async passwords(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { passwords } = await this.editor.present(input, ctx);
      const list = passwords.map(({ name, folder, user }) => ({ id: name, name, site_dir: `/${folder}`, user }));
      return new ListData(
        settingBody(ctx, { list }),
        list.map((row) => hostOn(side, row, input)),
      );
    }

    @Operation(on('tjmmfw', FolderPasswordInput, 'hosting.audit_setting_password', 'write'))
    async addPassword(input: FolderPasswordInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { name, mbml, user, pass } = input;
      const folder = readFolder(mbml, 'mbml');
      const hash = await hashFolderPassword(pass);
      return this.editor.save(
        input,
        ctx,
        ({ passwords }) => {
          if (passwords.some((present) => present.name === name)) refuse('TAKEN', 'name', { name });
          if (passwords.some((present) => present.folder === folder && present.user === user)) refuse('TAKEN', 'user', { name: user });
          if (passwords.length >= MAX_ENTRIES) refuse('TOO_MANY', 'name', { n: MAX_ENTRIES });
          return { passwords: [...passwords, { name, folder, user, hash }] };
        },
        'hosting.setting_added',
      );
    }

    @Operation(on('scmmfw', FolderPasswordNameInput, 'hosting.audit_setting_password', 'write'))
    removePassword(input: FolderPasswordNameInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { mb, name } = input;
      const gone = mb || name || '';
      return this.editor.save(
        input,
        ctx,
        ({ passwords }) => {
          if (!passwords.some((present) => present.name === gone)) refuse('MISSING', 'mb', { name: gone });
          return { passwords: passwords.filter((present) => present.name !== gone) };
        },
        'hosting.setting_removed',
      );
    }
  }
  return FolderPasswordOperations;
});
