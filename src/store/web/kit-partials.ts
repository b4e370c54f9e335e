/** Partials of the default theme that the pages are made of too. */
export const KIT_PARTIALS: readonly string[] = [
  'captcha_field',
  'chart',
  'empty',
  'field',
  'list',
  'list_action',
  'list_cell',
  'list_notes',
  'list_pieces',
  'list_search',
  'moment',
  'progress',
  'progress_bar',
  'stat',
  'timed',
  'toast',
];
