import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const prefix = 'virtual:catalog/'

async function readCatalog(folder: string): Promise<Record<string, unknown>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const catalog: Record<string, unknown> = {}
  for (const file of files) {
    const messages = JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, string>
    for (const [id, message] of Object.entries(messages)) {
      if (id in catalog) throw new Error(`Message id ${id} is defined twice; the second time in ${join(folder, file)}`)
      catalog[id] = compileMessage(message)
    }
  }
  return catalog
}

/**
 * Serves `virtual:catalog/<locale>/<part>`: all `<folder>/<locale>/<part>/*.json` files as one module, with their ICU messages compiled,
 * so that no parser of messages reaches the browser. Fails the build on an id that a part defines twice.
 */
export function catalogs(folder: string): Plugin {
  return {
    name: 'parley-catalogs',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const part = join(folder, id.slice(prefix.length + 1))
      for (const file of await readdir(part)) this.addWatchFile(join(part, file))
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(await readCatalog(part)))})`
    },
  }
}
