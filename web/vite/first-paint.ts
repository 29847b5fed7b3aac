import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The script in `index.html` that draws the page before the application is there. */
const script = 'src="/theme.js"'
const escapeHtml = (text: string): string => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Tells `theme.js` how an empty chat greets, in every language: without and with a name. It draws the greeting before anything else has been loaded.
 * @param folder of the catalogs
 */
export function firstPaint(folder: string): Plugin {
  return {
    name: 'parley-first-paint',
    async transformIndexHtml(html) {
      if (!html.includes(script)) throw new Error(`index.html has no ${script}`)
      const locales = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
      const greetings = await Promise.all(
        locales.map(async ({ name }) => [name, await greetingsOf(join(folder, name))]),
      )
      const data = escapeHtml(JSON.stringify(Object.fromEntries(greetings)))
      return html.replace(script, `${script} data-greetings="${data}"`)
    },
  }
}

async function greetingsOf(folder: string): Promise<[plain: string | undefined, named: string | undefined]> {
  const texts = JSON.parse(await readFile(join(folder, 'deferred/chat.json'), 'utf8')) as Record<string, string>
  return [texts['chat.empty.title'], texts['chat.empty.titleNamed']]
}
