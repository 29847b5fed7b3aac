import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

/** Nodes whose inside runs later, not while the module loads. */
const deferred = new Set([
  'FunctionExpression',
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'ClassMethod',
  'MethodProperty',
  'Constructor',
])
/** Calls that open something or start something that goes on. */
const opening =
  /^(open|start|listen|connect|create(Server|Pool|Connection|Socket|Client)|set(Interval|Timeout|Immediate)|spawn|fork|exec|run)/
/** Classes of standard modules and engines whose instances hold a socket, a timer or a process. */
const engines = new Set(['Pool', 'Client', 'Agent', 'Kafka', 'Redis', 'Worker', 'EventSource', 'WebSocket', 'Registry'])
/** Objects that belong to the whole process. */
const globals = new Set(['process'])
const harmless = new Set(['cwd', 'hrtime', 'memoryUsage', 'uptime'])

/** Files that are started rather than imported. */
const isEntry = (path: string): boolean =>
  /^(services|tests)\/[^/]+\/src\/([^/]+\/)?(main|admin|dead-letters)\.ts$/.test(path)

/** Loading a module opens nothing: no socket, timer, process or signal handler, and no state that two copies would share. */
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

/** Like `walk`, but stays out of what runs only when it is called. */
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

/** A table is made with its rows; an empty collection is made to be filled. */
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

/** `z.string().startsWith(…)` only describes. */
const isSchemaCall = (callee: SyntaxNode): boolean => [...walk(callee)].some((node) => nameOf(node) === 'z')

function nameOf(node: unknown): string | undefined {
  const { type, value, property } = node as { type?: string; value?: unknown; property?: unknown }
  if (type === 'Identifier' && typeof value === 'string') return value
  return type === 'MemberExpression' ? nameOf(property) : undefined
}

/** What a module may do while it is loaded. */
export const factoryRules: readonly TreeRule[] = [opensNothing]
