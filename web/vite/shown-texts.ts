import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { IsShown } from './catalogs.ts'

const ownImport = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g
const name = /['"]([a-z]+(?:\.\w+)+)['"]/g
/** Of an id that is made of a fixed beginning and a name, as in `history.${group}`. */
const beginning = /`([a-z]+(?:\.[A-Za-z]+)*\.)\$\{/g

/** Tells which texts a module, or any that it ever imports, may show: those whose ids stand in them. */
export function shownIn(entry: string): IsShown {
  const code = [...sourcesOf(entry)].join('\n')
  const names = new Set([...code.matchAll(name)].map(([, id]) => id))
  const beginnings = [...code.matchAll(beginning)].map(([, start = '']) => start)
  return (id) => names.has(id) || beginnings.some((start) => id.startsWith(start))
}

function sourcesOf(entry: string): Iterable<string> {
  const sources = new Map<string, string>()
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (sources.has(path) || !existsSync(path)) continue
    const code = readFileSync(path, 'utf8')
    sources.set(path, code)
    for (const [, neighbour = ''] of code.matchAll(ownImport)) open.push(join(dirname(path), neighbour))
  }
  return sources.values()
}
