import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readEngineConfig } from '../config.ts'

/** A file of an engine's recipe. */
export const recipeFile = (name: string): string => join(import.meta.dirname, '../recipes', name)

/**
 * A folder that is built once and cached for later runs, in `PARLEY_CACHE` or else `~/.cache/parley`. It is built in a temporary folder and moved
 * atomically, so that an interrupted build leaves nothing incomplete and concurrent builds are safe.
 * @param recipe the input of the build, which determines the folder
 * @throws the error of `build`
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
    // A concurrent build has finished first; use that one.
    if (!existsSync(place)) throw error
  }
  return place
}

/** The contents of a recipe's files, the cache key of `provision`. */
export const readRecipe = (names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map((name) => readFile(recipeFile(name), 'utf8')))
