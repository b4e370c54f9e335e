import { Clock, sayWords, unpackWords } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Generations } from '../../database/index.js';
import { DurableListeners } from '../../hooks/index.js';
import { InstalledPlugins } from '../../plugin-registry/index.js';

import { type Command, CommandError } from './command.js';
import { recordAction } from './record-action.js';
import { withDatabase } from './open-database.js';

const list: Command = {
  name: 'plugin list',
  usage: '',
  summary: 'Lists the installed plugins and whether they are enabled.',
  details: ['"quarantine" means that the plugin is not started because its code failed repeatedly. The Plugins page shows details.'],
  options: {},
  positionals: { min: 0, max: 0 },
  async run(terminal) {
    return withDatabase(new AppConfig(terminal.env), async (database) => {
      const rows = await new InstalledPlugins(database, new Generations(database), new Clock()).all();
      if (rows.length === 0) terminal.print('No plugin is installed.');
      const width = Math.max(0, ...rows.map(({ slug }) => slug.length));
      for (const row of rows) {
        const state = row.quarantinedAt ? 'quarantine' : row.enabled ? 'on' : 'off';
        const reason = row.quarantinedAt ? `  ${sayWords('en', unpackWords(row.quarantineReason))}` : '';
        terminal.print(`${row.slug.padEnd(width)}  ${state.padEnd(10)}  ${row.version.padEnd(8)}  ${row.name}${reason}`);
      }
      return 0;
    });
  },
};

const disable: Command = {
  name: 'plugin disable',
  usage: '<slug>',
  summary: 'Disables a plugin.',
  details: [
    'Use it when a plugin breaks the panel. Running processes stop the plugin within two seconds. Its tables, options and queued',
    'events are kept. Enable it again on the Plugins page.',
  ],
  options: {},
  positionals: { min: 1, max: 1 },
  async run(terminal, [slug = '']) {
    return withDatabase(new AppConfig(terminal.env), async (database) => {
      const clock = new Clock();
      const installed = new InstalledPlugins(database, new Generations(database), clock);
      const rows = await installed.all();
      const row = rows.find((one) => one.slug === slug);
      if (!row) throw new CommandError(`No plugin "${slug}" is installed. Installed: ${rows.map((one) => one.slug).join(', ') || 'none'}`);
      if (!row.enabled) {
        terminal.print(`${slug} is already disabled.`);
        return 0;
      }
      await installed.disable(row);
      await new DurableListeners(database, clock).deactivate(slug);
      await recordAction(database, { key: 'account.terminal.plugin_off', params: { slug } });
      terminal.print(`${slug} is disabled.`);
      return 0;
    });
  },
};

/** Commands for disabling a plugin that breaks the panel. */
export const PLUGIN_COMMANDS: readonly Command[] = [list, disable];
