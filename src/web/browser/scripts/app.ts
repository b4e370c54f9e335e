/** Scripts of every panel page; docs/themes.md documents the attributes. */
import Alpine from '@alpinejs/csp';

import { start } from '../kit/alpine.js';
import { captchas } from '../kit/captcha.js';
import { keepDrafts, restoreDrafts } from '../kit/drafts.js';
import { detailOf } from '../kit/htmx.js';
import { text } from '../kit/page.js';
import { toast } from '../kit/toast.js';
import { call, messageOf, proofAsking, type Answer } from '../panel/call.js';
import { loading } from '../panel/options.js';
import '../kit/charts.js';
import '../kit/list-focus.js';
import '../kit/page-notes.js';
import '../kit/secret.js';
import '../kit/tabs.js';
import '../kit/times.js';
import '../kit/tools.js';
import '../panel/form.js';
import '../panel/list.js';
import '../panel/live.js';
import '../panel/payment.js';
import '../panel/preview.js';
import '../panel/row-actions.js';
import '../panel/task.js';

// Also asks for a code on requests of plugins' scripts.
window.fetch = proofAsking(window.fetch.bind(window));

captchas(async () => {
  const answer = await call('yzm');
  const image = (answer.data as Answer | null | undefined)?.image ?? answer.image;
  if (typeof image !== 'string' || !image.startsWith('data:image/')) throw new Error(messageOf(answer));
  return image;
});

// If a part of a page cannot be loaded, keeps the old content and shows an error.
document.addEventListener('htmx:before:response', (event) => {
  const { raw } = detailOf(event).ctx.response;
  // Only used for redirects to the login page.
  if (raw.headers.has('HX-Redirect')) keepDrafts();
  if (raw.ok) return;
  event.preventDefault();
  toast(text('failed'), 'danger');
});
document.addEventListener('htmx:error', () => toast(text('offline'), 'danger'));

start();
document.addEventListener('alpine:initialized', () => void restoreDrafts(Promise.all(loading), () => Alpine.nextTick()));
