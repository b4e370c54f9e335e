// @ts-check
/** @import { FailedSignIns, Session } from '../api-types' */
import { call, get } from '../lib/api.js';
import { make, show, table } from '../lib/dom.js';
import { confirmed, loadFailure, say } from '../lib/feedback.js';
import { actionButton } from '../lib/form.js';
import { moment } from '../lib/format.js';
import { t } from '../lib/i18n.js';

void open();

async function open() {
  try {
    /** @type {Session[]} */
    const sessions = await get('/auth/sessions');
    /** @type {FailedSignIns[]} */
    const failures = await get('/auth/failed-sign-ins');
    show(make('p', { class: 'text-secondary' }, t('sessions.intro')), make('div', { class: 'card' }, table(COLUMNS, sessions)), failures.length > 0 && failuresCard(failures));
    if (failures.some(({ seen }) => !seen)) {
      await call('POST', '/auth/failed-sign-ins/seen');
      document.getElementById('failed-sign-ins-banner')?.remove();
    }
  } catch (error) {
    show(loadFailure(error, () => void open()));
  }
}

/** @type {{ title: string, cell: (session: Session) => import('../lib/dom.js').Child, class?: string }[]} */
const COLUMNS = [
  { title: t('sessions.browser'), cell: ({ user_agent: agent }) => browserOf(agent), class: 'breakable' },
  { title: t('sessions.ip'), cell: ({ ip }) => ip },
  { title: t('sessions.since'), cell: ({ created_at: at }) => moment(at) },
  { title: t('sessions.seen'), cell: ({ seen_at: at }) => moment(at) },
  { title: t('common.actions'), cell: (session) => (session.current ? make('span', { class: 'badge bg-green-lt' }, t('sessions.current')) : endButton(session)) },
];

/** @param {FailedSignIns[]} failures */
function failuresCard(failures) {
  return make(
    'section',
    { id: 'failed-sign-ins', class: 'mt-4' },
    make('h2', { class: 'h3' }, t('failures.title')),
    make('p', { class: 'text-secondary' }, t('failures.intro')),
    make(
      'div',
      { class: 'card' },
      table(
        [
          { title: t('failures.network'), cell: (/** @type {FailedSignIns} */ { network, seen }) => make('span', {}, network || t('failures.further'), !seen && make('span', { class: 'badge bg-yellow-lt ms-2' }, t('failures.new'))) },
          { title: t('failures.count'), cell: ({ failures: count }) => String(count) },
          { title: t('failures.first'), cell: ({ first_at: at }) => moment(at) },
          { title: t('failures.last'), cell: ({ last_at: at }) => moment(at) },
        ],
        failures,
      ),
    ),
  );
}

/** @param {string} agent what the browser said of itself */
function browserOf(agent) {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)(?:iOS)?\/(\d+)/.exec(agent.replace(/Chrome\/\d+\S* Safari\/\S+ (?=Edg|OPR)/, ''));
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent);
  return browser ? make('span', { title: agent }, `${browser[1] === 'Edg' ? 'Edge' : browser[1]} ${browser[2]}${system ? ` · ${system[0]}` : ''}`) : agent || '–';
}

/** @param {Session} session */
function endButton({ id }) {
  return actionButton(
    t('sessions.end'),
    async () => {
      if (!(await confirmed({ text: t('sessions.confirm_end'), action: t('sessions.end') }))) return;
      const { msg } = await call('DELETE', `/auth/sessions/${id}`);
      say(msg);
      await open();
    },
    'btn btn-sm',
  );
}
