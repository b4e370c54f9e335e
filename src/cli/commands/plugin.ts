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
  summary: 'Shows what is installed, and whether it is on.',
  details: ['"quarantine" means that its code failed again and again and is kept from running; the Plugins page says more.'],
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
  summary: 'Switches a plugin off.',
  details: [
    'For one that keeps the panel from working. Processes that run stop it within two seconds; its tables, ' +
      'options and waiting events are kept.',
    'It is switched on again on the Plugins page.',
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
        terminal.print(`${slug} is off already.`);
        return 0;
      }
      await installed.disable(row);
      await new DurableListeners(database, clock).deactivate(slug);
      await recordAction(database, { key: 'account.terminal.plugin_off', params: { slug } });
      terminal.print(`${slug} is off.`);
      return 0;
    });
  },
};

/** Commands for disabling a plugin that breaks the panel. */
export const PLUGIN_COMMANDS: readonly Command[] = [list, disable];
