import { Entity, PrimaryColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, SLOW_QUERY_MS } from '../../database/index.js';

/** One enabled payment method as the configuration keeps it; what it means is the payment module's business. */
type StoredPaymentMethod = { plugin: string; method: string; display_name: string; icon: string; sort: number };

/** As {@link StoredPaymentMethod}, of the module of receipts. */
type StoredSeller = { name: string; address: string; taxNumber: string; contact: string; footer: string };

/** The one row of the site's configuration. */
@Entity('SVC_config')
export class SiteConfig {
  @PrimaryColumn({ type: 'int' }) id!: number;
  /** Name of the panel, shown to people. */
  @StringColumn(120, { default: '' }) name!: string;
  /** First key of the provisioning API. */
  @StringColumn(128) api!: string;
  /** Whether the provisioning API answers. */
  @FlagColumn({ name: 'apiqk', default: true }) apiOpen!: boolean;
  /** Addresses and networks the provisioning API serves, one a line; null serves all. */
  @TextColumn({ name: 'api_allow', nullable: true }) apiAllow!: string | null;
  /** Whether users may use their side. */
  @FlagColumn({ name: 'kzmbqk', default: true }) userPanelOpen!: boolean;
  /** Root of sites on Linux nodes. */
  @StringColumn(255, { name: 'hxi', default: '/www/wwwroot' }) linuxRoot!: string;
  /** Root of sites on Windows nodes. */
  @StringColumn(255, { name: 'hxo', default: 'D:/wwwroot' }) windowsRoot!: string;
  /** Enabled payment methods. */
  @JsonColumn({ name: 'pay_methods' }) payMethods!: StoredPaymentMethod[];
  /** Who sells, as receipts name him; null: nobody said yet. */
  @JsonColumn({ name: 'receipt_seller', nullable: true }) receiptSeller!: StoredSeller | null;
  /** Slugs of gateways whose methods were configured before: one that is not among them is offered as soon as it is enabled. */
  @JsonColumn({ name: 'pay_gateways', nullable: true }) payGateways!: string[] | null;
  /** What orders and credit are in, by its ISO 4217 code. */
  @StringColumn(3, { name: 'currency', default: 'CNY' }) currency!: string;
  /** Hours after which an unpaid order closes; 0: never. */
  @IntegerColumn({ name: 'order_ttl', default: 24 }) orderTtlHours!: number;
  /** Notice to users, HTML. */
  @TextColumn({ name: 'gg', nullable: true }) notice!: string | null;
  /** Contact of the owner. */
  @StringColumn(64, { name: 'qqh', default: '' }) contact!: string;
  /** A text sealed with the key of the installation; null before the first start that had one. */
  @StringColumn(250, { name: 'secret_check', nullable: true }) secretCheck!: string | null;
  /** Whether the guide to a new installation stands on the dashboard, as long as there is something left to do. */
  @FlagColumn({ name: 'guide', default: true }) guideOpen!: boolean;
  /** Captcha at the administrator's login. */
  @FlagColumn({ name: 'yzm', default: true }) adminCaptcha!: boolean;
  /** Captcha at the users' login. */
  @FlagColumn({ name: 'yzme', default: true }) userCaptcha!: boolean;
  @StringColumn(64, { name: 'usertheme', default: 'default' }) userTheme!: string;
  @StringColumn(64, { name: 'admintheme', default: 'default' }) adminTheme!: string;
  @StringColumn(64, { name: 'hometheme', default: 'default' }) homeTheme!: string;
  /** Secret of agents that were set up before each had one of its own; empty: {@link api} is that. */
  @StringColumn(128, { name: 'node_api_key', default: '' }) nodeApiKey!: string;
  /** Whether agents look for forbidden words. */
  @FlagColumn({ name: 'wjsckg', default: false }) scanEnabled!: boolean;
  /** Forbidden words, one a line; a line that starts with `#` is a comment. */
  @TextColumn({ name: 'wjsccnr', nullable: true }) scanKeywords!: string | null;
  /** Whether a scan passes over files that have not changed. */
  @FlagColumn({ name: 'wjsckgqbfx', default: true }) scanChangedOnly!: boolean;
  /** Folder that is scanned. */
  @StringColumn(500, { name: 'wjscml', default: '/www/wwwroot' }) scanRoot!: string;
  /** Names of folders that are passed over, separated by commas. */
  @StringColumn(1000, { name: 'wjstqml', default: '.git,node_modules,vendor,runtime,cache,logs' }) scanSkippedFolders!: string;
  /** Suffixes of files that are passed over, separated by commas. */
  @StringColumn(1000, { name: 'wjstqhz', default: '.jpg,.png,.gif,.webp,.mp4,.zip,.rar,.7z,.pdf,.woff,.ttf' }) scanSkippedSuffixes!: string;
  /** Bytes; a larger file is passed over. */
  @IntegerColumn({ name: 'wjscdzmax', default: 5_242_880 }) scanMaxFileBytes!: number;
  /** Matches after which a scan stops. */
  @IntegerColumn({ name: 'wjscdhmax', default: 1_000 }) scanMaxMatches!: number;
  /** Whether agents scan everything at the times of {@link fullScanCron}. */
  @FlagColumn({ name: 'wjscqzcskg', default: true }) fullScanEnabled!: boolean;
  /** Cron expression of five fields, in the agent's zone. */
  @StringColumn(50, { name: 'wjscqzcs', default: '0 3 * * *' }) fullScanCron!: string;
  /** Matches of one scan from which people are told of it; 0: nobody is. */
  @IntegerColumn({ name: 'wjsctz', default: 1 }) scanNoticeFrom!: number;
  /** Matches on one host in one scan from which the host is paused; 0: none is. */
  @IntegerColumn({ name: 'wjsczt', default: 0 }) scanPauseFrom!: number;
  /** Whether files with new matches are taken out of their sites. */
  @FlagColumn({ name: 'wjscgl', default: false }) scanQuarantine!: boolean;
  /** Days such files are kept. */
  @IntegerColumn({ name: 'wjscglts', default: 30 }) quarantineDays!: number;
  /** Line at the foot of pages; null: the panel's name. */
  @TextColumn({ name: 'hxp', nullable: true }) copyright!: string | null;
  /** Which file manager older user pages open. Kept for their programs: this panel has none yet. */
  @StringColumn(250, { name: 'hxw', default: 'svcftp' }) fileManager!: string;
  /** File of the picture on the login pages; empty: none. */
  @StringColumn(50, { name: 'logo_login', default: '' }) loginLogo!: string;
  /** File of the picture on the home page. */
  @StringColumn(50, { name: 'logo_index', default: '' }) homeLogo!: string;
  /** File of the picture above the menu. */
  @StringColumn(50, { name: 'logo_head', default: '' }) menuLogo!: string;
  /** Whether the site has a page at its root; else visitors go on to the user side. */
  @FlagColumn({ name: 'home_enable', default: true }) homeOpen!: boolean;
  /** Its title; empty: that of the other language, else {@link name}. */
  @StringColumn(120, { name: 'home_title', default: '' }) homeTitle!: string;
  @StringColumn(120, { name: 'home_title_en', default: '' }) homeTitleEn!: string;
  /** The line below it; empty: that of the other language, else the theme's own. */
  @StringColumn(500, { name: 'home_hero', default: '' }) homeText!: string;
  @StringColumn(500, { name: 'home_hero_en', default: '' }) homeTextEn!: string;
  /** Its foot; empty: that of the other language, else {@link copyright}. */
  @StringColumn(500, { name: 'home_footer', default: '' }) homeFoot!: string;
  @StringColumn(500, { name: 'home_footer_en', default: '' }) homeFootEn!: string;
  /** Its colour, `#rrggbb`; empty: the theme's. */
  @StringColumn(10, { name: 'home_primary', default: '' }) homeColour!: string;
  /** File of the icon of the site; empty: the theme's. */
  @StringColumn(50, { name: 'home_favicon', default: '' }) siteIcon!: string;
  /** File of the picture below the title; empty: none. */
  @StringColumn(50, { name: 'home_image', default: '' }) homeImage!: string;
  /** Whether the notice to users stands there. */
  @FlagColumn({ name: 'home_show_notice', default: true }) homeNotice!: boolean;
  /** Whether what plugins add stands there, such as the way to the shop. */
  @FlagColumn({ name: 'home_show_plans', default: true }) homeBlocks!: boolean;
  /** Whether older user pages ask for a mail address first. Kept for their programs: this panel does not ask. */
  @FlagColumn({ name: 'zjyxbd', default: false }) mailRequired!: boolean;
  /** Mail server; empty: no mail is sent. */
  @StringColumn(255, { name: 'mailhost', default: '' }) mailHost!: string;
  @IntegerColumn({ name: 'mailport', default: 465 }) mailPort!: number;
  /** Account at the mail server. */
  @StringColumn(254, { name: 'mailuser', default: '' }) mailUser!: string;
  /** Sealed. */
  @TextColumn({ name: 'mailpassword', nullable: true }) mailPassword!: string | null;
  /** `ssl`, `starttls` or `none`. */
  @StringColumn(10, { name: 'mail_tls', default: 'ssl' }) mailTls!: string;
  /** Name of the sender of mails; empty: {@link name}. */
  @StringColumn(120, { name: 'mail_sender', default: '' }) mailSender!: string;
  /** Address of the sender of mails; empty: {@link mailUser}. */
  @StringColumn(254, { name: 'mail_from', default: '' }) mailFrom!: string;
  /** Days lines of the operation log are kept; 0: for ever. */
  @IntegerColumn({ name: 'log_days', default: 0 }) logDays!: number;
  /** Whether administrators must have a second factor. */
  @FlagColumn({ name: 'f2_admin', default: false }) adminSecondFactor!: boolean;
  /** Whether users must have one. */
  @FlagColumn({ name: 'f2_user', default: false }) userSecondFactor!: boolean;
  /** Whether betas count as newer versions of plugins that have no choice of their own. */
  @FlagColumn({ name: 'plugin_betas', default: false }) pluginBetas!: boolean;
  /** The same of themes. */
  @FlagColumn({ name: 'theme_betas', default: false }) themeBetas!: boolean;
  /** How many monitors an account may have; 0: none. */
  @IntegerColumn({ name: 'jk_max', default: 5 }) monitorLimit!: number;
  /** How many backups of its site an account may have; 0: none. */
  @IntegerColumn({ name: 'bf_max', default: 3 }) siteBackupLimit!: number;
  /** How often sites are backed up by themselves: `off`, `daily` or `weekly`. */
  @StringColumn(10, { name: 'bf_zq', default: 'weekly' }) siteBackupSchedule!: string;
  /** Where backups of sites are kept: `disk` of their server, or `s3`. */
  @StringColumn(10, { name: 'bf_wz', default: 'disk' }) siteBackupPlace!: string;
  /** `host:port` or address that tells whether the panel itself is on the network; empty: alarms of monitors are never held. */
  @StringColumn(255, { name: 'jk_neutral', default: '' }) monitorNeutral!: string;
  /** Whether something happens to hosts with no domain but their site's own. */
  @FlagColumn({ name: 'ymjkkg', default: false }) idleDomainActs!: boolean;
  /** Whether their owners are reminded each day. */
  @FlagColumn({ name: 'mtyxfskg', default: false }) idleDomainReminds!: boolean;
  /** Days after which a host without a domain counts as unused. */
  @IntegerColumn({ name: 'ymjktsyz', default: 7 }) idleDomainDays!: number;
  /** Whether something happens to hosts with no file but the page every new site has. */
  @FlagColumn({ name: 'wjjkkg', default: false }) idleFilesActs!: boolean;
  /** Whether their owners are reminded each day. */
  @FlagColumn({ name: 'mtwjfskg', default: false }) idleFilesReminds!: boolean;
  /** Days after which a host without files counts as unused. */
  @IntegerColumn({ name: 'wjjktsyz', default: 7 }) idleFilesDays!: number;
  /** What happens to hosts nobody uses: `stop` pauses them, `del` deletes those nobody pays for. */
  @StringColumn(10, { name: 'optionzc', default: 'stop' }) idleDeed!: string;
  /** Whole days before their last day on which owners are reminded, the most first, such as `7,3,1,0`; empty: never. */
  @StringColumn(60, { name: 'dq_tx', default: '7,3,1,0' }) expiryReminders!: string;
  /** Days a host goes on after its last day, where nobody said otherwise when it was opened. */
  @IntegerColumn({ name: 'dq_kx', default: 0 }) expiryGraceDays!: number;
  /** Days a host that was paused because its time was over is kept before it is deleted; 0: it never is. */
  @IntegerColumn({ name: 'dq_sc', default: 0 }) expiryKeepDays!: number;
  /** Days deleted sites are kept in the recycle bin. */
  @IntegerColumn({ name: 'hsts', default: 30 }) binDays!: number;
  /** Days access logs of sites are kept. */
  @IntegerColumn({ name: 'rzts', default: 30 }) siteLogDays!: number;
  /** Months statistics of sites are kept. */
  @IntegerColumn({ name: 'tjys', default: 13 }) statisticsMonths!: number;
  /** Whether access logs of sites tell networks instead of addresses. */
  @FlagColumn({ name: 'rznm', default: false }) logsNetworksOnly!: boolean;
  /** Whether certificates are ordered from an authority. */
  @FlagColumn({ name: 'acme_on', default: false }) acmeOn!: boolean;
  /** Its directory (RFC 8555 section 7.1.1). */
  @StringColumn(255, { name: 'acme_directory', default: 'https://acme-v02.api.letsencrypt.org/directory' }) acmeDirectory!: string;
  /** Where it writes to; empty: nowhere. */
  @StringColumn(254, { name: 'acme_mail', default: '' }) acmeMail!: string;
  /** The directory whose terms somebody agreed to; empty: none. */
  @StringColumn(255, { name: 'acme_agreed', default: '' }) acmeAgreed!: string;
  /** Id of an account that was made at the authority elsewhere (RFC 8555 section 7.3.4); empty where it wants none. */
  @StringColumn(255, { name: 'acme_eab_id', default: '' }) acmeBindingId!: string;
  /** Its HMAC key, sealed. */
  @TextColumn({ name: 'acme_eab_key', nullable: true }) acmeBindingKey!: string | null;
  /** Milliseconds from which on a query of the database is shown as slow; 0: none is. */
  @IntegerColumn({ name: 'slow_query_ms', default: SLOW_QUERY_MS }) slowQueryMs!: number;
  /** Id of the DNS provider at which the own names of sites are entered; 0: none. */
  @IntegerColumn({ name: 'dns_sites_provider', default: 0 }) siteNamesProvider!: number;
  /** Language of visitors who have not chosen; empty follows their browser. */
  @StringColumn(10, { default: '' }) locale!: string;
}
