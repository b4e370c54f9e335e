import { Injectable } from '@nestjs/common';

import { NoInput, Operation, type OperationDeclaration, RawReply, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { WebSettingEditor } from './setting-editor.js';
import { refuse } from './setting-errors.js';
import { CompressionInput, ErrorPagesInput, HotlinkInput, IndexInput, RunFolderInput } from './setting-inputs.js';
import { readBytes, readFolder, readHosts, readIndexes, readPage, readSuffixes, readTypes } from './setting-values.js';

/** Operations on the settings of a site: the user's own, or any host's for administrators. Source: docs/panel-api.md "Site settings". */
export const settingOperations = siteOperations((on, side) => {
  /** Aliases used by owners' programs. */
  const also = (...names: string[]): Pick<OperationDeclaration, 'also'> => (side === 'user' ? { also: names } : {});

  @Injectable()
  class SettingOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly editor: WebSettingEditor,
    ) {}

    @Operation(on('xgmrwd', IndexInput, 'hosting.audit_setting_index', 'write'))
    async setIndexes(input: IndexInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { ml } = input;
      const site = await this.access.of(input, ctx, 'change');
      const indexes = readIndexes(ml, site.has('php'));
      return this.editor.saveForm('indexes', site, input.row_version, () => ({ indexes }));
    }

    @Operation(on('setyxml', RunFolderInput, 'hosting.audit_setting_folder', 'write'))
    async setRunFolder(input: RunFolderInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { wb } = input;
      const runFolder = readFolder(wb, 'wb');
      return this.editor.saveForm('runFolder', await this.access.of(input, ctx, 'change'), input.row_version, () => ({ runFolder }));
    }

    @Operation({ ...on('setgzip', CompressionInput, 'hosting.audit_setting_gzip', 'write'), ...also('gzip') })
    async setCompression(input: CompressionInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { action, level, min_len, types } = input;
      const enabled = !['off', '0', 'false'].includes(action.toLowerCase());
      if (level !== undefined && (level < 1 || level > 9)) refuse('LEVEL', 'level');
      const minBytes = min_len ? readBytes(min_len) : undefined;
      const wanted = types ? readTypes(types) : undefined;
      const site = await this.access.of(input, ctx, 'change');
      return this.editor.saveForm('compression', site, input.row_version, ({ compression }) => ({
        compression: {
          enabled,
          level: level ?? compression.level,
          minBytes: minBytes ?? compression.minBytes,
          types: wanted ?? compression.types,
        },
      }));
    }

    @Operation(on('getfdl', NoInput, null, 'read'))
    async hotlink(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { enabled, suffixes, domains, allowEmpty, status } = (await this.editor.present(input, ctx)).hotlink;
      return new RawReply({
        fix: suffixes.join(','),
        domains: domains.join(','),
        status: enabled,
        none: allowEmpty,
        http_status: allowEmpty,
        return_rule: String(status),
      });
    }

    @Operation(on('fdlkg', HotlinkInput, 'hosting.audit_setting_hotlink', 'write'))
    async setHotlink(input: HotlinkInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const suffixes = input.fix ? readSuffixes(input.fix, 'fix') : undefined;
      const domains = input.domains === undefined ? undefined : readHosts(input.domains);
      const site = await this.access.of(input, ctx, 'change');
      return this.editor.saveForm('hotlink', site, input.row_version, ({ hotlink }) => ({
        hotlink: {
          enabled: input.status ?? hotlink.enabled,
          suffixes: suffixes ?? hotlink.suffixes,
          domains: domains ?? hotlink.domains,
          allowEmpty: input.http_status ?? hotlink.allowEmpty,
          status: input.return_rule === undefined ? hotlink.status : input.return_rule === '403' ? 403 : 404,
        },
      }));
    }

    @Operation(on('cwymsz', ErrorPagesInput, 'hosting.audit_setting_pages', 'write'))
    async setErrorPages(input: ErrorPagesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { p403, p404, p503 } = input;
      const given = Object.entries({ 403: p403, 404: p404, 503: p503 }).flatMap(([status, path]) =>
        path === undefined ? [] : [[status, readPage(path, `p${status}`)] as const],
      );
      const site = await this.access.of(input, ctx, 'change');
      return this.editor.saveForm('errorPages', site, input.row_version, ({ errorPages }) => {
        const pages = Object.entries({ ...errorPages, ...Object.fromEntries(given) }).filter(([, path]) => path !== '');
        return { errorPages: Object.fromEntries(pages) };
      });
    }
  }
  return SettingOperations;
});
