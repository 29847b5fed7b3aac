import type { TreeRule } from '../rule.ts'
import type { Workspace } from '../tree.ts'

const longestFile = 400
const longestMain = 40
const longestReadme = 80

const everyFileRead: TreeRule = {
  name: 'every-workspace-is-read',
  *check(tree) {
    for (const { dir, sources } of tree.workspaces) {
      if (sources.length === 0) yield { path: dir, says: 'has no TypeScript file; nothing in it could be judged' }
    }
  },
}

const shortFiles: TreeRule = {
  name: 'short-files',
  *check(tree) {
    for (const { path, lines } of tree.workspaces.flatMap(({ sources }) => sources)) {
      const limit = path.endsWith('/src/main.ts') && path.startsWith('services/') ? longestMain : longestFile
      if (lines > limit) yield { path, says: `has ${lines} lines of at most ${limit}` }
    }
  },
}

const readmes: TreeRule = {
  name: 'readme-of-one-screen',
  *check(tree) {
    for (const { dir, readme } of tree.workspaces) {
      const lines = readme?.trimEnd().split('\n').length
      if (lines === undefined) yield { path: dir, says: 'has no README.md' }
      else if (lines > longestReadme)
        yield { path: `${dir}/README.md`, says: `has ${lines} lines of at most ${longestReadme}` }
    }
  },
}

/** The layout of every service; the one that composes the others has its own. */
const documentedLayout: TreeRule = {
  name: 'documented-layout',
  *check(tree) {
    for (const workspace of tree.workspaces) {
      if (workspace.kind !== 'service') continue
      for (const says of missingParts(workspace)) yield { path: workspace.dir, says }
    }
  },
}

function missingParts({ dir, files }: Workspace): string[] {
  const composer = dir === 'services/all-in-one'
  const must = composer
    ? ['src/main.ts', 'src/config.ts', 'src/compose.ts']
    : ['src/main.ts', 'src/manifest.ts', 'src/service.ts']
  const missing = must.filter((path) => !files.has(`${dir}/${path}`)).map((path) => `has no ${path}`)
  const under = (folder: string) => [...files].filter((path) => path.startsWith(`${dir}/${folder}/`))
  if (!under('test').some((path) => path.endsWith('.test.ts'))) missing.push('has no test under test/')
  if (under('src/store').length > 0) {
    if (!files.has(`${dir}/src/store/index.ts`)) missing.push('has no src/store/index.ts')
    if (under('migrations').length === 0) missing.push('stores something and has no migrations/*.sql')
  }
  return missing
}

/** An import is allowed only if the importing workspace's package.json declares it. */
const declaredImports: TreeRule = {
  name: 'imports-are-declared',
  *check(tree) {
    for (const { declared, sources } of tree.workspaces) {
      for (const { path, imports } of sources) {
        for (const name of imports.map(({ specifier }) => packageOf(specifier))) {
          if (name === undefined || declared.has(name)) continue
          const hasTypes = declared.has(`@types/${name}`)
          if (!hasTypes || !(path.endsWith('.d.ts') || fromItsProgram.has(name)))
            yield { path, says: `imports ${name}, which its package.json does not name` }
        }
      }
    }
  },
}

/** Modules provided by the program that runs a script; only their types are installed. */
const fromItsProgram = new Set(['k6'])

/** Provided by the root's package.json to every workspace: the test runner. */
const fromTheRoot = new Set(['vitest', 'vite'])

function packageOf(specifier: string): string | undefined {
  if (/^(\.|\/|node:|virtual:)/.test(specifier)) return undefined
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  return fromTheRoot.has(name) ? undefined : name
}

/** A relative import out of its workspace would bypass package.json and every rule based on it. */
const noWayRound: TreeRule = {
  name: 'no-relative-import-leaves-its-workspace',
  *check(tree) {
    for (const { dir, sources } of tree.workspaces) {
      for (const { path, imports } of sources) {
        for (const name of imports.map(({ specifier }) => specifier)) {
          if (!name.startsWith('.')) continue
          const target = new URL(name, `file:///${path}`).pathname.slice(1)
          if (!target.startsWith(`${dir}/`)) yield { path, says: `imports ${name} from outside ${dir}` }
        }
      }
    }
  },
}

/** Rules on the files of every workspace. */
export const layoutRules: readonly TreeRule[] = [
  everyFileRead,
  shortFiles,
  readmes,
  documentedLayout,
  declaredImports,
  noWayRound,
]
