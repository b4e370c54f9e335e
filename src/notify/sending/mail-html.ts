import { escapeHtml } from '../../sdk/index.js';

/** A notice as a section of a mail body. */
export interface MailSection {
  /** Heading, used if there are several sections. */
  readonly heading: string;
  /** Time, empty for a single section. */
  readonly time: string;
  /** HTML without scripts and external resources. */
  readonly html: string;
  /** Link to details; empty for none. */
  readonly link: string;
}

/** Contents of a mail. */
export interface MailParts {
  readonly locale: string;
  /** Name of the installation. */
  readonly site: string;
  readonly subject: string;
  readonly sections: readonly MailSection[];
  /** Label of the sections' button. */
  readonly open: string;
  /** Plain text; URLs in it become links. */
  readonly footer: string;
}

const TEXT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,PingFang SC,Microsoft YaHei,sans-serif';
const FOOTER =
  `${TEXT};padding:16px 24px 20px;font-size:12px;line-height:18px;color:#667382;` + 'border-top:1px solid #dce1e7;white-space:pre-line';

/**
 * Builds the HTML of a mail. Mail clients support little more than tables and inline styles. Nothing external is loaded, so that opening
 * the mail cannot be tracked.
 */
export function mailHtml({ locale, site, subject, sections, open, footer }: MailParts): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f4f6fa">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f6fa">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"
style="max-width:600px;background:#ffffff;border:1px solid #dce1e7;border-radius:6px">
<tr><td style="${TEXT};padding:20px 24px 0;font-size:14px;color:#667382">${escapeHtml(site)}</td></tr>
<tr><td style="${TEXT};padding:4px 24px 0;font-size:20px;line-height:28px;font-weight:600;color:#182433">${escapeHtml(subject)}</td></tr>
${sections.map((section) => sectionHtml(section, open)).join('\n')}
<tr><td style="${FOOTER}">${linked(footer)}</td></tr>
</table></td></tr></table>
</body></html>
`;
}

function sectionHtml({ heading, time, html, link }: MailSection, open: string): string {
  const head = heading
    ? `<div style="font-weight:600">${escapeHtml(heading)}</div><div style="font-size:12px;color:#667382">${escapeHtml(time)}</div>`
    : '';
  const button = link
    ? `<div style="padding:8px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:8px ` +
      `16px;background:#066fd1;border-radius:4px;color:#ffffff;text-decoration:none">${escapeHtml(open)}</a></div>`
    : '';
  return `<tr><td style="${TEXT};padding:12px 24px;font-size:15px;line-height:22px;color:#182433">${head}${html}${button}</td></tr>`;
}

/** Converts plain text to HTML, keeping line breaks. */
export function textAsHtml(text: string): string {
  return `<p style="white-space:pre-line">${escapeHtml(text)}</p>`;
}

/** Escapes text and turns URLs into links. */
function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<>"]+/g, (address) => `<a href="${address}" style="color:#066fd1">${address}</a>`);
}
