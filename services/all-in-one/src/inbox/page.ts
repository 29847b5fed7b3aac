import { escapeHtml } from '@parley/kit'
import type { Mail } from './mailbox.ts'

/** The inbox as one HTML page without scripts. Mails are untrusted and escaped. */
export const inboxPage = (mails: readonly Mail[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5">
<title>Parley inbox</title>
<style>
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{max-width:46rem;margin:2rem auto;padding:0 1rem}
article{border:1px solid color-mix(in srgb,currentColor 15%,transparent);border-radius:10px;padding:1rem;margin:0 0 1rem}
h1{font-size:1.4rem}h2{font-size:1rem;margin:0}p{margin:.25rem 0;opacity:.7;font-size:.85rem}
pre{white-space:pre-wrap;font:inherit;margin:.75rem 0 0}
</style>
<h1>Inbox</h1>
${mails.length === 0 ? '<p>Mail that Parley sends arrives here.</p>' : mails.map(mailArticle).join('\n')}
</html>`

const mailArticle = (mail: Mail): string => `<article><h2>${escapeHtml(mail.subject)}</h2>
<p>To ${escapeHtml(mail.to)} · ${escapeHtml(mail.at)}</p><pre>${escapeHtml(mail.text)}</pre></article>`
