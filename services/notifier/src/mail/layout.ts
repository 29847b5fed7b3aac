import type { Locale } from '@parley/contracts'
import { escapeHtml } from '@parley/kit'
import type { MailContent, MailPart, MailTexts } from './mail.ts'
import { englishTexts } from './texts-en.ts'

/** Languages that have no texts are written to in English. */
const textsByLocale: Partial<Record<Locale, MailTexts>> = { en: englishTexts }

/** The texts in a user's language. */
export const textsFor = (locale: Locale): MailTexts => textsByLocale[locale] ?? englishTexts

const rightToLeft: ReadonlySet<Locale> = new Set(['ar'])

/** A content as plain text and as HTML that needs nothing from the network. */
export function layOut(content: MailContent, footer: string, locale: Locale): { text: string; html: string } {
  const text = [...content.parts.map(partAsText), `-- \n${footer}`].join('\n\n')
  const direction = rightToLeft.has(locale) ? 'rtl' : 'ltr'
  const html = `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head><meta charset="utf-8"><title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f5f6;color:#1b2126;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border-radius:10px">
${content.parts.map(partAsHtml).join('\n')}
</div>
<p style="max-width:480px;margin:16px auto;font-size:13px;color:#5b6670">${escapeHtml(footer)}</p>
</body>
</html>
`
  return { text: `${text}\n`, html }
}

const partAsText = (part: MailPart): string => ('code' in part ? `    ${part.code}` : part.paragraph)

const partAsHtml = (part: MailPart): string =>
  'code' in part
    ? `<p style="margin:24px 0;font-size:32px;letter-spacing:8px;font-weight:600;text-align:center">${escapeHtml(part.code)}</p>`
    : `<p style="margin:0 0 16px">${escapeHtml(part.paragraph)}</p>`
