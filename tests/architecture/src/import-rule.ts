import type { Violation } from './rule.ts'
import type { Source } from './source.ts'

/** Patterns of paths relative to the root; libraries are `node_modules/<name>/`. `$1` refers to the first group of `from.path`. */
export interface ImportRule {
  readonly name: string
  readonly comment: string
  readonly from: { readonly path: string; readonly pathNot?: string }
  readonly to: { readonly path: string; readonly pathNot?: string; readonly typesAllowed?: boolean }
}

/** One import in one file. */
export interface Edge {
  readonly from: string
  /** A path relative to the root, `node_modules/<name>/` for a library, or undefined when it cannot be resolved. */
  readonly to: string | undefined
  readonly specifier: string
  readonly typeOnly: boolean
}

/** The imports forbidden by a rule. */
export function* forbiddenImports(rule: ImportRule, edges: readonly Edge[]): Generator<Violation> {
  const from = new RegExp(rule.from.path)
  const fromNot = pattern(rule.from.pathNot, '')
  for (const edge of edges) {
    const group = from.exec(edge.from)
    if (group === null || fromNot.test(edge.from) || edge.to === undefined) continue
    if (rule.to.typesAllowed === true && edge.typeOnly) continue
    const forbidden = pattern(rule.to.path, group[1]).test(edge.to) && !pattern(rule.to.pathNot, group[1]).test(edge.to)
    if (forbidden) yield { rule: rule.name, path: edge.from, says: `imports ${edge.to}: ${rule.comment}` }
  }
}

/** A missing pattern matches nothing. */
const pattern = (text: string | undefined, group: string | undefined): RegExp =>
  new RegExp(text?.replaceAll('$1', group ?? '') ?? '(?!)')

/** Resolves the imports of the files; `entryPoints` maps each name exported by a workspace to its file. */
export function edgesOf(
  sources: readonly Source[],
  files: ReadonlySet<string>,
  entryPoints: ReadonlyMap<string, string>,
): Edge[] {
  return sources.flatMap(({ path, imports }) =>
    imports.map(({ specifier, typeOnly }) => ({
      from: path,
      to: resolve(path, specifier, files, entryPoints),
      specifier,
      typeOnly,
    })),
  )
}

function resolve(
  from: string,
  specifier: string,
  files: ReadonlySet<string>,
  entryPoints: ReadonlyMap<string, string>,
): string | undefined {
  if (/^(node|virtual):/.test(specifier)) return specifier
  if (specifier.startsWith('.')) {
    const path = new URL(specifier, `file:///${from}`).pathname.slice(1)
    return files.has(path) ? path : undefined
  }
  if (specifier.startsWith('@parley/')) return entryPoints.get(specifier)
  return `node_modules/${specifier}/`
}
