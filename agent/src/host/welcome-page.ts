const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Builds the welcome page of a new site, in both languages. */
export function welcomePage(username: string): string {
  const name = username.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);
  return `<!doctype html>
<html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}</title>
<h1>${name} 的网站已开通</h1>
<p>上传您的文件即可替换本页面。</p>
<p lang="en">The site of ${name} is ready. Upload your files to replace this page.</p>
</html>
`;
}
