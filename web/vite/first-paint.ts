import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountLimits } from '@parley/contracts/constants'
import { minify, type Plugin } from 'vite'
import { formsHtml } from './first-forms.ts'

/** The scripts in `index.html` that draw the page before the application is there; the pages of shared links have the first alone. */
const scripts = ['theme.js', 'first-paint.js'] as const
const tagOf = (script: string): string => `<script src="/${script}"></script>`
/** Where the forms stand. */
const place = '<!-- first-forms -->'
/** The attributes that name a text. */
const textId = /(?<=\sdata-text(?:-chat|-draft)?=")[^"]+/g
const escapeHtml = (text: string): string => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

type Texts = Readonly<Record<string, string>>

/**
 * Tells these scripts what to draw before anything else has been loaded, in every language: how an empty chat greets, without and with a name, and the texts of
 * the forms to sign in, whose places name them by their number. A build makes one of the two, for one request less.
 * @param folder of the catalogs
 */
export function firstPaint(folder: string): Plugin {
  return {
    name: 'parley-first-paint',
    async transformIndexHtml(html, { server }) {
      for (const wanted of [...scripts.map(tagOf), place])
        if (!html.includes(wanted)) throw new Error(`index.html has no ${wanted}`)
      const forms = formsHtml()
      const ids = [...new Set(forms.match(textId))]
      const locales = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
      const names = locales.map(({ name }) => name)
      const drawn = await Promise.all(names.map((name) => drawnIn(join(folder, name), ids)))
      const byLocale = (part: 'greetings' | 'texts') =>
        escapeHtml(JSON.stringify(Object.fromEntries(names.map((name, nth) => [name, drawn[nth]?.[part]]))))
      const told = `data-locales="${names.join(' ')}" data-greetings="${byLocale('greetings')}" data-texts="${byLocale('texts')}"`
      const toldTo = (script: string): string => tagOf(script).replace('>', () => ` ${told}>`)
      const [theme, firstPaint] = scripts
      return html
        .replace(tagOf(theme), () => (server ? toldTo(theme) : ''))
        .replace(tagOf(firstPaint), () => toldTo(firstPaint))
        .replace(place, () => forms.replace(textId, (id) => String(ids.indexOf(id))))
    },
    // They stand before everything else, and are no part of what the bundler sees.
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build names no folder to write to')
      const paths = scripts.map((script) => join(dir, script))
      let before = ''
      for (const path of paths) {
        before += await readFile(path, 'utf8')
        const { code } = await minify(path, before)
        await writeFile(path, code)
      }
    },
  }
}

async function drawnIn(folder: string, ids: readonly string[]) {
  const read = async (file: string): Promise<Texts> => JSON.parse(await readFile(join(folder, file), 'utf8'))
  const chat = await read('deferred/chat.json')
  const initial: Texts = { ...(await read('initial/auth.json')), ...(await read('initial/shared.json')) }
  const texts = ids.map((id) => {
    const text = initial[id]
    if (text === undefined) throw new Error(`${folder} has no text ${id}`)
    return text.replace('{count}', String(accountLimits.passwordMin))
  })
  return { greetings: [chat['chat.empty.title'], chat['chat.empty.titleNamed']], texts }
}
