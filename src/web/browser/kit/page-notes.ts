import { directive } from './alpine.js';
import { toast } from './toast.js';

/** What a page has to say when it is shown goes where everything else is said; without a script it stays where it stands. */
directive('data-toast', 'toast', (note, { expression }) => {
  toast(note.textContent?.trim() ?? '', expression);
  note.remove();
});
