import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locales, type MailKind, mailKinds } from '@parley/contracts'
import { escapeHtml } from '@parley/kit'
import type { Mail } from '../mail/mail.ts'
import { sampleFacts } from '../mail/samples.ts'
import { writeMail } from '../mail/write.ts'

/** `npm run mails -- [language]`: renders every mail with sample data as HTML and text, with an index for the browser. Needs no engine. */
const origin = 'https://chat.example.com'
const folder = join(import.meta.dirname, '../../dist/mails')

const locale = locales.find((name) => name === process.argv[2]) ?? 'en'
const facts = sampleFacts(origin)
const preview = <K extends MailKind>(kind: K): Mail =>
  writeMail(
    kind,
    { publicUrl: origin, eventId: 'preview' },
    { to: 'ann@example.com', username: 'ann', locale },
    facts[kind],
  )

await mkdir(folder, { recursive: true })
const entries = await Promise.all(
  mailKinds.map(async (kind) => {
    const { subject, text, html } = preview(kind)
    await writeFile(join(folder, `${kind}.html`), html)
    await writeFile(join(folder, `${kind}.txt`), text)
    return `<section><h2>${kind}</h2><p>${escapeHtml(subject)} · <a href="${kind}.html">HTML</a> · <a href="${kind}.txt">text</a></p>
<iframe src="${kind}.html" title="${kind}"></iframe><pre>${escapeHtml(text)}</pre></section>`
  }),
)
const page = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Parley’s mails</title>
<style>body{font:15px/1.5 system-ui;margin:24px}section{margin-bottom:48px}iframe{width:600px;height:560px;border:1px solid #8888;vertical-align:top}
pre{display:inline-block;max-width:640px;margin:0 24px;white-space:pre-wrap}</style>
<h1>Parley’s mails</h1>
${entries.join('\n')}
`
const index = join(folder, 'index.html')
await writeFile(index, page)
console.log(`${mailKinds.length} mails, as HTML and as text: ${index}`)
