import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readSource, type Source } from './source.ts'

/** One npm workspace on disk. */
export interface Workspace {
  /** Folder relative to the root, such as `services/chat`. */
  readonly dir: string
  readonly kind: 'package' | 'service' | 'web' | 'tests' | 'tools'
  /** Names of all packages that its package.json allows it to import, including its own. */
  readonly declared: ReadonlySet<string>
  /** The file behind each name exported by its package.json, such as `@parley/chat/stores`. */
  readonly entryPoints: ReadonlyMap<string, string>
  /** Parsed TypeScript files. */
  readonly sources: readonly Source[]
  /** Paths of all files relative to the root, including TypeScript. */
  readonly files: ReadonlySet<string>
  /** Undefined without a README.md. */
  readonly readme: string | undefined
}

/** The whole repository as the rules see it. */
export interface Tree {
  readonly root: string
  readonly workspaces: readonly Workspace[]
}

const groups = [
  ['packages', 'package'],
  ['services', 'service'],
  ['tests', 'tests'],
  ['tools', 'tools'],
] as const
const skipped = new Set(['node_modules', 'dist', 'coverage', 'screens', '.turbo'])

/**
 * Reads and parses every workspace under a root.
 * @throws Error when a file cannot be parsed or a folder of workspaces is missing
 */
export function readTree(root: string): Tree {
  const workspaces = groups.flatMap(([folder, kind]) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, folder, entry.name, 'package.json')))
      .map((entry) => readWorkspace(root, `${folder}/${entry.name}`, kind)),
  )
  return { root, workspaces: [...workspaces, readWorkspace(root, 'web', 'web')] }
}

function readWorkspace(root: string, dir: string, kind: Workspace['kind']): Workspace {
  const files = filesUnder(join(root, dir)).map((path) => relative(root, path).split(sep).join('/'))
  const manifest = JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')) as Manifest
  const readme = join(root, dir, 'README.md')
  return {
    dir,
    kind,
    declared: declaredPackages(manifest),
    entryPoints: entryPointsOf(dir, manifest),
    sources: files.filter((path) => /\.tsx?$/.test(path)).map((path) => readSource(root, path)),
    files: new Set(files),
    readme: existsSync(readme) ? readFileSync(readme, 'utf8') : undefined,
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : [path]
    })
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const declaredPackages = ({ name, dependencies = {}, devDependencies = {} }: Manifest): Set<string> =>
  new Set([name, ...Object.keys(dependencies), ...Object.keys(devDependencies)])

const entryPointsOf = (dir: string, { name, exports = {} }: Manifest): Map<string, string> =>
  new Map(Object.entries(exports).map(([subpath, file]) => [name + subpath.slice(1), dir + file.slice(1)]))
