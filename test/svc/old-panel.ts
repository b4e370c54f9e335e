/** Parts of a dump as common tools write it, with the tables of the specification and made-up rows. */

/** Columns by table, as created by the installer of such a panel. */
export const OLD_TABLES = {
  bs: 'id name jc src date cxwz sxpz tj jg inp pz alet qk hxa hxb hxc hxd',
  bt: 'id btip btdk btmy date ktmy qmk btdh btos als ftpdz ptl qk mrbts_php',
  config:
    'id user pwd gg name yzm yzme kzmbqk apiqk api qqh hxw hxe hxi hxo hxu pay_methods ' +
    'mailhost mailuser mailpassword mailport wjsckg wjscdzmax zjyxbd home_enable',
  dd: 'id cs date zffs je ddh lx qk ip',
  log: 'id czuser date lx lr ip qk',
  plg_dns_provider: 'id slug name api_id api_secret extra qk created_at',
  plg_dns_record: 'id user provider_id domain name type value ttl remote_id auto qk created_at',
  plg_domain_product: 'id url btdh jg date js json qk channel provider_id',
  ym: 'id url btdh jg date js json qk',
  zj: 'id ssbt user pass sqluser sqlpass sqldz data datae qk btid ftpid hxd ymbds hxa hxb hxc llmax backup mailuser',
} as const;

/** Returns the table's name in the dump: tables of plugins have no prefix. */
const nameOf = (table: string): string => (table.startsWith('plg_') ? table : `SVC_${table}`);

export type OldTable = keyof typeof OLD_TABLES;
/** Values by column; missing columns are empty texts. */
export type OldRow = Readonly<Record<string, string | number | null>>;

/** Quotes a text as mysqldump does. */
export function quoted(text: string): string {
  const escapes: Record<string, string> = { '\0': '\\0', '\n': '\\n', '\r': '\\r', '\\': '\\\\', "'": "\\'", '"': '\\"', '\x1a': '\\Z' };
  return `'${text.replace(/[\0\n\r\\'"\x1a]/g, (character) => escapes[character]!)}'`;
}

const value = (one: string | number | null | undefined): string =>
  one === null ? 'NULL' : typeof one === 'number' ? String(one) : quoted(one ?? '');

/** Returns the `INSERT` of a table, with all rows in one statement, as mysqldump does. */
export function insertOf(table: OldTable, rows: readonly OldRow[], name: string = nameOf(table)): string {
  const columns = OLD_TABLES[table].split(' ');
  const tuples = rows.map((row) => `(${columns.map((column) => value(row[column])).join(',')})`);
  return `INSERT INTO \`${name}\` VALUES ${tuples.join(',')};\n`;
}

/** Returns the `CREATE TABLE` as mysqldump writes it. */
export function createOf(table: OldTable, name: string = nameOf(table)): string {
  const [, ...columns] = OLD_TABLES[table].split(' ');
  const lines = columns.map((column) => `  \`${column}\` varchar(250) NOT NULL DEFAULT 'a,b' COMMENT 'one, (two) \\'three\\''`);
  return `DROP TABLE IF EXISTS \`${name}\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE \`${name}\` (
  \`id\` int(11) NOT NULL AUTO_INCREMENT,
${lines.join(',\n')},
  PRIMARY KEY (\`id\`),
  KEY \`k\` (\`id\`)
) ENGINE=MyISAM AUTO_INCREMENT=9 DEFAULT CHARSET=utf8;
LOCK TABLES \`${name}\` WRITE;
/*!40000 ALTER TABLE \`${name}\` DISABLE KEYS */;
`;
}

/** Start of a dump by mysqldump. */
export const HEAD = `-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
--
-- Host: localhost    Database: panel's
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8 */;
/*!40103 SET TIME_ZONE='+00:00' */;
`;

/** Statements that must never run, with parts that look like rows. */
export const ROUTINES = `DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`%\`*/ /*!50003 TRIGGER t BEFORE INSERT ON SVC_zj FOR EACH ROW BEGIN
-- don't
INSERT INTO SVC_zj VALUES (NEW.id); SET @a = 'x;;y'; END */;;
DELIMITER ;
`;

/** Small panel: two servers, accounts in every state, paid and unpaid orders, a program, settings. */
export const OLD_PANEL: Readonly<Record<OldTable, readonly OldRow[]>> = {
  bs: [
    {
      id: 1,
      name: 'WordPress',
      src: '["a.png"]',
      date: '2023-01-02 03:04:05',
      cxwz: 'cx/wp.zip',
      sxpz: '["100","50"]',
      tj: '["alice01"]',
      jg: '9.9',
      inp: '[]',
      pz: '[{"a":1}]',
      qk: 'true',
    },
  ],
  bt: [
    {
      id: 1,
      btip: '192.0.2.10',
      btdk: '8888',
      btmy: 'key-of-bt',
      date: '2022-05-06 07:08:09',
      ktmy: 'open-key',
      qmk: 'sign',
      btdh: 'HK01',
      btos: 1,
      als: 'hk.example.com',
      ftpdz: 'false',
      ptl: 'true',
      qk: 'true',
      mrbts_php: '00',
    },
    {
      id: 2,
      btip: '192.0.2.11',
      btdk: 'x',
      btmy: 'k2',
      ktmy: 'a',
      qmk: 'b',
      btdh: 'Win',
      btos: 2,
      ftpdz: 'ftp.example.com',
      qk: 'false',
      mrbts_php: '74',
    },
  ],
  config: [
    {
      id: 1,
      user: 'boss',
      pwd: 'clear text',
      gg: '<b>Hallo</b> 公告',
      name: '老面板',
      yzm: 'true',
      yzme: 'false',
      kzmbqk: '',
      apiqk: '',
      api: 'shortkey',
      qqh: '12345',
      hxw: 'svcftp',
      hxe: 'https://pay.example.com',
      hxi: '/www/wwwroot',
      hxo: '',
      hxu: '56',
      pay_methods: '[{"plugin":"epay","method":"alipay","display_name":"支付宝","icon":"","sort":1}]',
      mailhost: 'smtp.example.com',
      mailuser: 'me@example.com',
      mailpassword: 'mail secret',
      mailport: '465',
      wjsckg: 'true',
      wjscdzmax: 1000,
      zjyxbd: 'true',
      home_enable: 'true',
    },
  ],
  dd: [
    {
      id: 10,
      cs: '{"user":"Alice01","gmid":"1"}',
      date: '2024-01-01 12:00:00',
      zffs: 'epay__alipay',
      je: '9.9',
      ddh: '20240101120000123',
      lx: 'yjbs',
      qk: 'true',
      ip: '198.51.100.7',
    },
    { id: 11, cs: 'none', date: '2024-02-01 12:00:00', zffs: '', je: '100', ddh: '20240201120000123', lx: 'hosting', qk: 'false', ip: '' },
    {
      id: 12,
      cs: '{"user":"alice01"}',
      date: '2020-01-01 12:00:00',
      zffs: 'epay__wxpay',
      je: '1',
      ddh: '20200101120000124',
      lx: 'yjbs',
      qk: 'true',
      ip: '',
    },
    { id: 13, cs: '{}', date: '2020-01-01 12:00:00', zffs: '', je: '1', ddh: '20200101120000123', lx: 'yjbs', qk: 'true', ip: '' },
    {
      id: 15,
      cs: '{"user":"alice01","url_zd":"shop-names.com","url_qz":"hi","url_zy":"hi.shop-names.com","path":"/"}',
      date: '2024-03-01 12:00:00',
      zffs: 'epay__alipay',
      je: '12.5',
      ddh: '20240301120000123',
      lx: 'ymgm',
      qk: 'true',
      ip: '',
    },
    {
      id: 16,
      cs: '{"user":"bob01","url_zd":"shop-names.com","url_qz":"hi","url_zy":"hi.shop-names.com"}',
      date: '2024-03-02 12:00:00',
      je: '12.5',
      ddh: '20240302120000123',
      lx: 'ymgm',
      qk: 'true',
    },
    { id: 14, cs: '{}', date: '2020-01-01 12:00:00', zffs: '', je: 'much', ddh: '20200101120000999', lx: 'yjbs', qk: 'true', ip: '' },
  ],
  plg_dns_provider: [
    { id: 4, slug: 'dnspod', name: 'Our DNSPod', api_id: '13490', api_secret: 'dns secret', extra: '{}', qk: 'true' },
    { id: 5, slug: 'huawei', name: 'Another', api_id: 'a', api_secret: 'b', extra: '', qk: 'true' },
  ],
  plg_dns_record: [
    {
      id: 1,
      user: 'alice01',
      provider_id: 4,
      domain: 'hi.shop-names.com',
      name: '@',
      type: 'A',
      value: '192.0.2.10',
      ttl: 600,
      remote_id: '81',
      auto: 1,
    },
    {
      id: 2,
      user: 'alice01',
      provider_id: 4,
      domain: 'hi.shop-names.com',
      name: '@',
      type: 'MX',
      value: '10 mx.example.net',
      ttl: 60,
      remote_id: '82',
      auto: 0,
    },
    {
      id: 3,
      user: 'bob01',
      provider_id: 4,
      domain: 'hi.shop-names.com',
      name: 'www',
      type: 'A',
      value: '192.0.2.1',
      ttl: 600,
      remote_id: '83',
      auto: 0,
    },
    {
      id: 4,
      user: 'alice01',
      provider_id: 4,
      domain: 'nobodys.shop-names.com',
      name: 'www',
      type: 'A',
      value: '192.0.2.1',
      ttl: 600,
      auto: 0,
    },
    { id: 5, user: 'alice01', provider_id: 4, domain: 'hi.shop-names.com', name: 'x', type: 'A', value: 'localhost', ttl: 600, auto: 0 },
  ],
  plg_domain_product: [
    {
      id: 1,
      url: 'Shop-Names.com',
      btdh: 'hk01',
      jg: '12.5',
      date: '2024-01-01 00:00:00',
      js: 'Short ones',
      json: '["alice01"]',
      qk: 'true',
      channel: 'dnsapi',
      provider_id: 4,
    },
    { id: 2, url: 'below.shop-names.com', btdh: 'HK01', jg: '1', qk: 'true', channel: 'pan', provider_id: 0 },
    { id: 3, url: 'other-names.com', btdh: 'gone', jg: '1', qk: 'true', channel: 'pan', provider_id: 0 },
  ],
  ym: [{ id: 1, url: 'old-names.com', btdh: 'HK01', jg: '', date: '2021-01-01 00:00:00', js: '', json: '[]', qk: 'false' }],
  log: [{ id: 1, czuser: 'boss', lr: "it's; INSERT INTO `SVC_zj` VALUES ('x')", qk: '' }],
  zj: [
    {
      id: 7,
      ssbt: 'hk01',
      user: 'alice01',
      pass: "pass'w\\ord空间",
      sqluser: 'alice01',
      sqlpass: 'x',
      sqldz: 'svc.7.abc',
      data: '2023-03-04 05:06:07',
      datae: '0000-00-00',
      qk: 'true',
      btid: '55',
      ymbds: '3',
      hxa: '{"max":"1024","dq":10}',
      hxb: '{"max":256,"dq":1}',
      hxc: '2',
      llmax: '{"max":50,"dq":1234,"statistics":false,"history":{}}',
      backup: '{"max":"3","dq":0}',
      mailuser: 'alice@example.com',
    },
    {
      id: 8,
      ssbt: 'HK01',
      user: 'bob01',
      pass: 'bobs password',
      sqldz: 'svc.8.abc',
      data: '2023-03-04 05:06:07',
      datae: '2024-01-31',
      qk: 'false',
      btid: '56',
      hxa: '',
      hxb: '{}',
      hxc: '2',
      mailuser: null,
    },
    { id: 9, ssbt: 'Win', user: 'carol1', pass: '$2y$10$abcdefghijklmnopqrstuv', data: 'long ago', datae: '2199-12-31', qk: 'false' },
    { id: 20, ssbt: 'HK01', user: 'ALICE01', pass: 'x', datae: '' },
    { id: 21, ssbt: 'gone', user: 'dave01', pass: 'x', datae: '' },
    { id: 22, ssbt: 'HK01', user: 'erin01', pass: 'x', datae: 'soon' },
    { id: 23, ssbt: 'HK01', user: 'cdn001', pass: 'x', datae: '', hxc: '1' },
  ],
};

/** Returns {@link OLD_PANEL} as a dump by mysqldump: tables sorted by name. */
export function oldPanelDump(panel: Readonly<Partial<Record<OldTable, readonly OldRow[]>>> = OLD_PANEL): string {
  const tables = (Object.keys(panel) as OldTable[]).sort();
  return HEAD + tables.map((table) => createOf(table) + insertOf(table, panel[table]!) + 'UNLOCK TABLES;\n').join('') + ROUTINES;
}
