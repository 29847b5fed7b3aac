import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

/** Nodes whose contents run later, not while the module loads. */
const deferred = new Set([
  'FunctionExpression',
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'ClassMethod',
  'MethodProperty',
  'Constructor',
])
/** Calls that open a resource or start an ongoing activity. */
const opening =
  /^(open|start|listen|connect|create(Server|Pool|Connection|Socket|Client)|set(Interval|Timeout|Immediate)|spawn|fork|exec|run)/
/** Classes of standard modules and engines whose instances hold a socket, a timer or a process. */
const engines = new Set(['Pool', 'Client', 'Agent', 'Kafka', 'Redis', 'Worker', 'EventSource', 'WebSocket', 'Registry'])
/** Process-wide objects. */
const globals = new Set(['process'])
const harmless = new Set(['cwd', 'hrtime', 'memoryUsage', 'uptime'])

/** Entry points, which are started rather than imported. */
const isEntry = (path: string): boolean =>
  /^(services|tests)\/[^/]+\/src\/([^/]+\/)?(main|admin|dead-letters)\.ts$/.test(path)

/** Loading a module has no side effects: no socket, timer, process or signal handler, and no state shared by two instances. */
const opensNothing: TreeRule = {
  name: 'loading-opens-nothing',
  *check(tree) {
    for (const { kind, sources } of tree.workspaces) {
      if (kind !== 'package' && kind !== 'service') continue
      for (const { path, body } of sources) {
        if (isTestFile(path) || isEntry(path)) continue
        for (const says of body.flatMap(sideEffects)) yield { path, says }
      }
    }
  },
}

function sideEffects(statement: SyntaxNode): string[] {
  const found: string[] = []
  for (const node of walkNow(statement)) {
    const says = effectOf(node)
    if (says !== undefined) found.push(says)
  }
  return found
}

/** Like `walk`, but skips code that runs only when called. */
function* walkNow(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walkNow(item)
    return
  }
  if (value === null || typeof value !== 'object') return
  const node = value as SyntaxNode
  if (deferred.has(node.type)) return
  if (typeof node.type === 'string') yield node
  for (const field of Object.values(value)) yield* walkNow(field)
}

function effectOf(node: SyntaxNode): string | undefined {
  if (node.type === 'AwaitExpression') return 'waits while it loads'
  if (node.type === 'NewExpression') {
    const name = nameOf(node.callee)
    if (name !== undefined && engines.has(name)) return `makes a ${name} while it loads`
    return isEmptyCollection(node, name) ? 'keeps state in the module' : undefined
  }
  if (node.type === 'CallExpression') return effectOfCall(node)
  if (node.type === 'VariableDeclaration' && node.kind === 'let') return 'keeps state in the module'
  return undefined
}

/** A table is created with its rows; an empty collection is created to be filled, so it is state. */
const isEmptyCollection = (node: SyntaxNode, name: string | undefined): boolean =>
  /^(Weak)?(Map|Set)$/.test(name ?? '') && ((node.arguments as unknown[] | null) ?? []).length === 0

function effectOfCall(node: SyntaxNode): string | undefined {
  const callee = node.callee as SyntaxNode
  const name = nameOf(callee)
  if (name === undefined) return undefined
  const owner = callee.type === 'MemberExpression' ? nameOf(callee.object) : undefined
  if (owner !== undefined && globals.has(owner) && !harmless.has(name)) return `calls ${owner}.${name} while it loads`
  return opening.test(name) && !isSchemaCall(callee) ? `calls ${name} while it loads` : undefined
}

/** `z.string().startsWith(…)` only describes a schema. */
const isSchemaCall = (callee: SyntaxNode): boolean => [...walk(callee)].some((node) => nameOf(node) === 'z')

function nameOf(node: unknown): string | undefined {
  const { type, value, property } = node as { type?: string; value?: unknown; property?: unknown }
  if (type === 'Identifier' && typeof value === 'string') return value
  return type === 'MemberExpression' ? nameOf(property) : undefined
}

/** Rules on loading a module. */
export const factoryRules: readonly TreeRule[] = [opensNothing]
