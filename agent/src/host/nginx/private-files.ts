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
  'sent: they may contain passwords. If this is your site, open them in the file manager of your panel.</p></div></html>';

/** Matches paths with a segment that names a program file; PHP's own location comes first. */
const PROGRAM = pattern(`${PROGRAM_ENDING}(?:/|$)`);
/** Matches paths with a segment that starts with a dot, except {@link WELL_KNOWN}. */
const HIDDEN = pattern(String.raw`(?!^/${literal(WELL_KNOWN)}(?:/|$))/\.`);
const PLACE = '@svc_private';

/** Blocks hidden files; must come before all other regex locations. */
export function hiddenFiles(site: SiteRecord): string[] {
  return [`location ~ ${HIDDEN} {`, ...pages(site), 'return 403;', '}'];
}

/** Blocks program files, existing or not; must come after the PHP location. */
export function programs(site: SiteRecord): string[] {
  return [`location ~* ${PROGRAM} {`, ...pages(site), 'return 403;', '}'];
}

/**
 * Blocks program files inside a location of the owner; addresses that match no file follow the owner's rules.
 *
 * @param rules of the location
 */
export function programsBehind(rules: readonly string[], site: SiteRecord): string[] {
  return [`location ~* ${PROGRAM} {`, STAYS_INSIDE, ...pages(site), 'if (-e $request_filename) { return 403; }', ...rules, '}'];
}

/** Blocks hidden files and programs by conditions, where no other location is evaluated. */
export function privateConditions(site: SiteRecord): string[] {
  return [...pages(site), `if ($uri ~ ${HIDDEN}) { return 403; }`, `if ($uri ~* ${PROGRAM}) { return 403; }`];
}

/** Error page that explains the refusal in both languages; once per virtual host. */
export function privatePage(): string[] {
  return [
    `location ${PLACE} {`,
    // Without this, the file extension decides the content type.
    'types { }',
    'default_type text/html;',
    'charset utf-8;',
    'add_header Cache-Control no-store always;',
    `return 403 ${quoted(PAGE)};`,
    '}',
  ];
}

/** Returns the owner's error pages. */
export function errorPages({ settings }: SiteRecord): string[] {
  return Object.entries(settings?.errorPages ?? {}).flatMap(([status, page]) => (page ? [`error_page ${status} ${quoted(page)};`] : []));
}

/** Returns the owner's error pages plus ours for 403 if the owner has none: a location with an `error_page` inherits no others. */
function pages(site: SiteRecord): string[] {
  return site.settings?.errorPages['403'] ? [] : [...errorPages(site), `error_page 403 ${PLACE};`];
}
