import type { NestExpressApplication } from '@nestjs/platform-express';

import { LOCALES } from '../../common/index.js';
import { sampleViews, ThemeCatalogue, ThemeNotices, ThemeRenderer } from '../../theme/index.js';

/** Output of a non-text value on a page. */
const BROKEN = /\[object Object\]/;

/** See `expectSoundTheme` of `@svc/sdk/testing`. @returns number of views checked */
export async function expectSoundTheme(app: NestExpressApplication, name: string): Promise<number> {
  const theme = app.get(ThemeCatalogue, { strict: false }).package(name);
  if (!theme) throw new Error(`There is no theme "${name}" in the panel: install it first, with installTheme.`);
  const [renderer, notices] = [app.get(ThemeRenderer, { strict: false }), app.get(ThemeNotices, { strict: false })];
  const { SAMPLE_VIEWS, hostile, ATTACK } = await sampleViews();
  const sides = new Set<string>(theme.info.sides);
  const problems = new Set<string>(theme.problems.map(({ file, message }) => `${file}: ${message}`));
  const views = SAMPLE_VIEWS.filter(({ side }) => sides.has(side));
  for (const { side, view, vars } of views) {
    const show = async (values: object, locale: (typeof LOCALES)[number]): Promise<string> =>
      (await renderer.render(side, view, values, { locale, nonce: 'nonce' })).toString();
    for (const locale of LOCALES)
      if (BROKEN.test(await show(vars, locale))) problems.add(`${side}/${view}: prints a value that is not a text ([object Object])`);
    if ((await show(hostile(vars) as object, 'en')).includes(ATTACK.slice(0, 10)))
      problems.add(`${side}/${view}: prints a value unescaped`);
  }
  // Failing views fall back to the default theme and are recorded.
  for (const notice of notices.list()) if (notice.theme === name) problems.add(`${notice.view}: ${notice.message}`);
  if (problems.size > 0) throw new Error(`The theme ${name} has problems:\n  ${[...problems].join('\n  ')}`);
  return views.length;
}
