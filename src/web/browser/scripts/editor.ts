/** Turns the editor page's text area into a CodeMirror editor. Loaded on that page only. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { php } from '@codemirror/lang-php';
import { xml } from '@codemirror/lang-xml';
import { bracketMatching, indentOnInput, type LanguageSupport, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

const LANGUAGES: readonly (readonly [ends: RegExp, make: () => LanguageSupport])[] = [
  [/\.(?:html?|vue|liquid|tpl)$/i, html],
  [/\.(?:css|less|scss)$/i, css],
  [/\.(?:[cm]?js|jsx)$/i, () => javascript({ jsx: true })],
  [/\.(?:[cm]?ts|tsx)$/i, () => javascript({ jsx: true, typescript: true })],
  [/\.(?:json|webmanifest|map)$/i, json],
  [/\.(?:md|markdown)$/i, markdown],
  [/\.(?:php\d?|phtml)$/i, php],
  [/\.(?:xml|svg|rss|atom|xsl)$/i, xml],
];

/** A page colour that is readable on the background: darker in light mode, lighter in dark mode. */
const inked = (name: string): string => `color-mix(in oklab, var(--tblr-${name}), light-dark(#000, #fff) 45%)`;

/** Uses the page's colours, light or dark. */
const LOOK = EditorView.theme({
  '&': { border: '1px solid var(--tblr-border-color)', borderRadius: '4px', fontSize: '.875rem', height: '65vh' },
  '&.cm-focused': { outline: '2px solid var(--tblr-primary)' },
  '.cm-scroller': { fontFamily: 'var(--tblr-font-monospace)' },
  '.cm-content': { caretColor: 'var(--tblr-body-color)' },
  '.cm-cursor': { borderLeftColor: 'var(--tblr-body-color)' },
  '.cm-gutters': { background: 'var(--tblr-bg-surface-secondary)', color: 'var(--tblr-secondary)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'rgba(128, 128, 128, .1)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'rgba(var(--tblr-primary-rgb), .25) !important' },
  '.cm-panels': { background: 'var(--tblr-bg-surface-secondary)', color: 'var(--tblr-body-color)' },
  '.tok-comment': { color: inked('secondary') },
  '.tok-keyword, .tok-typeName, .tok-operator': { color: inked('purple') },
  '.tok-string, .tok-string2': { color: inked('green') },
  '.tok-number, .tok-bool, .tok-literal': { color: inked('orange') },
  '.tok-propertyName, .tok-variableName2, .tok-labelName': { color: inked('blue') },
});

function edit(area: HTMLTextAreaElement): void {
  const language = LANGUAGES.find(([ends]) => ends.test(area.dataset.editor!))?.[1];
  // Keeps the original line breaks: text areas normalize them.
  const breaks = area.defaultValue.includes('\r\n') ? '\r\n' : '\n';
  const save = (): boolean => {
    area.form!.requestSubmit();
    return true;
  };
  const view = new EditorView({
    parent: area.parentElement!,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        syntaxHighlighting(classHighlighter),
        keymap.of([{ key: 'Mod-s', run: save }, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': area.getAttribute('aria-label') ?? '', tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          area.value = state.doc.toString();
          area.dispatchEvent(new Event('input', { bubbles: true }));
        }),
        ...(language ? [language()] : [EditorView.lineWrapping]),
        LOOK,
      ],
    }),
  });
  area.hidden = true;
  if (breaks === '\r\n')
    area.form!.addEventListener('formdata', ({ formData }) => formData.set('nr', area.value.replace(/\r?\n/g, breaks)));
  // Input from before the session ended is restored into the text area.
  area.addEventListener('change', () => {
    if (area.value !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } });
  });
}

document.querySelectorAll<HTMLTextAreaElement>('textarea[data-editor]').forEach(edit);
