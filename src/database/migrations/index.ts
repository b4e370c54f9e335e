import { BootTime1795769171000 } from './1795769171000-boot-time.js';
import { AgentActions1795623200000 } from './1795623200000-agent-actions.js';
import { InitialSchema1795219200000 } from './1795219200000-initial-schema.js';
import { Store1795219300000 } from './1795219300000-store.js';
import { DatabaseUsers1795816000000 } from './1795816000000-database-users.js';
import { OrderSums1795815000000 } from './1795815000000-order-sums.js';
import { StoreCoAuthors1795817000000 } from './1795817000000-store-co-authors.js';
import { RejectedWords1795819000000 } from './1795819000000-rejected-words.js';
import { SiteMoveMarks1795821500000 } from './1795821500000-site-move-marks.js';
import { PluginBetas1795823500000 } from './1795823500000-plugin-betas.js';
import { ThemeUpdates1795824500000 } from './1795824500000-theme-updates.js';
import { FactorSetupSessions1795825500000 } from './1795825500000-factor-setup-sessions.js';
import { ThemeScriptGrants1795822500000 } from './1795822500000-theme-script-grants.js';
import { StoreRatingSums1795818000000 } from './1795818000000-store-rating-sums.js';
import { StoreAuthorKeys1795820500000 } from './1795820500000-store-author-keys.js';
import { StoreWebhooks1795814000000 } from './1795814000000-store-webhooks.js';
import { StoreFeeds1795813000000 } from './1795813000000-store-feeds.js';
import { StoreReviewers1795812000000 } from './1795812000000-store-reviewers.js';
import { StoreRatings1795811000000 } from './1795811000000-store-ratings.js';
import { StoreWithdrawals1795810000000 } from './1795810000000-store-withdrawals.js';
import { BundledPrograms1795801000000 } from './1795801000000-bundled-programs.js';
import { CaptchaWork1795400100000 } from './1795400100000-captcha-work.js';
import { SignIns1795400300000 } from './1795400300000-sign-ins.js';
import { StoreNames1795400300100 } from './1795400300100-store-names.js';
import { EventsOnHold1795400500000 } from './1795400500000-events-on-hold.js';
import { OrdersOfIds1795400500100 } from './1795400500100-orders-of-ids.js';
import { PaidOrders1795400500200 } from './1795400500200-paid-orders.js';
import { PluginFaults1795400600000 } from './1795400600000-plugin-faults.js';
import { PluginSafety1795400700000 } from './1795400700000-plugin-safety.js';
import { WireFields1795400900000 } from './1795400900000-wire-fields.js';
import { LogTexts1795400900100 } from './1795400900100-log-texts.js';
import { PluginSteps1795401100000 } from './1795401100000-plugin-steps.js';
import { Logos1795401200000 } from './1795401200000-logos.js';
import { AccountRequests1795401300000 } from './1795401300000-account-requests.js';
import { IncomeDays1795401400000 } from './1795401400000-income-days.js';
import { JobRuns1795500100000 } from './1795500100000-job-runs.js';
import { SecretCheck1795500200000 } from './1795500200000-secret-check.js';
import { Tasks1795500300000 } from './1795500300000-tasks.js';
import { Notices1795500400000 } from './1795500400000-notices.js';
import { Announcements1795500400100 } from './1795500400100-announcements.js';
import { MailSettings1795500400200 } from './1795500400200-mail-settings.js';
import { NoticeDeliveries1795500400300 } from './1795500400300-notice-deliveries.js';
import { NoticeChannels1795500400400 } from './1795500400400-notice-channels.js';
import { Monitors1795500500000 } from './1795500500000-monitors.js';
import { Administrators1795500600000 } from './1795500600000-administrators.js';
import { AdminRoles1795500600100 } from './1795500600100-admin-roles.js';
import { SecondFactors1795500600200 } from './1795500600200-second-factors.js';
import { LogAccounts1795500600300 } from './1795500600300-log-accounts.js';
import { ApiKeys1795500600400 } from './1795500600400-api-keys.js';
import { Backups1795500700000 } from './1795500700000-backups.js';
import { StatusPages1795600100000 } from './1795600100000-status-pages.js';
import { OwnNetwork1795600100100 } from './1795600100100-own-network.js';
import { SecondProof1795600300000 } from './1795600300000-second-proof.js';
import { ScanConsequences1795600500000 } from './1795600500000-scan-consequences.js';
import { DomainExpiry1795612000000 } from './1795612000000-domain-expiry.js';
import { AgentDisks1795612000100 } from './1795612000100-agent-disks.js';
import { IdleHosts1795613000000 } from './1795613000000-idle-hosts.js';
import { Quarantine1795613100000 } from './1795613100000-quarantine.js';
import { PluginChannels1795614000000 } from './1795614000000-plugin-channels.js';
import { LogChanges1795614000100 } from './1795614000100-log-changes.js';
import { SlowQueries1795615000000 } from './1795615000000-slow-queries.js';
import { SeenVersions1795615000100 } from './1795615000100-seen-versions.js';
import { HostMonitors1795620000000 } from './1795620000000-host-monitors.js';
import { StatusPagesOff1795620000100 } from './1795620000100-status-pages-off.js';
import { SiteDomains1795624000000 } from './1795624000000-site-domains.js';
import { SiteTraffic1795624000100 } from './1795624000100-site-traffic.js';
import { SiteSettings1795624000200 } from './1795624000200-site-settings.js';
import { SiteBackups1795631000000 } from './1795631000000-site-backups.js';
import { RecycleBin1795625000000 } from './1795625000000-recycle-bin.js';
import { UsageTimes1795632000000 } from './1795632000000-usage-times.js';
import { SiteStatistics1795632000100 } from './1795632000100-site-statistics.js';
import { NoticeTemplates1795600200000 } from './1795600200000-notice-templates.js';
import { DriverSettings1795633000000 } from './1795633000000-driver-settings.js';
import { NodeDifferences1795633000100 } from './1795633000100-node-differences.js';
import { FileLinks1795623000000 } from './1795623000000-file-links.js';
import { Certificates1795630000000 } from './1795630000000-certificates.js';
import { HostHistory1795634000000 } from './1795634000000-host-history.js';
import { LogSources1795636000000 } from './1795636000000-log-sources.js';
import { DeliveryChannels1795636000100 } from './1795636000100-delivery-channels.js';
import { RateLimitMost1795637000000 } from './1795637000000-rate-limit-most.js';
import { HomePage1795637000100 } from './1795637000100-home-page.js';
import { HostHolds1795638000000 } from './1795638000000-host-holds.js';
import { SealedPanelKeys1795639000000 } from './1795639000000-sealed-panel-keys.js';
import { AccountBinding1795639000100 } from './1795639000100-account-binding.js';
import { RevokedCertificates1795640000000 } from './1795640000000-revoked-certificates.js';
import { OrderHistory1795670000000 } from './1795670000000-order-history.js';
import { Renewals1795670000100 } from './1795670000100-renewals.js';
import { SetupGuide1795680000000 } from './1795680000000-setup-guide.js';
import { Refunds1795690000000 } from './1795690000000-refunds.js';
import { Customers1795700000000 } from './1795700000000-customers.js';
import { SealedCallingKeys1795750000000 } from './1795750000000-sealed-calling-keys.js';
import { OrderInquiries1795730000000 } from './1795730000000-order-inquiries.js';
import { RejectedNotifications1795730000100 } from './1795730000100-rejected-notifications.js';
import { Ledger1795710000000 } from './1795710000000-ledger.js';
import { HostExpiry1795720000000 } from './1795720000000-host-expiry.js';
import { SecondRefunds1795730000200 } from './1795730000200-second-refunds.js';
import { BusinessNumbers1795764000000 } from './1795764000000-business-numbers.js';
import { Dns1795767000000 } from './1795767000000-dns.js';
import { Receipts1795765500000 } from './1795765500000-receipts.js';
import { Currency1795768000000 } from './1795768000000-currency.js';
import { OwnDnsRecords1795770171300 } from './1795770171300-own-dns-records.js';
import { OrderDates1795730000300 } from './1795730000300-order-dates.js';
import { Coupons1795760000000 } from './1795760000000-coupons.js';
import { OrderHolds1795761000000 } from './1795761000000-order-holds.js';
import { SoldNames1795763000000 } from './1795763000000-sold-names.js';
import { Packages1795762000000 } from './1795762000000-packages.js';
import { RedeemCodes1795760000100 } from './1795760000100-redeem-codes.js';
import { SiteDatabases1795771000000 } from './1795771000000-site-databases.js';
import { DnsPlugin1795772000000 } from './1795772000000-dns-plugin.js';
import { StoreSigningKeys1795780000000 } from './1795780000000-store-signing-keys.js';
import { PluginStores1795781000000 } from './1795781000000-plugin-stores.js';
import { SiteNamesAtDns1795782000000 } from './1795782000000-site-names-at-dns.js';
import { Programs1795782000000 } from './1795782000000-programs.js';
import { ServerGroups1795790000000 } from './1795790000000-server-groups.js';
import { ThemeSettings1795791000000 } from './1795791000000-theme-settings.js';
import { ServerPresence1795791000000 } from './1795791000000-server-presence.js';
import { SiteMoves1795800000000 } from './1795800000000-site-moves.js';

/** Every migration, oldest first. */
export const migrations = [
  InitialSchema1795219200000,
  Store1795219300000,
  CaptchaWork1795400100000,
  SignIns1795400300000,
  StoreNames1795400300100,
  EventsOnHold1795400500000,
  OrdersOfIds1795400500100,
  PaidOrders1795400500200,
  PluginFaults1795400600000,
  PluginSafety1795400700000,
  WireFields1795400900000,
  LogTexts1795400900100,
  PluginSteps1795401100000,
  Logos1795401200000,
  AccountRequests1795401300000,
  IncomeDays1795401400000,
  JobRuns1795500100000,
  SecretCheck1795500200000,
  Tasks1795500300000,
  Notices1795500400000,
  Announcements1795500400100,
  MailSettings1795500400200,
  NoticeDeliveries1795500400300,
  NoticeChannels1795500400400,
  Monitors1795500500000,
  Administrators1795500600000,
  AdminRoles1795500600100,
  SecondFactors1795500600200,
  LogAccounts1795500600300,
  ApiKeys1795500600400,
  Backups1795500700000,
  StatusPages1795600100000,
  OwnNetwork1795600100100,
  NoticeTemplates1795600200000,
  SecondProof1795600300000,
  ScanConsequences1795600500000,
  DomainExpiry1795612000000,
  AgentDisks1795612000100,
  IdleHosts1795613000000,
  Quarantine1795613100000,
  PluginChannels1795614000000,
  LogChanges1795614000100,
  SlowQueries1795615000000,
  SeenVersions1795615000100,
  HostMonitors1795620000000,
  StatusPagesOff1795620000100,
  FileLinks1795623000000,
  SiteDomains1795624000000,
  SiteTraffic1795624000100,
  SiteSettings1795624000200,
  RecycleBin1795625000000,
  Certificates1795630000000,
  SiteBackups1795631000000,
  UsageTimes1795632000000,
  SiteStatistics1795632000100,
  DriverSettings1795633000000,
  NodeDifferences1795633000100,
  HostHistory1795634000000,
  LogSources1795636000000,
  DeliveryChannels1795636000100,
  RateLimitMost1795637000000,
  HomePage1795637000100,
  HostHolds1795638000000,
  SealedPanelKeys1795639000000,
  AccountBinding1795639000100,
  RevokedCertificates1795640000000,
  OrderHistory1795670000000,
  Renewals1795670000100,
  SetupGuide1795680000000,
  Refunds1795690000000,
  Customers1795700000000,
  SealedCallingKeys1795750000000,
  OrderInquiries1795730000000,
  RejectedNotifications1795730000100,
  Ledger1795710000000,
  HostExpiry1795720000000,
  SecondRefunds1795730000200,
  OrderDates1795730000300,
  Coupons1795760000000,
  OrderHolds1795761000000,
  SoldNames1795763000000,
  Packages1795762000000,
  RedeemCodes1795760000100,
  BusinessNumbers1795764000000,
  Dns1795767000000,
  Currency1795768000000,
  OwnDnsRecords1795770171300,
  Receipts1795765500000,
  BootTime1795769171000,
  AgentActions1795623200000,
  SiteDatabases1795771000000,
  DnsPlugin1795772000000,
  StoreSigningKeys1795780000000,
  PluginStores1795781000000,
  SiteNamesAtDns1795782000000,
  Programs1795782000000,
  ServerGroups1795790000000,
  ThemeSettings1795791000000,
  ServerPresence1795791000000,
  SiteMoves1795800000000,
  BundledPrograms1795801000000,
  StoreWithdrawals1795810000000,
  StoreRatings1795811000000,
  OrderSums1795815000000,
  DatabaseUsers1795816000000,
  StoreReviewers1795812000000,
  StoreFeeds1795813000000,
  StoreWebhooks1795814000000,
  StoreCoAuthors1795817000000,
  StoreRatingSums1795818000000,
  RejectedWords1795819000000,
  StoreAuthorKeys1795820500000,
  SiteMoveMarks1795821500000,
  ThemeScriptGrants1795822500000,
  PluginBetas1795823500000,
  ThemeUpdates1795824500000,
  FactorSetupSessions1795825500000,
];

/** The name a migration is booked under. */
export const migrationName = (Migration: (typeof migrations)[number]): string => new Migration().name ?? Migration.name;
