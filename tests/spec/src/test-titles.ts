import { parseSync } from '@swc/core'

/** A test in its file; templates such as `%s` are unfilled. */
export interface TestTitle {
  readonly title: string
  /** Titles of the surrounding `describe`s, outermost first. */
  readonly within: readonly string[]
  /** False when it or a surrounding group is skipped, todo, or conditional. */
  readonly runs: boolean
}

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** The called function of a call such as `describe.each(rows)`. */
interface Callee {
  readonly name: string
  /** The members accessed on it, such as `each` or `skip`. */
  readonly members: readonly string[]
}

const groups = new Set(['describe', 'suite'])
const tests = new Set(['it', 'test'])
const conditions = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails'])

/**
 * The tests of a test file, in order.
 * @throws Error when the text is not TypeScript
 */
export function testTitlesOf(source: string): TestTitle[] {
  const module = parseSync(source, { syntax: 'typescript', tsx: false, target: 'es2022' })
  return [...found(module, { within: [], runs: true })]
}

interface Place {
  readonly within: readonly string[]
  readonly runs: boolean
}

function* found(value: unknown, place: Place): Generator<TestTitle> {
  if (Array.isArray(value)) {
    for (const item of value) yield* found(item, place)
    return
  }
  if (value === null || typeof value !== 'object') return
  const node = value as Node
  const call = node.type === 'CallExpression' ? readCall(node) : null
  if (call === null) {
    for (const field of Object.values(node)) yield* found(field, place)
    return
  }
  const runs = place.runs && call.runs
  if (call.isGroup) yield* found(call.rest, { within: [...place.within, call.title], runs })
  else yield { title: call.title, within: place.within, runs }
}

/** A call that registers a test or a group; null for any other. */
function readCall(node: Node) {
  const [first, ...rest] = node.arguments as { readonly expression: Node }[]
  const callee = calleeOf(node.callee as Node)
  const title = first === undefined ? null : literalOf(first.expression)
  if (callee === null || title === null) return null
  const isGroup = groups.has(callee.name)
  if (!isGroup && !tests.has(callee.name)) return null
  const optional = rest.some(({ expression }) => keysOf(expression).some((key) => conditions.has(key)))
  return { title, isGroup, rest, runs: !optional && !callee.members.some((member) => conditions.has(member)) }
}

function calleeOf(node: Node): Callee | null {
  if (node.type === 'Identifier') return { name: String(node.value), members: [] }
  if (node.type === 'CallExpression') return calleeOf(node.callee as Node)
  if (node.type === 'TaggedTemplateExpression') return calleeOf(node.tag as Node)
  if (node.type === 'TsInstantiation') return calleeOf(node.expression as Node)
  if (node.type !== 'MemberExpression') return null
  const object = calleeOf(node.object as Node)
  const member = (node.property as Node).value
  return object && { name: object.name, members: [...object.members, String(member)] }
}

function literalOf(node: Node): string | null {
  if (node.type === 'StringLiteral') return String(node.value)
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node.quasis as { readonly raw: string }[]
  return quasis.map(({ raw }) => raw).join('…')
}

/** Property names of an object literal, because `{ skip: true }` is an option of a test. */
const keysOf = (node: Node): string[] =>
  node.type === 'ObjectExpression'
    ? (node.properties as Node[]).map((property) => String((property.key as Node | undefined)?.value))
    : []
