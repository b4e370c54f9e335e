import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { OperationRegistry } from '../src/operations/index.js';

import { TestPanel } from './support/panel.js';

/** Operations that programs of this family call, by area and side. Each area is a line; nothing else changes when one is added. */
const AREAS: readonly { readonly area: string; readonly admin: string; readonly user?: string }[] = [
  {
    area: 'signing in, own account, administrators, keys',
    admin:
      'login logout yzm wdxx gl f2kq f2qr f2gb f2hf listhh hhsc listadmin addadmin adminxg adminsc adminf2 listjs ' +
      'jsbc jssc listmy addmy myxg mysc',
    user: 'login logout yzm wdxx xgpass zhmm zhmmcz f2kq f2qr f2gb f2hf listhh hhsc',
  },
  {
    area: 'orders',
    admin: 'listdd ddsj adddd ddbz ddgb ddtk ddcf dddz listzfrz ddsc ddscxz ddtj ddhj dddc',
    user: 'listdd ddsj xdd ddzf ddqx ddcx zffs',
  },
  { area: 'receipts', admin: 'listskd skdsz skdfp skdpl' },
  { area: 'coupons', admin: 'listyhq addyhq xgyhq yhqkg scyhq' },
  { area: 'redeem codes', admin: 'listdhpc adddhm listdhm dhmzf', user: 'yedh' },
  { area: 'credit', admin: 'listye yetz balance_admin_adjust listyelog', user: 'wdye yelog' },
  { area: 'payment methods', admin: 'listzffs setpaymethods zfcs' },
  { area: 'names for sale', admin: 'listym ymsj addym xgym ymkg ymsc ymscxz ymbdlist ymjb', user: 'ymlist ymcx ymbd ymjb' },
  { area: 'names at the DNS', admin: 'p_dns_provider_save p_dns_provider_delete p_dns_provider_test' },
  { area: 'operation log', admin: 'listlog logsj loglx logdc logsc logscxz logclear', user: 'wdlog' },
  {
    area: 'notices, announcements, channels',
    admin: 'listtz tzfs tzsc gglist ggtj ggxg ggsc listtd tdbc tdcs tdsc listmb mbbc mbyl',
    user: 'notice_list notice_read notice_sc tzsz',
  },
  {
    area: 'monitors',
    admin: 'listjk jksj jkkg jksc listjkrz jkwh jkscsz',
    user: 'monitor_list monitor_save monitor_toggle monitor_del monitor_test monitor_log_list monitor_stat',
  },
  {
    area: 'scans for forbidden words',
    admin: 'nodeforbiddenscan listforbiddenscan listforbiddenmatch get_global_keywords savescancfg clearoldscans wjccl wjcbmd wjctj',
  },
  {
    area: 'settings, system, backups',
    admin:
      'setwz setapi apicz setkzmb mailmode mailcs save_home_settings home_upload_icon home_upload_image szsj szbc ' +
      'system_info xtbb update xtxf jkjc jhlist jhrun bflist bfadd bfxz bfhf bfsc sxlist sxcz tjsy',
  },
  {
    area: 'hosts',
    admin:
      'listzj zjsj addzj zjxgjl zjzt zjjc zjxf zjgq zjbg zjczmm zjqd zjtd zjtb zjsc zjscxz zjhf zjqc zjqy zjzp zjdl ' +
      'zjdr zjdc zjpl listzjls',
    user:
      'listzjls zjxx zjmmck sxsyxx phpxg listphp xgmrwd setyxml hqjt setwjt tjmmfw scmmfw pass_list ftpjy setgzip ' +
      'cache_list cacheadd cacheedit cachedel ' +
      'cache_add cache_edit cache_del fdlkg getfdl fzjh set_init mailbd listurl tjurl scurl hqzmlls getssl sqssl ' +
      'setssl clossl httpsqz listfile hqwj setwj xjwj ' +
      'xjwjj ftpsc ftpscxz setname filecp fileys filejy fileupload file_upload_size hqdx wjxz backup_list ' +
      'databaseadd databasedel databasedownload ' +
      'databaserestore databaseaq1 sqlsso sqldr site_stats',
  },
  {
    area: 'customers',
    admin: 'listyh yhsj addyh yhxg yhkg yhczmm yhdl yhsc yhzj',
  },
  {
    area: 'servers and agents',
    admin:
      'listbt btsj addbt xgjl btztjc btkg btsc btmycz list_node_php auto_detect_node_php set_node_php btzj bttb ' +
      'listnode addnode delnode setnodestatus ' +
      'nodeconfig nodestats nodemycz nodeping listnodetask nodetasksj nodetaskcx nodetaskqx nodeloglist ' +
      'nodelogcontent nodelogclear nodeloglevel nodelogstats ' +
      'reset_sitestats',
  },
];

/** Names that are omitted on purpose, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {};

/** Names that the panel does not support yet. */
const MISSING: readonly string[] = [];

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel?.close());

/** `side name` of each name of a line. */
const namesOf = (side: 'admin' | 'user', line = ''): string[] =>
  line
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => `${side} ${name}`);

const all = AREAS.flatMap(({ admin, user }) => [...namesOf('admin', admin), ...namesOf('user', user)]);

describe('a started panel knows the operations that programs of this family call', () => {
  const known = (name: string): boolean => {
    const [side, gn] = name.split(' ') as ['admin' | 'user', string];
    return panel.get(OperationRegistry).find(side, gn) !== undefined;
  };

  it.each(AREAS)('$area', ({ admin, user }) => {
    const wanted = [...namesOf('admin', admin), ...namesOf('user', user)].filter((name) => !(name in LEFT_OUT) && !MISSING.includes(name));
    expect(wanted.filter((name) => !known(name))).toEqual([]);
  });

  it('names listed as omitted or missing are listed above, and do not exist', () => {
    for (const name of [...Object.keys(LEFT_OUT), ...MISSING]) {
      expect(all, name).toContain(name);
      expect(known(name), `${name} is there now: take it off the list`).toBe(false);
    }
  });
});
