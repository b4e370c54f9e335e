import { directive } from './alpine.js';

/** On a small screen tabs are in a scrolling row: scrolls the active one into view. */
directive('data-tabs', 'tabs', (tabs) => {
  tabs.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
});

/** Scrolls the current entry of a long menu into view. */
directive('data-menu', 'menu', (menu) => {
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
});
