import { type Edge, edgesOf, forbiddenImports } from './import-rule.ts'
import type { Violation } from './rule.ts'
import { factoryRules } from './rules/factories.ts'
import { graphRuleNames, judgeGraph } from './rules/graph.ts'
import { languageRules } from './rules/languages.ts'
import { layoutRules } from './rules/layout.ts'
import { libraryRules } from './rules/libraries.ts'
import { migrationRules } from './rules/migrations.ts'
import { listRules } from './rules/one-list.ts'
import { refusalRules } from './rules/refusals.ts'
import { serviceLayerRules } from './rules/service-layers.ts'
import { syntaxRules } from './rules/syntax.ts'
import { webRules } from './rules/web.ts'
import { wordRules } from './rules/words.ts'
import { workspaceRules } from './rules/workspaces.ts'
import { readTree, type Tree } from './tree.ts'

const importRules = [...workspaceRules, ...serviceLayerRules, ...libraryRules, ...webRules]
const treeRules = [
  ...layoutRules,
  ...syntaxRules,
  ...factoryRules,
  ...migrationRules,
  ...listRules,
  ...wordRules,
  ...languageRules,
  ...refusalRules,
]

/** The names of all rules. */
export const ruleNames: readonly string[] = [
  ...importRules.map(({ name }) => name),
  ...graphRuleNames,
  ...treeRules.map(({ name }) => name),
]

/** A tree, its imports and its violations. */
export interface Verdict {
  readonly tree: Tree
  readonly edges: readonly Edge[]
  readonly violations: readonly Violation[]
}

/**
 * Checks the repository, or a small copy of one, against every rule.
 * @throws Error when a file cannot be read or parsed
 */
export function judge(root: string): Verdict {
  const tree = readTree(root)
  const sources = tree.workspaces.flatMap((workspace) => workspace.sources)
  const files = new Set(tree.workspaces.flatMap((workspace) => [...workspace.files]))
  const edges = edgesOf(sources, files, new Map(tree.workspaces.flatMap(({ entryPoints }) => [...entryPoints])))
  const violations = [
    ...importRules.flatMap((rule) => [...forbiddenImports(rule, edges)]),
    ...judgeGraph(edges, files),
    ...treeRules.flatMap((rule) => [...rule.check(tree)].map((violation) => ({ rule: rule.name, ...violation }))),
  ]
  return { tree, edges, violations }
}
