import { parseSync } from '@swc/core'

/** A test as its file has it: with templates such as `%s` unfilled. */
export interface TestTitle {
  readonly title: string
  /** The titles of the `describe`s around it, outermost first. */
  readonly within: readonly string[]
  /** False when it or something around it is skipped, to do, or only run under a condition. */
  readonly runs: boolean
}

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** What a call such as `describe.each(rows)` is a call of. */
interface Callee {
  readonly name: string
  /** What is read from it on the way, such as `each` or `skip`. */
  readonly members: readonly string[]
}

const groups = new Set(['describe', 'suite'])
const tests = new Set(['it', 'test'])
const conditions = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails'])

/**
 * The tests of a test file, in its order.
 * @throws Error when the text is no TypeScript
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

/** A call that makes a test or a group; null for any other. */
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

/** The names of an object literal's properties, `{ skip: true }` being an option of a test. */
const keysOf = (node: Node): string[] =>
  node.type === 'ObjectExpression'
    ? (node.properties as Node[]).map((property) => String((property.key as Node | undefined)?.value))
    : []
