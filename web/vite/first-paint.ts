import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountLimits } from '@parley/contracts/constants'
import { minify, type Plugin } from 'vite'
import { formsHtml } from './first-forms.ts'

/** The script in `index.html` that draws the page before the application is there. */
const script = 'src="/theme.js"'
/** Where the forms stand. */
const place = '<!-- first-forms -->'
/** The attributes that name a text. */
const textId = /(?<=\sdata-text(?:-chat|-draft)?=")[^"]+/g
const escapeHtml = (text: string): string => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

type Texts = Readonly<Record<string, string>>

/**
 * Tells `theme.js` what to draw before anything else has been loaded, in every language: how an empty chat greets, without and with a name, and the texts of the
 * forms to sign in, whose places name them by their number.
 * @param folder of the catalogs
 */
export function firstPaint(folder: string): Plugin {
  return {
    name: 'parley-first-paint',
    async transformIndexHtml(html) {
      for (const wanted of [script, place]) if (!html.includes(wanted)) throw new Error(`index.html has no ${wanted}`)
      const forms = formsHtml()
      const ids = [...new Set(forms.match(textId))]
      const locales = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
      const drawn = await Promise.all(locales.map(({ name }) => drawnIn(join(folder, name), ids)))
      const byLocale = (part: 'greetings' | 'texts') =>
        escapeHtml(JSON.stringify(Object.fromEntries(locales.map(({ name }, nth) => [name, drawn[nth]?.[part]]))))
      return html
        .replace(script, () => `${script} data-greetings="${byLocale('greetings')}" data-texts="${byLocale('texts')}"`)
        .replace(place, () => forms.replace(textId, (id) => String(ids.indexOf(id))))
    },
    // It stands before everything else, in pages of shared links too, and is no part of what the bundler sees.
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build names no folder to write to')
      const path = join(dir, 'theme.js')
      const { code } = await minify(path, await readFile(path, 'utf8'))
      await writeFile(path, code)
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
