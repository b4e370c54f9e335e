import { translate, type Locale } from '../../common/index.js';

/** What tasks of a name do, in words (`task.<name>` in `lang/`); the name where there are none, such as of a plugin that is gone. */
export function taskTitle(name: string, locale: Locale): string {
  const key = `tasks.task.${name}`;
  const title = translate(locale, key);
  return title === key ? name : title;
}
