import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const listId = 'virtual:catalogs'
const prefix = 'virtual:catalog/'

/** Whether a text may be shown, by its id. */
export type IsShown = (id: string) => boolean

async function readCatalog(folder: string, isShown: IsShown): Promise<Record<string, unknown>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const catalog: Record<string, unknown> = {}
  for (const file of files) {
    const messages = JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, string>
    for (const [id, message] of Object.entries(messages)) {
      if (id in catalog) throw new Error(`Message id ${id} is defined twice; the second time in ${join(folder, file)}`)
      if (isShown(id)) catalog[id] = compileMessage(message)
    }
  }
  return catalog
}

const foldersOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name)

const loaderOf = (catalog: string): string => `() => import('${prefix}${catalog}')`

/** The module that knows how to load each catalog: of the languages that have all parts that English has. */
async function listCatalogs(folder: string, together: boolean): Promise<string> {
  const parts = await foldersOf(join(folder, 'en'))
  const lines: string[] = []
  for (const locale of await foldersOf(folder)) {
    const own = await foldersOf(join(folder, locale))
    if (!parts.every((part) => own.includes(part))) continue
    const loaders = parts.map((part) => `${part}: ${loaderOf(`${locale}/${part}`)}`)
    lines.push(`  ${locale}: ${together ? `all(${loaderOf(locale)})` : `{ ${loaders.join(', ')} }`},`)
  }
  const all = `const all = (load) => ({ ${parts.map((part) => `${part}: load`).join(', ')} })\n`
  return `${together ? all : ''}export const catalogLoaders = {\n${lines.join('\n')}\n}`
}

interface CatalogOptions {
  /** Leaves out what is shown nowhere. */
  readonly isShown?: IsShown
  /** Has all parts of a language in one module, for where they are few. */
  readonly together?: boolean
}

/**
 * Serves `virtual:catalog/<locale>/<part>`: all `<folder>/<locale>/<part>/*.json` files as one module, with their ICU messages compiled,
 * so that no parser of messages reaches the browser; and `virtual:catalogs`, which loads any of them. Fails the build on an id that a part
 * defines twice.
 */
export function catalogs(folder: string, { isShown = () => true, together = false }: CatalogOptions = {}): Plugin {
  return {
    name: 'parley-catalogs',
    resolveId: (id) => (id === listId || id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${listId}`) return listCatalogs(folder, together)
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const place = join(folder, id.slice(prefix.length + 1))
      const parts = together ? (await foldersOf(place)).map((part) => join(place, part)) : [place]
      const messages: Record<string, unknown> = {}
      for (const part of parts) {
        for (const file of await readdir(part)) this.addWatchFile(join(part, file))
        Object.assign(messages, await readCatalog(part, isShown))
      }
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))})`
    },
  }
}
