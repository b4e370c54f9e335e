import { Entity, PrimaryColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, SLOW_QUERY_MS } from '../../database/index.js';

/** An enabled payment method as stored; interpreted by the payment module. */
type StoredPaymentMethod = { plugin: string; method: string; display_name: string; icon: string; sort: number };

/** As {@link StoredPaymentMethod}, for the receipts module. */
type StoredSeller = { name: string; address: string; taxNumber: string; contact: string; footer: string };

/** The single row of the site configuration. */
@Entity('SVC_config')
export class SiteConfig {
  @PrimaryColumn({ type: 'int' }) id!: number;
  /** Display name of the panel. */
  @StringColumn(120, { default: '' }) name!: string;
  /** First key of the provisioning API. */
  @StringColumn(128) api!: string;
  /** Whether the provisioning API is enabled. */
  @FlagColumn({ name: 'apiqk', default: true }) apiOpen!: boolean;
  /** Addresses and networks allowed to use the provisioning API, one per line; null allows all. */
  @TextColumn({ name: 'api_allow', nullable: true }) apiAllow!: string | null;
  /** Whether the user side is enabled. */
  @FlagColumn({ name: 'kzmbqk', default: true }) userPanelOpen!: boolean;
  /** Root of sites on Linux nodes. */
  @StringColumn(255, { name: 'hxi', default: '/www/wwwroot' }) linuxRoot!: string;
  /** Root of sites on Windows nodes. */
  @StringColumn(255, { name: 'hxo', default: 'D:/wwwroot' }) windowsRoot!: string;
  /** Enabled payment methods. */
  @JsonColumn({ name: 'pay_methods' }) payMethods!: StoredPaymentMethod[];
  /** The seller named on receipts; null if not configured yet. */
  @JsonColumn({ name: 'receipt_seller', nullable: true }) receiptSeller!: StoredSeller | null;
  /** Slugs of gateways whose methods have been configured before. A new gateway, not in this list, is offered as soon as it is enabled. */
  @JsonColumn({ name: 'pay_gateways', nullable: true }) payGateways!: string[] | null;
  /** Currency of orders and credit, as an ISO 4217 code. */
  @StringColumn(3, { name: 'currency', default: 'CNY' }) currency!: string;
  /** Hours after which an unpaid order is closed; 0 for never. */
  @IntegerColumn({ name: 'order_ttl', default: 24 }) orderTtlHours!: number;
  /** Notice to users, HTML. */
  @TextColumn({ name: 'gg', nullable: true }) notice!: string | null;
  /** Contact of the owner. */
  @StringColumn(64, { name: 'qqh', default: '' }) contact!: string;
  /** A text encrypted with the installation's key, to detect a wrong key; null before the first start with one. */
  @StringColumn(250, { name: 'secret_check', nullable: true }) secretCheck!: string | null;
  /** Whether the setup guide is shown on the dashboard while steps remain. */
  @FlagColumn({ name: 'guide', default: true }) guideOpen!: boolean;
  /** Captcha at the administrator's login. */
  @FlagColumn({ name: 'yzm', default: true }) adminCaptcha!: boolean;
  /** Captcha at the users' login. */
  @FlagColumn({ name: 'yzme', default: true }) userCaptcha!: boolean;
  @StringColumn(64, { name: 'usertheme', default: 'default' }) userTheme!: string;
  @StringColumn(64, { name: 'admintheme', default: 'default' }) adminTheme!: string;
  @StringColumn(64, { name: 'hometheme', default: 'default' }) homeTheme!: string;
  /** Shared secret of agents set up before each had its own; empty: {@link api} is used. */
  @StringColumn(128, { name: 'node_api_key', default: '' }) nodeApiKey!: string;
  /** Whether agents scan for forbidden words. */
  @FlagColumn({ name: 'wjsckg', default: false }) scanEnabled!: boolean;
  /** Forbidden words, one per line; a line that starts with `#` is a comment. */
  @TextColumn({ name: 'wjsccnr', nullable: true }) scanKeywords!: string | null;
  /** Whether a scan skips unchanged files. */
  @FlagColumn({ name: 'wjsckgqbfx', default: true }) scanChangedOnly!: boolean;
  /** Folder that is scanned. */
  @StringColumn(500, { name: 'wjscml', default: '/www/wwwroot' }) scanRoot!: string;
  /** Names of folders to skip, separated by commas. */
  @StringColumn(1000, { name: 'wjstqml', default: '.git,node_modules,vendor,runtime,cache,logs' }) scanSkippedFolders!: string;
  /** Suffixes of files to skip, separated by commas. */
  @StringColumn(1000, { name: 'wjstqhz', default: '.jpg,.png,.gif,.webp,.mp4,.zip,.rar,.7z,.pdf,.woff,.ttf' }) scanSkippedSuffixes!: string;
  /** Maximum file size in bytes; larger files are skipped. */
  @IntegerColumn({ name: 'wjscdzmax', default: 5_242_880 }) scanMaxFileBytes!: number;
  /** Maximum matches, after which a scan stops. */
  @IntegerColumn({ name: 'wjscdhmax', default: 1_000 }) scanMaxMatches!: number;
  /** Whether agents run a full scan at the times of {@link fullScanCron}. */
  @FlagColumn({ name: 'wjscqzcskg', default: true }) fullScanEnabled!: boolean;
  /** Cron expression of five fields, in the agent's zone. */
  @StringColumn(50, { name: 'wjscqzcs', default: '0 3 * * *' }) fullScanCron!: string;
  /** Number of matches in a scan that triggers a notification; 0 disables it. */
  @IntegerColumn({ name: 'wjsctz', default: 1 }) scanNoticeFrom!: number;
  /** Number of matches on one host in one scan that suspends the host; 0 disables it. */
  @IntegerColumn({ name: 'wjsczt', default: 0 }) scanPauseFrom!: number;
  /** Whether files with new matches are quarantined. */
  @FlagColumn({ name: 'wjscgl', default: false }) scanQuarantine!: boolean;
  /** Days quarantined files are kept. */
  @IntegerColumn({ name: 'wjscglts', default: 30 }) quarantineDays!: number;
  /** Footer line of pages; null: the panel's name. */
  @TextColumn({ name: 'hxp', nullable: true }) copyright!: string | null;
  /** File manager of older user pages. Kept for their programs: this panel has none yet. */
  @StringColumn(250, { name: 'hxw', default: 'svcftp' }) fileManager!: string;
  /** File of the image on the login pages; empty: none. */
  @StringColumn(50, { name: 'logo_login', default: '' }) loginLogo!: string;
  /** File of the image on the home page. */
  @StringColumn(50, { name: 'logo_index', default: '' }) homeLogo!: string;
  /** File of the image above the menu. */
  @StringColumn(50, { name: 'logo_head', default: '' }) menuLogo!: string;
  /** Whether the site has a home page; otherwise visitors are redirected to the user side. */
  @FlagColumn({ name: 'home_enable', default: true }) homeOpen!: boolean;
  /** Home page title; empty: that of the other language, else {@link name}. */
  @StringColumn(120, { name: 'home_title', default: '' }) homeTitle!: string;
  @StringColumn(120, { name: 'home_title_en', default: '' }) homeTitleEn!: string;
  /** Home page subtitle; empty: that of the other language, else the theme's own. */
  @StringColumn(500, { name: 'home_hero', default: '' }) homeText!: string;
  @StringColumn(500, { name: 'home_hero_en', default: '' }) homeTextEn!: string;
  /** Home page footer; empty: that of the other language, else {@link copyright}. */
  @StringColumn(500, { name: 'home_footer', default: '' }) homeFoot!: string;
  @StringColumn(500, { name: 'home_footer_en', default: '' }) homeFootEn!: string;
  /** Home page colour, `#rrggbb`; empty: the theme's. */
  @StringColumn(10, { name: 'home_primary', default: '' }) homeColour!: string;
  /** File of the site icon; empty: the theme's. */
  @StringColumn(50, { name: 'home_favicon', default: '' }) siteIcon!: string;
  /** File of the image below the title; empty: none. */
  @StringColumn(50, { name: 'home_image', default: '' }) homeImage!: string;
  /** Whether the home page shows the notice to users. */
  @FlagColumn({ name: 'home_show_notice', default: true }) homeNotice!: boolean;
  /** Whether the home page shows blocks added by plugins, such as a link to the shop. */
  @FlagColumn({ name: 'home_show_plans', default: true }) homeBlocks!: boolean;
  /** Whether older user pages ask for a mail address first. Kept for their programs: this panel does not ask. */
  @FlagColumn({ name: 'zjyxbd', default: false }) mailRequired!: boolean;
  /** Mail server; empty disables mail. */
  @StringColumn(255, { name: 'mailhost', default: '' }) mailHost!: string;
  @IntegerColumn({ name: 'mailport', default: 465 }) mailPort!: number;
  /** Account at the mail server. */
  @StringColumn(254, { name: 'mailuser', default: '' }) mailUser!: string;
  /** Encrypted. */
  @TextColumn({ name: 'mailpassword', nullable: true }) mailPassword!: string | null;
  /** `ssl`, `starttls` or `none`. */
  @StringColumn(10, { name: 'mail_tls', default: 'ssl' }) mailTls!: string;
  /** Sender name of mails; empty: {@link name}. */
  @StringColumn(120, { name: 'mail_sender', default: '' }) mailSender!: string;
  /** Sender address of mails; empty: {@link mailUser}. */
  @StringColumn(254, { name: 'mail_from', default: '' }) mailFrom!: string;
  /** Days entries of the operation log are kept; 0 keeps them forever. */
  @IntegerColumn({ name: 'log_days', default: 0 }) logDays!: number;
  /** Whether administrators must have a second factor. */
  @FlagColumn({ name: 'f2_admin', default: false }) adminSecondFactor!: boolean;
  /** Whether users must have a second factor. */
  @FlagColumn({ name: 'f2_user', default: false }) userSecondFactor!: boolean;
  /** Whether betas count as newer versions for plugins without a setting of their own. */
  @FlagColumn({ name: 'plugin_betas', default: false }) pluginBetas!: boolean;
  /** As {@link pluginBetas}, for themes. */
  @FlagColumn({ name: 'theme_betas', default: false }) themeBetas!: boolean;
  /** Maximum monitors per account; 0: none. */
  @IntegerColumn({ name: 'jk_max', default: 5 }) monitorLimit!: number;
  /** Maximum site backups per account; 0: none. */
  @IntegerColumn({ name: 'bf_max', default: 3 }) siteBackupLimit!: number;
  /** How often sites are backed up automatically: `off`, `daily` or `weekly`. */
  @StringColumn(10, { name: 'bf_zq', default: 'weekly' }) siteBackupSchedule!: string;
  /** Where site backups are stored: `disk` of their server, or `s3`. */
  @StringColumn(10, { name: 'bf_wz', default: 'disk' }) siteBackupPlace!: string;
  /** `host:port` or URL used to check that the panel itself is online; if empty, monitor alarms are never held back. */
  @StringColumn(255, { name: 'jk_neutral', default: '' }) monitorNeutral!: string;
  /** Whether action is taken on hosts with no domain but their default one. */
  @FlagColumn({ name: 'ymjkkg', default: false }) idleDomainActs!: boolean;
  /** Whether their owners are reminded daily. */
  @FlagColumn({ name: 'mtyxfskg', default: false }) idleDomainReminds!: boolean;
  /** Days after which a host without a domain counts as unused. */
  @IntegerColumn({ name: 'ymjktsyz', default: 7 }) idleDomainDays!: number;
  /** Whether action is taken on hosts with no files but the default page. */
  @FlagColumn({ name: 'wjjkkg', default: false }) idleFilesActs!: boolean;
  /** Whether their owners are reminded daily. */
  @FlagColumn({ name: 'mtwjfskg', default: false }) idleFilesReminds!: boolean;
  /** Days after which a host without files counts as unused. */
  @IntegerColumn({ name: 'wjjktsyz', default: 7 }) idleFilesDays!: number;
  /** Action on unused hosts: `stop` suspends them, `del` deletes those that are not paid for. */
  @StringColumn(10, { name: 'optionzc', default: 'stop' }) idleDeed!: string;
  /** Days before expiry on which owners are reminded, in descending order, such as `7,3,1,0`; empty: never. */
  @StringColumn(60, { name: 'dq_tx', default: '7,3,1,0' }) expiryReminders!: string;
  /** Default grace period in days after a host's last day, unless set when the host was created. */
  @IntegerColumn({ name: 'dq_kx', default: 0 }) expiryGraceDays!: number;
  /** Days after which a host suspended for expiry is deleted; 0: never. */
  @IntegerColumn({ name: 'dq_sc', default: 0 }) expiryKeepDays!: number;
  /** Days deleted sites are kept in the recycle bin. */
  @IntegerColumn({ name: 'hsts', default: 30 }) binDays!: number;
  /** Days access logs of sites are kept. */
  @IntegerColumn({ name: 'rzts', default: 30 }) siteLogDays!: number;
  /** Months statistics of sites are kept. */
  @IntegerColumn({ name: 'tjys', default: 13 }) statisticsMonths!: number;
  /** Whether access logs of sites contain networks instead of addresses. */
  @FlagColumn({ name: 'rznm', default: false }) logsNetworksOnly!: boolean;
  /** Whether certificates are requested from a certificate authority. */
  @FlagColumn({ name: 'acme_on', default: false }) acmeOn!: boolean;
  /** ACME directory of the authority (RFC 8555 section 7.1.1). */
  @StringColumn(255, { name: 'acme_directory', default: 'https://acme-v02.api.letsencrypt.org/directory' }) acmeDirectory!: string;
  /** Contact address for the authority; empty: none. */
  @StringColumn(254, { name: 'acme_mail', default: '' }) acmeMail!: string;
  /** The directory whose terms were accepted; empty: none. */
  @StringColumn(255, { name: 'acme_agreed', default: '' }) acmeAgreed!: string;
  /** Id of an external account at the authority (RFC 8555 section 7.3.4); empty if not required. */
  @StringColumn(255, { name: 'acme_eab_id', default: '' }) acmeBindingId!: string;
  /** HMAC key of the external account, encrypted. */
  @TextColumn({ name: 'acme_eab_key', nullable: true }) acmeBindingKey!: string | null;
  /** Milliseconds above which a database query is shown as slow; 0 disables it. */
  @IntegerColumn({ name: 'slow_query_ms', default: SLOW_QUERY_MS }) slowQueryMs!: number;
  /** Id of the DNS provider for the sites' default names; 0: none. */
  @IntegerColumn({ name: 'dns_sites_provider', default: 0 }) siteNamesProvider!: number;
  /** Default language of visitors; empty: follows their browser. */
  @StringColumn(10, { default: '' }) locale!: string;
}
