import { Injectable } from '@nestjs/common';

import { checkVersion, StaleForm } from '../../http/index.js';
import { Operation, type SuccessReply, TextReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';

import { PRESENT_RULES, REWRITE_TEMPLATES } from './rewrite-templates.js';
import { WebSettingRepository } from './setting-repository.js';
import { WebSettingEditor } from './setting-editor.js';
import { refuse, WebSettingError } from './setting-errors.js';
import { SETTING_FORMS } from './setting-forms.js';
import { RewritesInput, RewritesNameInput } from './setting-inputs.js';

/** Operations on the rewrite rules of a site. Source: docs/panel-api.md "Site settings". */
export const rewriteOperations = siteOperations((on) => {
  @Injectable()
  class RewriteOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly repository: WebSettingRepository,
      private readonly editor: WebSettingEditor,
    ) {}

    /** Returns the rules of a site, or of a template, as plain text. */
    @Operation(on('hqjt', RewritesNameInput, null, 'read'))
    async rules(input: RewritesNameInput & MaybeHost, ctx: CallContext): Promise<TextReply> {
      const site = await this.access.of(input, ctx, 'read');
      site.port('rewrites');
      const { xz } = input;
      if (xz === PRESENT_RULES) return new TextReply((await this.repository.of(site.account.id)).rewrites);
      return new TextReply(REWRITE_TEMPLATES[xz] ?? refuse('TEMPLATE', 'xz', { name: xz.slice(0, 40) }));
    }

    /**
     * Applies the rules on the server first: rejected ones are not stored, and the live ones stay. The form's version is compared before
     * that, and again under the row lock, whose transaction must not contain a server call. If another change was stored in between, the
     * server is reset to the stored rules.
     *
     * @throws StaleForm
     */
    @Operation(on('setwjt', RewritesInput, 'hosting.audit_setting_rewrites', 'write'))
    async save(input: RewritesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      const rewrites = input.wb.replace(/\r\n?/g, '\n');
      checkVersion(input.row_version, SETTING_FORMS.rewrites(await this.repository.of(site.account.id)));
      await this.apply(site, rewrites);
      try {
        return await this.editor.saveForm('rewrites', site, input.row_version, () => ({ rewrites }));
      } catch (error) {
        if (error instanceof StaleForm) await this.apply(site, (await this.repository.of(site.account.id)).rewrites);
        throw error;
      }
    }

    private apply(site: OpenSite, rewrites: string): Promise<void> {
      return site.ask(
        'rewrites',
        (port, account, deadline) => port.apply(account, rewrites, deadline),
        ({ params: { problem = '' } = {} }) =>
          new WebSettingError('RULE', { problem }, { wb: { key: 'hosting.setting_rule', params: { problem } } }),
      );
    }
  }
  return RewriteOperations;
});
