import { translate, translateFor, type Locale } from '../../common/index.js';

/** Tasks of plugins: `p.<slug>.<name>`. */
const OF_PLUGIN = /^p\.([\w-]+)\.([\w-]+)$/;

/** What tasks of a plugin's job are called in the queue. */
export const taskOfPlugin = (slug: string, job: string): string => `p.${slug}.${job}`;

/**
 * What tasks of a name do, in words (`task.<name>` in `lang/`); the name where there are none, such as of a plugin that is gone. A plugin's
 * words stand in its own `lang` files.
 */
export function taskTitle(name: string, locale: Locale): string {
  const [, slug, job] = OF_PLUGIN.exec(name) ?? [];
  if (slug !== undefined) {
    const own = translateFor(slug, locale, `job.${job}`);
    return own === `job.${job}` ? `${slug}: ${job}` : own;
  }
  const key = `tasks.task.${name}`;
  const title = translate(locale, key);
  return title === key ? name : title;
}
