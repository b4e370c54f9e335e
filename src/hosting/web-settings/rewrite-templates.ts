/**
 * Rewrite rules for well-known programs, by program name. Each is the nginx configuration recommended by the program's documentation, in
 * the syntax the server accepts.
 */
export const REWRITE_TEMPLATES: Readonly<Record<string, string>> = {
  WordPress: 'location / {\n    try_files $uri $uri/ /index.php?$args;\n}\nrewrite /wp-admin$ $scheme://$host$uri/ permanent;\n',
  Laravel: 'location / {\n    try_files $uri $uri/ /index.php?$query_string;\n}\n',
  ThinkPHP: 'location / {\n    if (!-e $request_filename) {\n        rewrite ^(.*)$ /index.php?s=$1 last;\n    }\n}\n',
  Typecho: 'location / {\n    try_files $uri $uri/ /index.php$uri?$args;\n}\n',
  'index.html': 'location / {\n    try_files $uri $uri/ /index.html;\n}\n',
};

/** Name of a site's present rules in `hqjt`, next to the names of {@link REWRITE_TEMPLATES}. Source: spec ajax.md 13. */
export const PRESENT_RULES = '0.当前';
