/** Markup without the white space that shows nowhere: between tags and within them, as templates are written over several lines. */
export const tidyHtml = (html: string): string =>
  html
    .replace(/\s+/g, ' ')
    .replace(/ (?=[<>])/g, '')
    .replace(/(?<=>) /g, '');
