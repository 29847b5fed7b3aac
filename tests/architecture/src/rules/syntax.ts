import { isTestFile, type TreeRule, type Violation } from '../rule.ts'
import { type Source, type SyntaxNode, walk } from '../source.ts'
import type { Tree } from '../tree.ts'

const sourcesOf = (tree: Tree): Source[] => tree.workspaces.flatMap((workspace) => workspace.sources)
/** Files that run in production. */
const running = (tree: Tree): Source[] => sourcesOf(tree).filter(({ path }) => !isTestFile(path))

type Finding = Omit<Violation, 'rule'>

function eachNode(sources: Source[], judge: (node: SyntaxNode) => string | undefined): Finding[] {
  const findings: Finding[] = []
  for (const { path, body } of sources) {
    for (const node of walk(body)) {
      const says = judge(node)
      if (says !== undefined) findings.push({ path, says })
    }
  }
  return findings
}

const banned: Readonly<Record<string, string>> = {
  TsEnumDeclaration: 'has an enum; a union of literals says the same',
  Decorator: 'has a decorator',
  TsParameterProperty: 'has a parameter property',
  TsModuleDeclaration: 'has a namespace',
  TsExportAssignment: 'has an `export =`',
}

const isDeclaredElsewhere = (node: SyntaxNode): boolean => node.type === 'TsModuleDeclaration' && node.declare === true

const erasableOnly: TreeRule = {
  name: 'erasable-syntax-only',
  check: (tree) => eachNode(sourcesOf(tree), (node) => (isDeclaredElsewhere(node) ? undefined : banned[node.type])),
}

const noDefaultExport: TreeRule = {
  name: 'no-default-export',
  check: (tree) =>
    eachNode(
      sourcesOf(tree).filter(({ path }) => !/\.(config|d)\.ts$/.test(path)),
      ({ type }) => (/^ExportDefault(Declaration|Expression)$/.test(type) ? 'has a default export' : undefined),
    ),
}

/** `process.env` and `import.meta.env`, by member or by destructuring. */
function readsEnvironment(node: SyntaxNode): string | undefined {
  const says = 'reads the environment; only config.ts does'
  if (node.type === 'MemberExpression' && isNamed(node.object, 'process') && isNamed(node.property, 'env')) return says
  const takesApart = node.type === 'VariableDeclarator' && (node.id as SyntaxNode).type === 'ObjectPattern'
  if (!takesApart || !isNamed(node.init, 'process')) return undefined
  const { properties } = node.id as unknown as { properties: { key?: unknown }[] }
  return properties.some(({ key }) => isNamed(key, 'env')) ? says : undefined
}

const isNamed = (node: unknown, name: string): boolean => (node as { value?: unknown } | undefined)?.value === name

const environmentInConfig: TreeRule = {
  name: 'environment-in-config',
  check: (tree) =>
    eachNode(
      running(tree).filter(({ path }) => !/\/config\.ts$/.test(path) && !path.endsWith('.config.ts')),
      readsEnvironment,
    ),
}

/** These files handle the loss of each connection, idle or in use; an unhandled loss would end the process. */
const poolHomes = ['packages/db/src/postgres.ts', 'packages/bus/src/postgres/pg-bus.ts']

/** `new pg.Pool()` and `new Pool()`. */
function opensPool(node: SyntaxNode): string | undefined {
  if (node.type !== 'NewExpression') return undefined
  const callee = node.callee as SyntaxNode
  const isPool = isNamed(callee, 'Pool') || isNamed(callee.property, 'Pool')
  return isPool ? `opens a pool of its own; ${poolHomes.join(' and ')} do` : undefined
}

const poolsAtHome: TreeRule = {
  name: 'postgres-pools-at-home',
  check: (tree) =>
    eachNode(
      running(tree).filter(
        ({ path, imports }) => !poolHomes.includes(path) && imports.some(({ specifier }) => specifier === 'pg'),
      ),
      opensPool,
    ),
}

/** Restrictions on TypeScript. */
export const syntaxRules: readonly TreeRule[] = [erasableOnly, noDefaultExport, environmentInConfig, poolsAtHome]
