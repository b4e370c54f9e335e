// @ts-check
/** @import { Validation } from '../api-types' */
import { upload } from '../lib/api.js';
import { make, show } from '../lib/dom.js';
import { notice, sayLater } from '../lib/feedback.js';
import { progressBar, zipField } from '../lib/file-field.js';
import { findingsList } from '../lib/findings.js';
import { field, input, onSubmit, submitButton } from '../lib/form.js';
import { formatNumber, formatSize } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { itemFields, tagsJson } from '../lib/item-fields.js';

const bar = progressBar();
const report = make('div', { 'aria-live': 'polite' });
const slug = input({ required: true, maxlength: 63, pattern: '[A-Za-z0-9_\\-]{1,63}', autocapitalize: 'none', spellcheck: 'false' });
const version = input({ required: true, maxlength: 32, pattern: '[0-9A-Za-z.+_\\-]{1,32}', autocapitalize: 'none', spellcheck: 'false' });
// The dry run needs no description yet: the form's own rules are for the button that submits.
const check = make('button', { type: 'submit', class: 'btn', value: 'check', formnovalidate: true }, t('submit.check'));

const form = make(
  'form',
  { class: 'card card-body' },
  make('p', { class: 'text-secondary' }, t('submit.intro')),
  make(
    'fieldset',
    { class: 'mb-3' },
    make('legend', { class: 'form-label' }, t('browse.type')),
    ...['plugin', 'theme'].map((type) => make('label', { class: 'form-check form-check-inline' }, make('input', { type: 'radio', class: 'form-check-input', name: 'type', value: type, checked: type === 'plugin' }), make('span', { class: 'form-check-label' }, t(`type.${type}`)))),
  ),
  zipField({ onChoice: guessNames }),
  make(
    'div',
    { class: 'row' },
    make('div', { class: 'col-sm-6' }, field('slug', t('field.slug'), slug, t('submit.slug_hint'))),
    make('div', { class: 'col-sm-6' }, field('version', t('field.version'), version, t('submit.version_hint'))),
  ),
  itemFields(),
  field('requires_svc', t('field.requires_svc'), input({ maxlength: 50, placeholder: '>=1.84' }), t('submit.requires_hint')),
  report,
  bar.element,
  make('div', { class: 'd-flex flex-wrap gap-2' }, submitButton(t('submit.submit')), check),
);
onSubmit(
  form,
  async (fields, button) => {
    report.replaceChildren();
    fields.set('tags', tagsJson(fields.get('tags')));
    if (button === check) {
      const { data } = await upload('/developer/validate', dryRunOf(fields), (share) => bar.move(share));
      bar.hide();
      report.replaceChildren(resultOf(data));
      return;
    }
    const { data, msg } = await upload('/developer/items', fields, (share) => bar.move(share));
    sayLater(msg);
    location.assign(`/store/developer/items/${data.id}`);
  },
  { onFailure: bar.hide },
);
show(form);

/** What is checked of a package; a name or version that is not filled in yet is no mistake. @param {FormData} fields */
function dryRunOf(fields) {
  for (const name of ['name', 'version', 'price', 'homepage', 'description']) if (fields.get(name) === '') fields.delete(name);
  const zip = fields.get('zipfile');
  if (zip instanceof File && zip.size === 0) fields.delete('zipfile');
  return fields;
}

/** @param {Validation} result */
function resultOf({ files, total_size: size, installable, findings }) {
  return make(
    'div',
    { class: 'mb-3' },
    notice(installable ? t('submit.check_good', { n: files, files: formatNumber(files), size: formatSize(size) }) : t('submit.check_not_installable'), installable ? 'success' : 'warning'),
    make('h2', { class: 'h3' }, t('findings.title')),
    findingsList(findings),
  );
}

/** Packages are often called slug-v1.0.0.zip. @param {File} file */
function guessNames({ name }) {
  const [, guess, number] = /^([A-Za-z0-9_-]{1,63}?)(?:[-_]v?(\d[0-9A-Za-z.+_-]{0,31}))?\.zip$/i.exec(name) ?? [];
  if (guess && slug.value === '') slug.value = guess;
  if (number && version.value === '') version.value = number;
}
