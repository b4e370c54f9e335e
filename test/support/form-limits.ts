import type { FieldSchema } from '../../src/http/index.js';

/** Element of a page parsed by parse5. */
export interface Element {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
  readonly content?: Element;
}

const ONE_LINE = new Set(['text', 'password', 'email', 'url', 'tel', 'search']);
/** Maximum length of texts limited by `maxlength`, in characters; longer ones are pages and programs, which nothing limits while typing. */
const LONG_TEXT = 20_000;

/**
 * Returns the differences between a form field and the declared input of the operation the form is sent to.
 *
 * @param declared fields by name
 * @param readsMore whether the operation also reads fields declared elsewhere
 */
export function problemsOf(field: Element, declared: Readonly<Record<string, FieldSchema>>, readsMore = false): string[] {
  const name = read(field, 'name')!;
  const type = field.nodeName === 'input' ? (read(field, 'type') ?? 'text') : field.nodeName;
  const found = declared[name];
  if (!found) {
    // Files are sent apart from the fields; a repetition is compared in the page; a user name is there for password managers.
    const isForPage = type === 'file' || read(field, 'data-repeat-of') !== undefined || read(field, 'autocomplete') === 'username';
    return isForPage || readsMore || declared[name.replace(/\[.*/, '')] ? [] : ['is read by nobody'];
  }
  const { maxLength, minLength = 0, minimum, maximum, enum: choices } = found.schema;
  const problems: string[] = [];
  if ((ONE_LINE.has(type) || type === 'textarea') && maxLength !== undefined && maxLength <= LONG_TEXT) {
    const most = read(field, 'maxlength');
    if (most === undefined) problems.push(`has no maxlength, of at most ${maxLength}`);
    else if (Number(most) > maxLength) problems.push(`takes ${most} characters, of at most ${maxLength}`);
    if (found.required && minLength > 0 && read(field, 'required') === undefined) problems.push('may be left empty, and is required');
  }
  if (type === 'number') {
    const [least, most] = [read(field, 'min'), read(field, 'max')];
    if (minimum !== undefined && !(Number(least ?? '-Infinity') >= minimum)) problems.push(`takes less than ${minimum}`);
    if (maximum !== undefined && !(Number(most ?? 'Infinity') <= maximum)) problems.push(`takes more than ${maximum}`);
  }
  if (type === 'select' && choices) {
    const options = elementsIn(field).filter(({ nodeName }) => nodeName === 'option');
    const strange = options
      .map((option) => read(option, 'value') ?? '')
      .filter((value) => value !== '' && !choices.map(String).includes(value));
    if (strange.length > 0) problems.push(`offers ${strange.join(', ')}`);
  }
  return problems;
}

/** Returns the value of an attribute. */
export function read({ attrs }: Element, name: string): string | undefined {
  return attrs?.find((attribute) => attribute.name === name)?.value;
}

/** Returns an element and all its descendants. */
export function elementsIn(element: Element): Element[] {
  const below = [...(element.childNodes ?? []), ...(element.content ? [element.content] : [])];
  return [element, ...below.flatMap(elementsIn)];
}
