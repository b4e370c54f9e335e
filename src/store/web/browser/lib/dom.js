// @ts-check
import { icons } from './icons.js';

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Texts stay texts, whatever is in them; what leads somewhere leads to the web, to mail or to this site.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes] null, undefined and false are left out; a function is a listener (`onclick`)
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name.startsWith('on')) throw new Error(`${name} takes a function.`);
    else if (name === 'href') setLink(element, String(value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

/** @param {Element} element @param {string} href */
function setLink(element, href) {
  if (isSafeLink(href)) element.setAttribute('href', href);
}

/** Whether an address may stand in a link. @param {string} href */
export function isSafeLink(href) {
  return /^(?:https?:\/\/|mailto:|[#?]|\/(?![/\\]))/i.test(href);
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function nodesOf(children) {
  return children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child)));
}

/** An icon in the colour of the text around it; it says nothing to those who do not see it. @param {string} name @param {string} [className] */
export function icon(name, className = '') {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', `icon ${className}`.trim());
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('fill', 'currentColor');
  svg.setAttribute('stroke', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name] ?? '');
  svg.append(path);
  return svg;
}

/** The element of this id, which the page has. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no #${id}.`);
  return element;
}

/** Fills the place of the page. @param {...Child} children */
export function show(...children) {
  const view = byId('view');
  view.replaceChildren(...nodesOf(children));
  view.removeAttribute('aria-busy');
}

/** Names the page. @param {string} title */
export function setTitle(title) {
  byId('title').textContent = title;
  const [, store = ''] = / · ([^·]*)$/.exec(document.title) ?? [];
  document.title = `${title} · ${store}`;
}

/** A card with a heading. @param {string} title @param {...Child} children */
export function card(title, ...children) {
  return make('section', { class: 'card mb-3' }, make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, title)), make('div', { class: 'card-body' }, ...children));
}

/** Says that there is nothing, and what to do. @param {string} title @param {string} text @param {...Child} actions */
export function emptyState(title, text, ...actions) {
  return make('div', { class: 'empty' }, make('p', { class: 'empty-title' }, title), make('p', { class: 'empty-subtitle text-secondary' }, text), actions.length > 0 && make('div', { class: 'empty-action d-flex gap-2' }, ...actions));
}

/** Names and values. @param {[string, Child][]} entries those without a value are left out */
export function facts(entries) {
  const rows = entries.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  return make('dl', { class: 'datagrid' }, ...rows.map(([name, value]) => make('div', { class: 'datagrid-item' }, make('dt', { class: 'datagrid-title' }, name), make('dd', { class: 'datagrid-content' }, value))));
}

/**
 * A table that becomes a list of blocks where there is no room for columns.
 *
 * @template Row
 * @param {{ title: string, cell: (row: Row) => Child, class?: string }[]} columns
 * @param {readonly Row[]} rows
 */
export function table(columns, rows) {
  const head = make('tr', {}, ...columns.map(({ title }) => make('th', { scope: 'col' }, title)));
  const body = rows.map((row) => make('tr', {}, ...columns.map(({ title, cell, class: className }) => make('td', { 'data-label': title, class: className }, cell(row)))));
  return make('div', { class: 'table-responsive' }, make('table', { class: 'table table-vcenter card-table table-mobile-md' }, make('thead', {}, head), make('tbody', {}, ...body)));
}
