// @ts-check

/** Language of the page. */
export const locale = document.documentElement.lang;

/** @type {{ texts: Record<string, string> }} */
const { texts } = await import(`./texts.${locale}.js`);
const plurals = new Intl.PluralRules(locale);

/**
 * The text of `key`; with a number `n` among the values its plural form where there is one (`key.one`). An unknown key shows as it is.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values] for its `{places}`
 */
export function t(key, values = {}) {
  const form = typeof values.n === 'number' ? texts[`${key}.${plurals.select(values.n)}`] : undefined;
  const text = form ?? texts[key] ?? texts[`${key}.other`] ?? key;
  return text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** The name of one of the suggested categories in this language; others are what their authors called them. @param {string} name */
export function categoryName(name) {
  return texts[`category.${name}`] ?? name;
}
