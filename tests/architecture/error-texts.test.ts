import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isTestFile } from './src/rule.ts'
import { type SyntaxNode, walk } from './src/source.ts'
import { readTree } from './src/tree.ts'

const root = join(import.meta.dirname, '../..')
const german = JSON.parse(readFileSync(join(root, 'packages/kit/src/errors/error-texts/de.json'), 'utf8'))
const translated = new Set<string>(Object.keys(german))

/** Calls whose texts appear in refusals, either as the message or as the name of a thing. */
const refusing =
  /^(AppError|notFound|forbidden|limitReached|refused|refusedSignOn|signOnUnavailable|passwordRequired|fault|changedMeanwhile)$/
/** Validation rules of form fields. */
const fieldRules = /^(min|regex|email)$/
const said = (path: string): RegExp | undefined => {
  if (path === 'packages/contracts/src/auth/user.ts') return fieldRules
  // The public API answers in English, like the APIs it is compatible with.
  if (path.startsWith('services/llm-router/src/api/')) return undefined
  return /^(services\/[^/]+|packages\/kit)\/src\//.test(path) && !isTestFile(path) ? refusing : undefined
}

/** Refusals that the product's own pages cannot cause: those of hand-made requests and of calls between services. */
const forPrograms: ReadonlySet<string> = new Set([
  'API keys are for /api/v1 only',
  'An attachment has a dataUrl, an id or an http(s) url',
  'Another message was already sent under this clientMessageId',
  'Another request was already made with this Idempotency-Key',
  'Either continue an answer or make another version',
  'Either edit a message or regenerate an answer',
  'Malformed Idempotency-Key',
  'Malformed file id',
  'Not authenticated',
  'Not for this caller',
  'Nothing is held for this generation',
  'Parley isn’t served at this address. {0}',
  'Send the body without a content-encoding.',
  'The JSON is nested too deeply: at most {0} levels are read.',
  'The JSON is too large: at most {0} values are read.',
  'The body must be application/json in UTF-8',
  'The request’s headers are too large',
  'The earlier messages aren’t stored here. Please send the whole prompt.',
  'There is no such pattern',
  'This call takes no body',
  'This generation is over or belongs to someone else',
  'This isn’t allowed here',
  'This needs an API key',
  'This request came from another site. {0}',
  'Too many chats are open on this connection.',
  'Too many connections. Please close some tabs.',
  '“{0}” has no base64 data URL',
])

/** A literal text, with `{0}`, `{1}` for interpolated values. */
function textOf(node: SyntaxNode | undefined): string[] {
  if (node?.type === 'StringLiteral') return [String(node.value)]
  if (node?.type === 'ConditionalExpression') {
    return [...textOf(node.consequent as SyntaxNode), ...textOf(node.alternate as SyntaxNode)]
  }
  if (node?.type !== 'TemplateLiteral') return []
  const quasis = node.quasis as { readonly cooked: string }[]
  return [quasis.map(({ cooked }, at) => (at === 0 ? cooked : `{${at - 1}}${cooked}`)).join('')]
}

function nameOf(callee: SyntaxNode): string {
  const named = callee.type === 'MemberExpression' ? (callee.property as SyntaxNode) : callee
  return typeof named.value === 'string' ? named.value : ''
}

function* refusalsIn(body: readonly SyntaxNode[], calls: RegExp): Generator<string> {
  for (const node of walk(body)) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue
    if (!calls.test(nameOf(node.callee as SyntaxNode))) continue
    const given = (node.arguments ?? []) as { readonly expression: SyntaxNode }[]
    // Texts have a space or start with a capital; codes and field names do not.
    for (const { expression } of given) for (const text of textOf(expression)) if (/ |^[A-Z]/.test(text)) yield text
  }
}

it('every refusal that users can see has a text in each language, and no text belongs to a removed refusal', () => {
  const refusals = new Set<string>()
  const texts = new Set<string>()
  for (const { path, body } of readTree(root).workspaces.flatMap((workspace) => workspace.sources)) {
    const calls = said(path)
    const isRule = path.startsWith('packages/contracts/src/')
    if (calls === undefined && !isRule) continue
    if (calls !== undefined) for (const text of refusalsIn(body, calls)) refusals.add(text)
    for (const node of walk(body)) for (const text of textOf(node)) texts.add(text)
  }
  expect(refusals.size).toBeGreaterThan(100)
  expect([...refusals].filter((text) => !translated.has(text) && !forPrograms.has(text))).toEqual([])
  expect([...translated, ...forPrograms].filter((text) => !texts.has(text))).toEqual([])
})
