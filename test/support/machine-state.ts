import type { DebianMachine } from './debian-machine.js';
import type { MachineSite } from './machine-sites.js';

/** Passwords set by the cases; as hashes are salted, the state names the matching password. */
export const PASSWORDS = ['correct horse', 'another one'];

/**
 * Paths of unfinished work that does not belong to a site yet: the remains of a crash are removed later, automatically or with the next
 * attempt. An unpacked backup is removed at the next start.
 */
const ON_THE_WAY = /^\/srv\/svc\/[^/]+\/(?:work\/(?!restoring(?:\/|\s))|trash\/)|\/\.[a-z]+\.lock(?:\/|$)/;

/** State of the sites on a machine, and what actions report about it to the panel. */
export interface MachineState {
  readonly machine: string[];
  readonly panel: string[];
}

/**
 * Returns everything that sites consist of on a machine, as lines that are equal for equal states: users, folders and files with their
 * owners, configuration, databases with their content, access, and responses to visitors. Random names and numbers, and times, are left
 * out. Also returns what actions report to the panel.
 */
export async function machineState(machine: DebianMachine, sites: readonly MachineSite[]): Promise<MachineState> {
  const text = await machine.must(['perl', '-e', LOOK, ...PASSWORDS]);
  const lines = text.split('\n').filter((line) => line !== '' && !ON_THE_WAY.test(line));
  const visits = await Promise.all(
    sites.map(async ({ name }) => {
      const { status, body } = await machine.fetch({ host: name });
      return `visit ${name} ${status} ${body.length}`;
    }),
  );
  const tell = async (site: MachineSite | null, action: string, args: object = {}): Promise<string> => {
    const { outcome, code, value } = await machine.act(action, site?.ref ?? null, args);
    return `${site?.name ?? 'server'} ${action} ${outcome} ${code} ${JSON.stringify(value)}`;
  };
  const told = await Promise.all([
    tell(null, 'site.list', { after: null }),
    ...sites.flatMap((site) => ['bin.has', 'sftp.of', 'php.of', 'databases.list'].map((action) => tell(site, action))),
  ]);
  const named = namesOf(lines);
  return { machine: evened([...lines, ...visits], named), panel: evened(told, named) };
}

/** Replaces user names and numbers, which are random, with the sites they belong to. */
function evened(lines: readonly string[], named: ReadonlyMap<string, string>): string[] {
  return lines
    .map((line) =>
      line
        .replaceAll(/svc[0-9a-f]{8}/g, (found) => named.get(found) ?? 'NOBODY')
        .replaceAll(/\b2\d{4}\b/g, (found) => named.get(found) ?? 'NO-NUMBER')
        .replaceAll(/"bytes":\d+/g, '"bytes":0'),
    )
    .sort();
}

function namesOf(lines: readonly string[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const line of lines.filter((one) => one.startsWith('record '))) {
    const { record } = JSON.parse(line.slice(line.indexOf('{'))) as { record: { user: string; uid: number; name: string } };
    named.set(record.user, `<${record.name}>`);
    named.set(String(record.uid), `<number of ${record.name}>`);
  }
  return named;
}

/** Prints the state as lines; `@ARGV` are the passwords. */
const LOOK = String.raw`
use strict; use Digest::MD5 qw(md5_hex); use File::Find;
sub slurp { my ($f) = @_; local $/; open(my $h, '<', $f) or return ''; my $t = <$h>; return $t // ''; }
sub lines { my ($f, $p) = @_; return grep { /$p/ } split /\n/, slurp($f); }
print "$_\n" for map { "passwd $_" } sort(lines('/etc/passwd', qr/^svc[0-9a-f]{8}:/));
print "$_\n" for map { "group $_" } sort(lines('/etc/group', qr/^svc/));
for my $line (sort(lines('/etc/shadow', qr/^svc[0-9a-f]{8}:/))) {
  my @f = split /:/, $line, -1;
  my ($of) = grep { crypt($_, $f[1]) eq $f[1] } @ARGV;
  my $hash = defined $of ? "password <$of>" : length($f[1]) > 5 ? 'another password' : 'no password';
  print "shadow $f[0] $hash expires <$f[7]>\n";
}
sub tree {
  my ($root, $skip) = @_;
  my @found;
  find({ no_chdir => 1, preprocess => sub { sort @_ }, wanted => sub {
    my $p = $File::Find::name;
    if ($p =~ $skip) { $File::Find::prune = 1; return; }
    my @s = lstat($p);
    my $is = -l _ ? 'link ' . readlink($p) : -d _ ? 'folder' : -f _ ? md5_hex(content($p)) : 'other';
    push @found, sprintf("%s %o %d %d %s", $p, $s[2] & 07777, $s[4], $s[5], $is);
  } }, $root) if -e $root;
  print "$_\n" for @found;
}
# What is in an archive, without when it was made.
sub content {
  my ($p) = @_;
  my $times = 's/ [0-9]{4}-[0-9-]+ [0-9:.]+ / /';
  return scalar(${'`'}tar -tvzf '$p' --full-time 2>/dev/null | sed -E '$times' | sort${'`'}) if $p =~ /\.tar\.gz$/;
  return scalar(${'`'}zcat '$p' 2>/dev/null | grep -v '^--'${'`'}) if $p =~ /\.sql\.gz$/;
  my $t = slurp($p);
  $t =~ s/"until":\d+/"until":0/g;
  $t =~ s/svc[0-9a-f]{8}/USER/g, $t =~ s/\b2\d{4}\b/NUMBER/g if $p =~ m{^/etc/};
  $t =~ s/^--.*$//mg if $p =~ /\.sql$/;
  return $t;
}
tree('/srv/svc', qr{/(?:logs|tmp|sessions)/});
tree('/var/lib/svc-hosting', qr{^$});
tree('/etc/svc-hosting', qr{^$});
print "runs $_\n" for map { s{.*/runs/}{}r } sort glob('/var/lib/svc-agent/runs/*/*');
for my $f (sort glob('/var/lib/svc-agent/sites/*')) {
  my $t = slurp($f);
  $t =~ s/,"isPending":false//;
  print "record $f $t\n" unless $f =~ /last-uid/;
}
my $sql = "SELECT 'account', User, Host, Priv FROM mysql.global_priv"
  . " WHERE User NOT IN ('root','mariadb.sys','mysql','PUBLIC') ORDER BY User, Host;"
  . "SELECT 'grant', Db, User, Host FROM mysql.db WHERE User <> 'PUBLIC' ORDER BY Db, User, Host;"
  . "SELECT 'schema', schema_name FROM information_schema.schemata"
  . " WHERE schema_name NOT IN ('mysql','sys','information_schema','performance_schema') ORDER BY 2;"
  . "SELECT 'table', table_schema, table_name FROM information_schema.tables"
  . " WHERE table_schema LIKE 'svc%' OR table_schema LIKE 'crash%' ORDER BY 2, 3;";
my $said = ${'`'}mariadb --no-defaults -N -e "$sql" 2>&1${'`'};
$said =~ s/"(?:password_last_changed|access|version_id)":\d+,?//g;
print $said;
`;
