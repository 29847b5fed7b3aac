import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

/** The lockfile paths at which Node looks for a package imported from another package's folder. */
function candidates(folder: string, name: string): string[] {
  const parts = folder.split('/node_modules/')
  const above = parts.map((_, nth) => parts.slice(0, parts.length - nth).join('/node_modules/'))
  return [...above.map((path) => `${path}/node_modules/${name}`), `node_modules/${name}`]
}

/** Optional dependencies missing from the lockfile, as `name, of its parent`: `npm ci` fails for each of them. */
const missingIn = ({ packages }: Lockfile): string[] =>
  Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !candidates(folder, name).some((path) => path in packages))
      .map((name) => `${name}, of ${folder}`),
  )

it('the lockfile has the binaries of every platform, not only of the machine that wrote it', () => {
  const lockfile: Lockfile = JSON.parse(read('package-lock.json'))
  expect(missingIn(lockfile)).toEqual([])
  const names = Object.keys(lockfile.packages)
  for (const platform of ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl', 'darwin-arm64']) {
    expect(names, platform).toContain(`node_modules/@tailwindcss/oxide-${platform}`)
  }
  expect(names).toContain('node_modules/@tailwindcss/oxide-win32-x64-msvc')
})

it('a lockfile without the binary of a platform is detected', () => {
  const parent = { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } }
  const packages = { 'node_modules/tool': parent, 'node_modules/tool/node_modules/tool-linux': {} }
  expect(missingIn({ packages })).toEqual(['tool-darwin, of node_modules/tool'])
})
