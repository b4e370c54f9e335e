import { directive } from './alpine.js';

/** On a small screen tabs lie in one row that scrolls: the one that is open is to be seen. */
directive('data-tabs', 'tabs', (tabs) => {
  tabs.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
});

/** A menu that is longer than the screen shows where somebody is. */
directive('data-menu', 'menu', (menu) => {
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
});
