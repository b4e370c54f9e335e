// Types that are part of the plugin API, under their names here.
export type {
  HostDriverAccount as DriverAccount,
  HostDriverNode as DriverNode,
  HostDriverPage as RemotePage,
  HostDriverProbe as NodeProbe,
  HostDriverQuota as DriverQuota,
  HostDriverRemoteSite as RemoteSite,
  HostDriverResult as DriverResult,
  HostDriverSite as SiteSpecification,
  HostDriverStatus as SiteStatus,
} from '../../sdk/index.js';
