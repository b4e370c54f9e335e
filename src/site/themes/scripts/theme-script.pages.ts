import { Controller } from '@nestjs/common';

import { localeOf } from '../../../common/index.js';
import type { RequestContext } from '../../../operations/index.js';
import { ThemeCatalogue, ThemeRenderer } from '../../../theme/index.js';
import { Page, PageMissing } from '../../../web/index.js';
import { SIDE_TITLES } from '../side-titles.pages.js';
import { SCRIPTS_PAGE } from '../theme-places.js';
import { ThemeScriptGrants } from './theme-script-grants.js';

/** Page where an administrator reviews and permits the scripts of a theme. */
@Controller()
export class ThemeScriptPages {
  constructor(
    private readonly grants: ThemeScriptGrants,
    private readonly catalogue: ThemeCatalogue,
    private readonly renderer: ThemeRenderer,
  ) {}

  @Page({ side: 'admin', path: SCRIPTS_PAGE.slice('/admin/'.length), title: 'site.menu.themes', needs: ['theme_scripts'] })
  scripts(call: RequestContext): object {
    const name = call.query.name ?? '';
    const theme = this.catalogue.package(name);
    if (!theme || theme.scripts.length === 0) throw new PageMissing();
    const words = this.renderer.wordsOf(name, localeOf(call.locale));
    return {
      theme: { name, title: theme.info.title },
      scripts: this.grants.scriptsOf(name).map(({ script: { file, sides, purpose, bytes, sha256, text }, state, grant }) => ({
        ...{ file, bytes, sha256, text, state },
        sides: sides.map((side) => SIDE_TITLES[side]),
        purpose: purpose && words(purpose),
        granted_by: grant?.by ?? '',
        granted_at: grant?.at ?? '',
        plain_fields: JSON.stringify({ name, file, sha256, pages: 'plain' }),
        all_fields: JSON.stringify({ name, file, sha256, pages: 'all' }),
        file_fields: JSON.stringify({ name, file }),
      })),
    };
  }
}
