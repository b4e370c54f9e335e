/** Removes insignificant white space between and within tags, where templates span several lines. */
export const tidyHtml = (html: string): string =>
  html
    .replace(/\s+/g, ' ')
    .replace(/ (?=[<>])/g, '')
    .replace(/(?<=>) /g, '');
