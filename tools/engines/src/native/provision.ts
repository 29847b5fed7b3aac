import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readEngineConfig } from '../config.ts'

/** A file of an engine's recipe. */
export const recipeFile = (name: string): string => join(import.meta.dirname, '../recipes', name)

/**
 * A folder that is built once and kept for every later run: in `PARLEY_CACHE`, else `~/.cache/parley`. It is built beside its place and moved
 * there whole, so that an interrupted build leaves nothing half made and two runs may build it at once.
 * @param recipe what it is built from; another recipe has another folder
 * @throws whatever `build` throws
 */
export async function provision(
  name: string,
  recipe: readonly string[],
  build: (draft: string) => Promise<void>,
): Promise<string> {
  const cache = join(readEngineConfig().PARLEY_CACHE ?? join(homedir(), '.cache/parley'), 'engines')
  const place = join(cache, `${name}-${createHash('sha256').update(recipe.join('\0')).digest('hex').slice(0, 12)}`)
  if (existsSync(place)) return place
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${place}.`)
  try {
    await build(draft)
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Somebody else was faster: theirs is as good.
    if (!existsSync(place)) throw error
  }
  return place
}

/** The content of a recipe's files, by which `provision` tells it from another. */
export const readRecipe = (names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map((name) => readFile(recipeFile(name), 'utf8')))
