import { InstallProblem } from './install-problem.js';

/** systemd files the installer writes. Copies next to the sources are for manual setups; a spec keeps both in sync. */

/** `/etc/systemd/system/svc-agent.service` */
export const AGENT_UNIT = `[Unit]
Description=Agent of the hosting panel
Documentation=file:/opt/svc-agent/README.md
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=/usr/bin/node /opt/svc-agent/svc-agent.mjs --config /etc/svc-agent/agent.json
Restart=always
RestartSec=5
# The config is wrong: starting again does not help.
RestartPreventExitStatus=2
TimeoutStopSec=20

# Sites come first: the agent takes what is left of processor and disk.
Nice=10
IOSchedulingClass=idle
MemoryMax=1G

# It reads sites and writes its state, nothing else. Files of sites belong to many users: reading them all is the one right it needs.
StateDirectory=svc-agent
StateDirectoryMode=0700
UMask=0077
CapabilityBoundingSet=CAP_DAC_READ_SEARCH
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;

/** Returns the unit file with the path of this server's Node. @throws InstallProblem if a unit file cannot contain the path */
export function agentUnit(node: string): string {
  if (!/^\/[\w./@+-]+$/.test(node))
    throw new InstallProblem(
      `Node is at ${JSON.stringify(node)}, a path that a systemd unit cannot contain. Create a symbolic link to it: /usr/local/bin/node`,
    );
  return AGENT_UNIT.replace('/usr/bin/node', node);
}

/** `/etc/systemd/system/svc-agent.service.d/hosting.conf` */
export const HOSTING_DROP_IN = `# Next to the unit file, on servers whose config has "hosting":
# the agent creates users, folders and the configuration of other programs.
[Service]
CapabilityBoundingSet=
CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_FSETID CAP_KILL
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_NET_BIND_SERVICE CAP_AUDIT_WRITE CAP_SYS_PTRACE
ProtectSystem=no
# What runs for a site sees its own processes and no others; root sees all.
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
# Users wait for its results; commands and backups of sites run in this unit too.
Nice=0
IOSchedulingClass=best-effort
MemoryMax=infinity
MemoryHigh=2G
# Child processes get time to finish, and are killed after the stop timeout.
KillMode=mixed
`;

/** `/etc/systemd/system/svc-php@.service` */
export const PHP_UNIT = `[Unit]
Description=PHP %i of sites
After=network.target
Before=nginx.service

[Service]
Type=notify
ExecStartPre=/usr/bin/mkdir -p /run/svc-hosting
ExecStart=/usr/sbin/php-fpm%i --nodaemonize --fpm-config /etc/svc-hosting/php/%i/php-fpm.conf
ExecReload=/bin/kill -USR2 $MAINPID
Restart=on-failure

# What runs in a site sees its own processes, a /tmp that is none of the system's, and gets no more rights than it has.
ProtectProc=invisible
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=full
ProtectHome=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
NoNewPrivileges=yes
RestrictNamespaces=yes
RestrictSUIDSGID=yes
LockPersonality=yes

[Install]
WantedBy=multi-user.target
`;
