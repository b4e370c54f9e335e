import { directive } from './alpine.js';
import { toast } from './toast.js';

/** Shows a page's initial message as a toast; without scripts it stays in place. */
directive('data-toast', 'toast', (note, { expression }) => {
  toast(note.textContent?.trim() ?? '', expression);
  note.remove();
});
