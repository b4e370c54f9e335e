import { html, rawHtml, type SafeHtml } from '@svc/sdk';

/** What was refused of the fields of a form, in words, by their names. */
export type WrongFields = Readonly<Record<string, string>>;

const FORMS = /<form\b[^>]*>[\s\S]*?<\/form>/g;
const FIELDS = /<input\b[^>]*>|<(select|textarea)\b[^>]*>[\s\S]*?<\/\1>/g;

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
  let isMarked = false;
  const marked = String(content).replace(FORMS, (form) => {
    if (isMarked || !isSentTo(form, path)) return form;
    const told = inForm(form, wrong);
    isMarked = told !== form;
    return told;
  });
  return rawHtml(marked);
}

/** The value of an attribute of a tag, as it stands there; undefined where it has none. */
const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

function isSentTo(form: string, path: string): boolean {
  const [tag = ''] = /^<form\b[^>]*>/.exec(form) ?? [];
  const [action] = (attribute(tag, 'action') ?? path).split('?');
  return attribute(tag, 'method') === 'post' && action === path;
}

function inForm(form: string, wrong: WrongFields): string {
  const told = new Set<string>();
  return form.replace(FIELDS, (field) => {
    const [tag, kind] = /^<([a-z]+)[^>]*>/.exec(field)!;
    const name = attribute(tag, 'name') ?? '';
    if (name === '' || !Object.hasOwn(wrong, name) || told.has(name) || attribute(tag, 'type') === 'hidden') return field;
    told.add(name);
    const id = `${name}-error`;
    const described = attribute(tag, 'aria-describedby');
    const rest = field.slice(kind!.length + 1).replace(/\saria-describedby="[^"]*"/, '');
    const focus = told.size === 1 && !/\sautofocus\b/.test(tag) ? ' autofocus' : '';
    const marks = ` aria-invalid="true" aria-describedby="${described ? `${described} ` : ''}${id}"${focus}`;
    return `<${kind}${marks}${rest}${String(html`<small class="wrong" id="${rawHtml(id)}">${wrong[name]}</small>`)}`;
  });
}
