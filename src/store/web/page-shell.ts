import './texts.js';

import type { UnseenFailures } from '../../auth/index.js';
import { LOCALES, translate, type Locale, type TextParams } from '../../common/index.js';
import { iconSvg } from '../../theme/index.js';
import type { StoreCaller } from '../call/index.js';

import { STORE_PAGES, type StorePage } from './page-list.js';

/** What is around the content of a page. */
export interface Shell {
  readonly locale: Locale;
  /** Address of scripts and styles, with a slash at its end. */
  readonly base: string;
  readonly caller: StoreCaller | null;
  /** Path and query of the request. */
  readonly address: string;
  /** Whether forms ask for the characters of a picture. */
  readonly hasCaptcha: boolean;
}

/** What most pages import, named so that browsers fetch it at once instead of one after the other. */
const PRELOADED = ['api', 'dom', 'feedback', 'form', 'format', 'i18n', 'icons'];
const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { 'zh-CN': '中文', en: 'English' };

/** What the reader is told above the content of a page. */
export interface Warnings {
  /** The published default password is still in use. */
  readonly hasDefaultPassword: boolean;
  /** Wrong passwords for the account that its owner has not seen. */
  readonly failures: UnseenFailures | null;
}

/** A page: what is around it, and an empty place that its module fills. */
export function pageShell(page: StorePage, shell: Shell, { hasDefaultPassword, failures }: Warnings): string {
  const t = texts(shell.locale);
  const warning = (hasDefaultPassword ? passwordWarning(t) : '') + (failures ? failuresWarning(t, failures) : '');
  const content = `${warning}${tabs(page, shell)}<div class="view" id="view" aria-busy="true"><div class="text-secondary py-4" role="status">${t('common.loading')}</div></div>
<noscript><div class="alert alert-warning" role="alert">${t('common.no_script')}</div></noscript>`;
  return document(t(page.title), content, shell, page);
}

/** A page that says what is wrong and leads on. @param title key, as is `text` */
export function messagePage(title: string, text: string, shell: Shell): string {
  const t = texts(shell.locale);
  const content = `<p class="text-secondary">${t(text)}</p><p><a class="btn btn-primary" href="/store/">${t('common.to_store')}</a></p>`;
  return document(t(title), content, shell);
}

function document(title: string, content: string, shell: Shell, page?: StorePage): string {
  const { locale, base, caller, hasCaptcha } = shell;
  const t = texts(locale);
  const preloads = [...PRELOADED, `texts.${locale}`].map((name) => `<link rel="modulepreload" href="${base}lib/${name}.js">`).join('\n');
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${t('common.store')}</title>
<link rel="icon" type="image/svg+xml" href="${base}favicon.svg">
<link rel="stylesheet" href="${base}tabler.min.css">
<link rel="stylesheet" href="${base}store.css">
<script src="${base}appearance.js"></script>
${preloads}
<script type="module" src="${base}lib/header.js"></script>
${page ? `<script type="module" src="${base}pages/${page.module}.js"></script>` : ''}
</head>
<body data-user="${caller?.id ?? ''}" data-role="${caller?.role ?? ''}"${hasCaptcha ? ' data-captcha' : ''}>
<a class="btn btn-primary skip-link" href="#content">${t('common.skip')}</a>
<div class="page">
${header(shell)}
<main class="page-wrapper" id="content" tabindex="-1"><div class="container-xl py-4">
<h1 class="page-title mb-3" id="title">${title}</h1>
${content}
</div></main>
<footer class="footer footer-transparent"><div class="container-xl text-secondary text-center">${t('common.store')} · <a href="/api/docs">API</a></div></footer>
</div>
<div class="toast-stack" id="toasts" aria-live="polite"></div>
</body>
</html>
`;
}

function header({ locale, caller, address }: Shell): string {
  const t = texts(locale);
  const path = address.split('?', 1)[0]!;
  const link = (href: string, text: string): string => {
    const isHere = href === '/store/' ? path === href : path.startsWith(href);
    return `<a class="nav-link${isHere ? ' active' : ''}" href="${href}"${path === href ? ' aria-current="page"' : ''}>${t(text)}</a>`;
  };
  const links = [
    link('/store/', 'nav.browse'),
    ...(caller ? [link('/store/developer/', 'nav.own')] : []),
    ...(caller?.role === 'admin' ? [link('/store/review/', 'nav.review')] : []),
  ];
  const languages = LOCALES.filter((other) => other !== locale).map(
    (other) =>
      `<a class="btn btn-ghost-secondary" href="?lang=${other}" data-lang="${other}" lang="${other}" hreflang="${other}">${iconSvg('mdi-translate')} ${LANGUAGE_NAMES[other]}</a>`,
  );
  const themeTexts = `aria-label="${t('nav.appearance')}" title="${t('nav.appearance')}"`;
  return `<header class="store-header"><div class="container-xl">
<a class="store-brand" href="/store/"><span class="brand-mark">${iconSvg('mdi-store-outline')}</span><span>${t('common.store')}</span></a>
<nav class="store-nav" aria-label="${t('nav.label')}">${links.join('')}</nav>
<div class="store-tools">${languages.join('')}<button type="button" class="btn btn-ghost-secondary btn-icon" data-appearance ${themeTexts}><span class="show-light">${iconSvg('mdi-weather-night')}</span><span class="show-dark">${iconSvg('mdi-weather-sunny')}</span></button>${account(caller, t, address)}</div>
</div></header>`;
}

function account(caller: StoreCaller | null, t: (key: string) => string, address: string): string {
  if (!caller) {
    const next = /^\/store\/(login|register)\b/.test(address) || address === '/store/' ? '' : `?next=${encodeURIComponent(address)}`;
    return `<a class="btn" href="/store/login${next}">${t('login.title')}</a><a class="btn btn-primary d-none d-sm-inline-flex" href="/store/register${next}">${t('register.title')}</a>`;
  }
  return `<details class="account-menu"><summary class="btn">${iconSvg('mdi-account-circle-outline')}<span class="account-name">${escapeHtml(caller.username)}</span></summary>
<div class="dropdown-menu dropdown-menu-end show"><a class="dropdown-item" href="/store/account">${t('nav.account')}</a><button type="button" class="dropdown-item" data-sign-out>${t('nav.sign_out')}</button></div></details>`;
}

/** Goes away with the password: see `browser/pages/profile.js`. */
function passwordWarning(t: (key: string) => string): string {
  return `<div class="alert alert-danger" role="alert" id="default-password"><div class="d-flex flex-column flex-sm-row gap-2 align-items-sm-center flex-fill"><div class="d-flex flex-fill gap-2">${iconSvg('mdi-shield-alert-outline')}<div class="alert-body">${t('default_password.text')}</div></div><a class="btn btn-danger" href="/store/account#password">${t('password.title')}</a></div></div>`;
}

/** Goes away once the list was looked at: see `browser/pages/sessions.js`. */
function failuresWarning(t: (key: string, params?: TextParams) => string, { failures, networks, since }: UnseenFailures): string {
  const key = networks > 1 ? 'failures.banner' : failures > 1 ? 'failures.banner_here' : 'failures.banner_one';
  const text = t(key, { failures, networks, since: since.toISOString().slice(0, 16).replace('T', ' ') });
  return `<div class="alert alert-warning" role="status" id="failed-sign-ins-banner"><div class="d-flex flex-column flex-sm-row gap-2 align-items-sm-center flex-fill"><div class="d-flex flex-fill gap-2">${iconSvg('mdi-alert-outline')}<div class="alert-body">${text}</div></div><a class="btn btn-warning" href="/store/account/sessions">${t('failures.show')}</a></div></div>`;
}

function tabs({ section, path }: StorePage, { locale }: Shell): string {
  if (!section) return '';
  const t = texts(locale);
  const links = STORE_PAGES.filter((page) => page.section === section && page.tab).map((page) => {
    const isHere = page.path === path || (page.path === '/store/review/items' && path.startsWith(`${page.path}/`));
    return `<li class="nav-item"><a class="nav-link${isHere ? ' active' : ''}" href="${page.path}"${page.path === path ? ' aria-current="page"' : ''}>${t(page.tab!)}</a></li>`;
  });
  return `<nav class="store-tabs" aria-label="${t(`nav.${section}`)}"><ul class="nav nav-tabs">${links.join('')}</ul></nav>`;
}

/** Texts of a language, as HTML. */
const texts =
  (locale: Locale) =>
  (key: string, params: TextParams = {}) =>
    escapeHtml(translate(locale, `storePages.${key}`, params));

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
