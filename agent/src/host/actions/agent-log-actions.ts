import { Readable } from 'node:stream';

import type { ActionName } from '../../../../src/agents/wire/actions.js';

import type { Log } from '../../log.js';
import type { LogFiles } from '../../log-files.js';
import { answered, ended } from '../action-result.js';
import { SiteMissing } from '../refusal.js';
import type { ActionHandlers } from './action-handlers.js';

type Names = Extract<ActionName, `agentlog.${string}`>;

/** Actions on the log of this agent. */
export function agentLogActions(log: Log, files: LogFiles): ActionHandlers<Names> {
  return {
    'agentlog.files': async () => answered({ level: log.level, files: await files.list() }),
    'agentlog.read': async (_site, { file, ...query }, { send }) => {
      const part = await files.read(file, query);
      if (!part) throw new SiteMissing();
      const { text, offset, size } = part;
      await send({ bytes: text.length, content: Readable.from(text.length === 0 ? [] : [text]) });
      return answered({ offset, size });
    },
    'agentlog.clear': async (_site, { file }) => {
      if (!(await files.clear(file))) throw new SiteMissing();
      return ended(true);
    },
    'agentlog.level': async (_site, { level }) => {
      const isOther = log.level !== level;
      log.level = level;
      if (isOther) log.warning('The panel changed the log level', { level });
      return ended(isOther);
    },
  };
}
