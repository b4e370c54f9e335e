/** Error messages of a form by field. */
export type WrongFields = Readonly<Record<string, string>>;

/** Returns the markup placed after a field. @param words not escaped yet */
type NoteOf = (id: string, words: string) => string;

const FORMS = /<form\b[^>]*>[\s\S]*?<\/form>/g;
const FIELDS = /<input\b[^>]*>|<(select|textarea)\b[^>]*>[\s\S]*?<\/\1>/g;

/** Marks invalid fields of the form sent to a path. `<` and `>` must occur only in tags. */
export function markFields(markup: string, path: string, wrong: WrongFields, noteOf: NoteOf): string {
  let isMarked = false;
  return markup.replace(FORMS, (form) => {
    if (isMarked || !isSentTo(form, path)) return form;
    const marked = inForm(form, wrong, noteOf);
    isMarked = marked !== form;
    return marked;
  });
}

/** Returns the raw value of a tag's attribute; undefined if missing. */
const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

function isSentTo(form: string, path: string): boolean {
  const [tag = ''] = /^<form\b[^>]*>/.exec(form) ?? [];
  const [action] = (attribute(tag, 'action') ?? path).split('?');
  return attribute(tag, 'method') === 'post' && action === path;
}

function inForm(form: string, wrong: WrongFields, noteOf: NoteOf): string {
  const marked = new Set<string>();
  return form.replace(FIELDS, (field) => {
    const [tag, kind] = /^<([a-z]+)[^>]*>/.exec(field)!;
    const name = attribute(tag, 'name') ?? '';
    if (name === '' || !Object.hasOwn(wrong, name) || marked.has(name) || attribute(tag, 'type') === 'hidden') return field;
    marked.add(name);
    const id = `${name}-error`;
    const described = attribute(tag, 'aria-describedby');
    const rest = field.slice(kind!.length + 1).replace(/\saria-describedby="[^"]*"/, '');
    const focus = marked.size === 1 && !/\sautofocus\b/.test(tag) ? ' autofocus' : '';
    const marks = ` aria-invalid="true" aria-describedby="${described ? `${described} ` : ''}${id}"${focus}`;
    return `<${kind}${marks}${rest}${noteOf(id, wrong[name]!)}`;
  });
}
