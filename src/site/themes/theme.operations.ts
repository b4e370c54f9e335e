import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { checkVersion, VersionField } from '../../http/index.js';
import { ListReply, NoInput, Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DEFAULT_THEME, ThemeCatalogue } from '../../theme/index.js';

import { ThemeChoiceError } from './errors.js';
import { ThemeCards } from './theme-cards.js';
import { choiceForm, ThemeChoice } from './theme-choice.js';
import { previewCookie } from './theme-preview.js';
import { ThemeInput } from './theme-input.js';
import { ThemeUpdates } from './theme-updates.js';

const Name = (): PropertyDecorator => (target, key) => {
  for (const decorate of [IsOptional(), Trimmed(), IsString(), MaxLength(64)]) decorate(target, key);
};

class ChoiceInput {
  /** Theme of the user side. */
  @Name() usertheme?: string;
  @Name() admintheme?: string;
  /** Theme of the home page and payment pages; missing keeps it. */
  @Name() hometheme?: string;
  /** Other panels of this family have a side for containers. No theme supports it here, but the default one is accepted as "none". */
  @Name() dockertheme?: string;
  @VersionField() row_version?: string;
}

/** Operations for themes. Source: docs/panel-api.md "Themes". */
@Injectable()
export class ThemeOperations {
  constructor(
    private readonly choice: ThemeChoice,
    private readonly catalogue: ThemeCatalogue,
    private readonly cards: ThemeCards,
    private readonly updates: ThemeUpdates,
  ) {}

  @Operation({ side: 'admin', gn: 'theme_list', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, call: CallContext): Promise<ListReply> {
    const cards = await this.cards.all(call);
    return new ListReply(cards.length, cards);
  }

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'settheme', auth: 'admin', input: ChoiceInput, audit: 'site.audit.themes', rate: 'write' })
  async choose({ usertheme, admintheme, hometheme, dockertheme, row_version }: ChoiceInput): Promise<SuccessReply> {
    if (!usertheme || !admintheme) throw new ThemeChoiceError('CHOOSE_BOTH');
    if (dockertheme && dockertheme !== DEFAULT_THEME) throw new ThemeChoiceError('NOT_SUPPORTED', { theme: dockertheme });
    const chosen = { user: usertheme, admin: admintheme, ...(hometheme ? { home: hometheme } : {}) };
    await this.choice.choose(chosen, (settings) => checkVersion(row_version, choiceForm(settings)));
    return new SuccessReply('site.themes_changed');
  }

  /** Previews a theme for the calling administrator only; an empty name ends the preview. */
  @Operation({ side: 'admin', gn: 'theme_yl', auth: 'admin', input: ThemeInput, audit: null, rate: 'write' })
  async preview({ name }: ThemeInput, call: CallContext): Promise<SuccessReply> {
    if (name) {
      await this.choice.reload();
      if (!this.catalogue.package(name)) throw new ThemeChoiceError('NOT_SUPPORTED', { theme: name });
    }
    const reply = name ? 'site.theme_preview_on' : 'site.theme_preview_off';
    return new SuccessReply(reply, {}, { theme: name }, { 'Set-Cookie': previewCookie(name, call) });
  }

  /** Reloads the files of themes after they were edited by hand. */
  @Operation({ side: 'admin', gn: 'theme_reload', auth: 'admin', input: NoInput, audit: 'site.audit.themes_reloaded', rate: 'write' })
  async reload(): Promise<SuccessReply> {
    await this.choice.reload();
    return new SuccessReply('site.themes_reloaded');
  }

  @Operation({ side: 'admin', gn: 'theme_sc', auth: 'admin', input: ThemeInput, audit: 'site.audit.theme_removed', rate: 'write' })
  async remove({ name }: ThemeInput): Promise<SuccessReply> {
    await this.choice.remove(name);
    await this.updates.forget(name);
    return new SuccessReply('site.theme_removed', {}, { theme: name });
  }
}
