import { translate, translateFor, type Locale } from '../../common/index.js';

/** Task names of plugins: `p.<slug>.<name>`. */
const OF_PLUGIN = /^p\.([\w-]+)\.([\w-]+)$/;

/** Returns the task name of a plugin's job. */
export const taskOfPlugin = (slug: string, job: string): string => `p.${slug}.${job}`;

/**
 * Returns a readable title for tasks of a name (`task.<name>` in `lang/`); the name itself if there is no text, such as for a removed
 * plugin. A plugin's titles are in its own `lang` files.
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
