import { html, rawHtml, type SafeHtml } from '@svc/sdk';

import { markFields, type WrongFields } from './field-marks.js';

/**
 * Adds error messages to the fields of a rejected form: each message follows its field and describes it, and the first invalid field gets
 * the focus. Needs no script. Unknown field names are ignored, since the message above the content covers them. `html` escapes values, so
 * `<` and `>` occur only in tags.
 *
 * @param path target of the submitted form; of several forms with this target, the first with a matching field is marked
 */
export function atFields(content: SafeHtml, path: string, wrong: WrongFields): SafeHtml {
  if (Object.keys(wrong).length === 0) return content;
  const noteOf = (id: string, words: string): string => String(html`<small class="wrong" id="${rawHtml(id)}">${words}</small>`);
  return rawHtml(markFields(String(content), path, wrong, noteOf));
}
