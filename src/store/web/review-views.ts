import type { Locale } from '../../common/index.js';
import type { EditRequest, Finding } from '../items/index.js';

import { categoryText, priceText } from './formats.js';

/** Most serious first. */
const SEVERITIES = ['danger', 'warning', 'info'];

/** View data of findings. */
export function findingsView(findings: readonly Finding[]): object[] {
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity)).map((finding) => ({
    ...finding,
    place: finding.line ? `${finding.file}:${finding.line}` : finding.file,
  }));
}

/** View data of an edit request with old and new value. */
export function editRequestView(request: EditRequest, locale: Locale): object {
  const { field, old_value: before, new_value: after } = request;
  return { ...request, before: valueView(field, before, locale), after: valueView(field, after, locale) };
}

/** Type and text of a stored field value. */
function valueView(
  field: string,
  value: string,
  locale: Locale,
): { kind: 'empty' | 'text' | 'image' | 'images' | 'code'; text: string; all?: string[] } {
  if (value === '' || value === '[]') return { kind: 'empty', text: '' };
  switch (field) {
    case 'price':
      return { kind: 'text', text: priceText(locale, Number(value)) };
    case 'tags':
      return { kind: 'text', text: (JSON.parse(value) as string[]).join(', ') };
    case 'category':
      return { kind: 'text', text: categoryText(locale, value) };
    case 'main_image':
      return { kind: 'image', text: value };
    case 'screenshots':
      return { kind: 'images', text: '', all: JSON.parse(value) as string[] };
    case 'description':
      return { kind: 'code', text: value };
    default:
      return { kind: 'text', text: value };
  }
}
