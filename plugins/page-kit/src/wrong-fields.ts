import { html, rawHtml, type SafeHtml } from '@svc/sdk';

import { markFields, type WrongFields } from './field-marks.js';

/**
 * The content of a page whose form says at its fields what is wrong with them: the words stand behind each, describe it, and the first one
 * has the focus. It needs no script. Names that no field of the form has change nothing: what stands above the content says it all.
 *
 * Values are escaped in what `html` makes, so `<` and `>` are those of tags alone.
 *
 * @param path where the form was sent: the form is the one that goes there, and of several the first that has such a field
 */
export function atFields(content: SafeHtml, path: string, wrong: WrongFields): SafeHtml {
  if (Object.keys(wrong).length === 0) return content;
  const noteOf = (id: string, words: string): string => String(html`<small class="wrong" id="${rawHtml(id)}">${words}</small>`);
  return rawHtml(markFields(String(content), path, wrong, noteOf));
}
