import { AuthorError } from './author-error.js';
import type { LocalPanelClient, PanelReply } from './local-panel-client.js';
import type { Project } from './project.js';

/** How a project is reloaded in a panel, by type. */
export interface Developed {
  /** Operations the API key must allow, as text. */
  readonly needs: string;
  /** Text that describes a successful reload. */
  readonly runs: string;
  /** Whether its problems are known immediately after a reload. */
  readonly isCheckedAfterReload: boolean;
  /** Makes the panel load the written files. @throws AuthorError with the panel's reason */
  reload(panel: LocalPanelClient, slug: string): Promise<void>;
  /** Returns the current error; empty if there is none. */
  problem(panel: LocalPanelClient, slug: string): Promise<string>;
}

/** Plugins and themes are reloaded in different ways. */
export function developed(type: Project['type']): Developed {
  return type === 'plugin' ? PLUGIN : THEME;
}

const PLUGIN: Developed = {
  needs: 'plugin_install, plugin_enable and plugin_list',
  runs: 'runs',
  isCheckedAfterReload: false,
  async reload(panel, slug) {
    const row = (await panel.run('plugin_list')).rows?.find((one) => one.slug === slug);
    if (row?.installed !== true) require(await panel.run('plugin_install', { slug }));
    require(await panel.run('plugin_enable', { slug, enabled: 'true' }));
  },
  async problem(panel, slug) {
    return (await panel.run('plugin_list')).rows?.find((one) => one.slug === slug)?.error ?? '';
  },
};

const THEME: Developed = {
  needs: 'theme_reload and theme_list',
  runs: 'is installed (choose or preview it under Themes)',
  isCheckedAfterReload: true,
  async reload(panel) {
    require(await panel.run('theme_reload'));
  },
  async problem(panel, slug) {
    const row = (await panel.run('theme_list')).rows?.find((one) => one.name === slug);
    if (!row) return 'The panel does not list it: its theme.json is invalid, or the panel already includes a theme with this name.';
    return (row.problems ?? []).map(({ view, message }) => `${view}: ${message}`).join('\n');
  },
};

function require({ success, code }: PanelReply): void {
  if (success !== true) throw new AuthorError(code);
}
