/** What was refused of the fields of a form, in words, by their names. */
export type WrongFields = Readonly<Record<string, string>>;

/** Markup of what stands behind a field. @param words that are not escaped yet */
type NoteOf = (id: string, words: string) => string;

const FORMS = /<form\b[^>]*>[\s\S]*?<\/form>/g;
const FIELDS = /<input\b[^>]*>|<(select|textarea)\b[^>]*>[\s\S]*?<\/\1>/g;

/** Markup in which the fields of the form that was sent to a path are marked as wrong. `<` and `>` are those of tags alone. */
export function markFields(markup: string, path: string, wrong: WrongFields, noteOf: NoteOf): string {
  let isMarked = false;
  return markup.replace(FORMS, (form) => {
    if (isMarked || !isSentTo(form, path)) return form;
    const told = inForm(form, wrong, noteOf);
    isMarked = told !== form;
    return told;
  });
}

/** The value of an attribute of a tag, as it stands there; undefined where it has none. */
const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

function isSentTo(form: string, path: string): boolean {
  const [tag = ''] = /^<form\b[^>]*>/.exec(form) ?? [];
  const [action] = (attribute(tag, 'action') ?? path).split('?');
  return attribute(tag, 'method') === 'post' && action === path;
}

function inForm(form: string, wrong: WrongFields, noteOf: NoteOf): string {
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
    return `<${kind}${marks}${rest}${noteOf(id, wrong[name]!)}`;
  });
}
