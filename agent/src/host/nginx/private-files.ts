import type { SiteRecord } from '../records/site-record.js';
import { PROGRAM_ENDING, WELL_KNOWN } from '../work/panel-ports.js';
import { literal, pattern, quoted } from './quote.js';
import { STAYS_INSIDE } from './rewrites.js';

const PAGE =
  '<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="robots" content="noindex"><title>403</title><h1>这个文件不对访客开放</h1>' +
  '<p>不在这里运行的程序文件（如 .py）、程序文件的备份和以点开头的隐藏文件可能含有密码，一律不会发送。' +
  '如果这是您的网站，请在面板的文件管理中打开它们。</p>' +
  '<div lang="en"><h1>This file is not for visitors</h1>' +
  '<p>Programs that do not run here (such as .py), backup copies of programs, and hidden files, whose names start with a dot, are never ' +
  'sent: passwords may stand in them. If this is your site, open them in the file manager of your panel.</p></div></html>';

/** Paths with a part that names a program; of those PHP runs, it runs them first. */
const PROGRAM = pattern(`${PROGRAM_ENDING}(?:/|$)`);
/** Paths with a part that starts with a dot; see {@link WELL_KNOWN}. */
const HIDDEN = pattern(String.raw`(?!^/${literal(WELL_KNOWN)}(?:/|$))/\.`);
const PLACE = '@svc_private';

/** Hidden files; before all other locations that are patterns. */
export function hiddenFiles(site: SiteRecord): string[] {
  return [`location ~ ${HIDDEN} {`, ...pages(site), 'return 403;', '}'];
}

/** Programs, whether they are there or not; behind the location of PHP. */
export function programs(site: SiteRecord): string[] {
  return [`location ~* ${PROGRAM} {`, ...pages(site), 'return 403;', '}'];
}

/**
 * Programs within a location of the owner's: what becomes of an address that is no file is for his rules to say.
 *
 * @param rules of the location
 */
export function programsBehind(rules: readonly string[], site: SiteRecord): string[] {
  return [`location ~* ${PROGRAM} {`, STAYS_INSIDE, ...pages(site), 'if (-e $request_filename) { return 403; }', ...rules, '}'];
}

/** Both, as conditions: where no other location is looked at. */
export function privateConditions(site: SiteRecord): string[] {
  return [...pages(site), `if ($uri ~ ${HIDDEN}) { return 403; }`, `if ($uri ~* ${PROGRAM}) { return 403; }`];
}

/** The page that says why, in both languages; once in each virtual host. */
export function privatePage(): string[] {
  return [
    `location ${PLACE} {`,
    // Else what the name ends with says what the page is.
    'types { }',
    'default_type text/html;',
    'charset utf-8;',
    'add_header Cache-Control no-store always;',
    `return 403 ${quoted(PAGE)};`,
    '}',
  ];
}

/** Pages of the owner's for errors. */
export function errorPages({ settings }: SiteRecord): string[] {
  return Object.entries(settings?.errorPages ?? {}).flatMap(([status, page]) => (page ? [`error_page ${status} ${quoted(page)};`] : []));
}

/** The owner's, and ours where he has none for this: where a location names one, it has no others. */
function pages(site: SiteRecord): string[] {
  return site.settings?.errorPages['403'] ? [] : [...errorPages(site), `error_page 403 ${PLACE};`];
}
