/** What the API answers, as far as the pages use it. docs/store-api.md has the rest. */

export interface User {
  id: number;
  username: string;
  email: string;
  role: 'admin' | 'developer';
  avatar: string;
  bio: string;
  status: 'active' | 'banned';
  created_at: string;
  updated_at: string;
}

export interface Session {
  id: number;
  ip: string;
  user_agent: string;
  created_at: string;
  seen_at: string;
  current: boolean;
}

export interface FailedSignIns {
  network: string;
  failures: number;
  first_at: string;
  last_at: string;
  seen: boolean;
}

export interface Token {
  id: number;
  name: string;
  scopes: string[];
  expires_at: string;
  last_used_at: string | null;
  created_at: string;
}

export interface Item {
  id: number;
  type: 'plugin' | 'theme';
  slug: string;
  name: string;
  version: string;
  author_id: number;
  author_name: string;
  price: number;
  description: string;
  main_image: string;
  sha256: string;
  zip_size: number;
  downloads: number;
  status: 'pending' | 'approved' | 'rejected' | 'suspended';
  requires_svc: string;
  /** In lists for administrators: the version that waits, and how the item itself stands. */
  pending_version?: string | null;
  item_status?: Item['status'];
  category: string;
  /** JSON text of an array of texts. */
  tags: string;
  homepage: string;
  created_at: string;
  updated_at: string;
  /** For author and administrators. */
  review_msg?: string;
}

export interface Version {
  id: number;
  item_id: number;
  version: string;
  zip_size: number;
  sha256: string;
  changelog: string;
  status: 'pending' | 'approved' | 'rejected' | 'superseded';
  created_at: string;
  review_msg?: string;
  decided_at?: string | null;
}

export interface Finding {
  rule: string;
  severity: 'info' | 'warning' | 'danger';
  file: string;
  line: number | null;
  excerpt: string;
  text: string;
}

export interface EditRequest {
  id: number;
  item_id: number;
  field: string;
  old_value: string;
  new_value: string;
  status: 'pending' | 'approved' | 'rejected' | 'superseded';
  review_msg: string;
  created_at: string;
}

export interface ItemNames {
  item_name: string;
  slug: string;
  type: 'plugin' | 'theme';
}

export interface Review {
  item_status: Item['status'];
  review_msg: string;
  version: Version;
  findings: Finding[];
  manifest: Record<string, unknown> | null;
  queue_position: number | null;
  waiting_seconds: number | null;
  edit_requests: EditRequest[];
}

export interface Validation {
  sha256: string;
  zip_size: number;
  files: number;
  total_size: number;
  installable: boolean;
  findings: Finding[];
}

export interface PackageFiles {
  version: string;
  root: string;
  total_size: number;
  files: { path: string; size: number; sha256: string }[];
}

export interface Stats {
  plugins: number;
  themes: number;
  pending: number;
  users: number;
  downloads: number;
  pendingEdits: number;
  waiting_versions: number;
  open_reports: number;
  days: { day: string; downloads: number; visitors: number }[];
  top: { id: number; name: string; downloads: number }[];
}

export interface Report extends ItemNames {
  id: number;
  item_id: number;
  reason: string;
  text: string;
  reporter_id: number | null;
  reporter_name: string | null;
  ip: string;
  status: 'open' | 'closed';
  created_at: string;
  closed_at: string | null;
}

export interface BlockedDigest {
  id: number;
  sha256: string;
  reason: string;
  created_at: string;
}

export interface AuditEntry {
  id: number;
  actor_id: number;
  actor_name: string;
  action: string;
  subject: string;
  subject_id: number;
  detail: Record<string, unknown>;
  item: { id: number; type: 'plugin' | 'theme'; name: string; exists: boolean } | null;
  user: { id: number; username: string } | null;
  ip: string;
  created_at: string;
}

/** A page of a list. */
export interface Page<Row> {
  items: Row[];
  total: number;
  page: number;
  page_size: number;
}
