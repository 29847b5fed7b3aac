import type { Locale } from '@parley/contracts'
import { escapeHtml } from '@parley/kit'
import type { MailContent, MailPart } from './mail.ts'
import { styles } from './styles.ts'

const rightToLeft: ReadonlySet<Locale> = new Set(['ar'])

/** Renders a mail as plain text and as self-contained HTML. @param locale of the texts */
export function layOut(content: MailContent, locale: Locale): { text: string; html: string } {
  const { footer } = content
  const text = [...content.parts.map(partAsText), `-- \n${footer}`].join('\n\n')
  const direction = rightToLeft.has(locale) ? 'rtl' : 'ltr'
  const html = `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>${styles.sheet}</style>
</head>
<body class="page" style="${styles.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="${styles.frame}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.column}">
<tr><td class="name" style="${styles.name}">Parley</td></tr>
<tr><td class="card" style="${styles.card}">
${content.parts.map(partAsHtml).join('\n')}
</td></tr>
<tr><td class="quiet" style="${styles.footer}">${escapeHtml(footer)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  return { text: `${text}\n`, html }
}

function partAsText(part: MailPart): string {
  if ('code' in part) return `    ${part.code}`
  if ('link' in part) return `${part.button}:\n${part.link}`
  return 'note' in part ? part.note : part.paragraph
}

function partAsHtml(part: MailPart): string {
  if ('code' in part) return `<p class="code" dir="ltr" style="${styles.code}">${escapeHtml(part.code)}</p>`
  if ('link' in part) {
    const link = escapeHtml(part.link)
    return `<p style="${styles.action}"><a class="button" href="${link}" style="${styles.button}">${escapeHtml(part.button)}</a></p>
<p class="quiet" style="${styles.note}">${escapeHtml(part.otherwise)}<br><a class="link" dir="ltr" href="${link}" style="${styles.link}">${link}</a></p>`
  }
  return 'note' in part
    ? `<p class="quiet" style="${styles.note}">${escapeHtml(part.note)}</p>`
    : `<p style="${styles.paragraph}">${escapeHtml(part.paragraph)}</p>`
}
