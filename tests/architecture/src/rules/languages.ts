import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'
import type { Workspace } from '../tree.ts'

const webOf = (workspaces: readonly Workspace[]): readonly Workspace[] =>
  workspaces.filter(({ kind }) => kind === 'web')

/** Attributes that people read or hear. */
const readAttributes = /^(aria-(label|description|roledescription|placeholder|valuetext)|title|placeholder|alt|label)$/
/** What is called the same in every language. */
const names: ReadonlySet<string> = new Set([
  'Parley',
  'CSV',
  'JSON',
  'Markdown',
  'PDF',
  'UTC',
  'curl',
  'Python',
  'Node.js',
])
const isWord = (text: string): boolean => /\p{L}{2,}/u.test(text) && !names.has(text.trim())

/** What a page says comes from the catalogs, which have it in every language. */
const textsFromCatalogs: TreeRule = {
  name: 'texts-from-catalogs',
  *check({ workspaces }) {
    for (const { path, body } of webOf(workspaces).flatMap(({ sources }) => sources)) {
      if (!path.endsWith('.tsx') || isTestFile(path)) continue
      for (const node of walk(body)) {
        const text = literalOf(node)
        if (text !== undefined && isWord(text)) yield { path, says: `shows “${text.trim()}” in English alone` }
      }
    }
  },
}

function literalOf(node: SyntaxNode): string | undefined {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type !== 'JSXAttribute') return undefined
  const [name, value] = [node.name as SyntaxNode, node.value as SyntaxNode | null]
  return readAttributes.test(String(name.value)) && value?.type === 'StringLiteral' ? String(value.value) : undefined
}

/** Utilities that keep to a side of the window, after their variants. */
const physicalUtility =
  /^-?((scroll-)?[mp][lr]|left|right)-(\d|\[|\(|auto|px|full)|^(rounded|border)-([lr]|[tb][lr])(-|$)|^(text|float|clear)-(left|right)$/
const physicalDeclaration =
  /(?:^|[\s;{])((?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear):\s*(?:left|right)/m

/** What keeps to a side for a reason that writing has no part in. */
const sameInEveryDirection: ReadonlyMap<string, readonly string[]> = new Map([
  // A ring that turns has no side.
  ['web/src/shared/ui/spinner.tsx', ['border-r-transparent']],
  // A box that is centred by moving it back by half of itself.
  ['web/src/app/styles.css', ['left']],
])

/** Layout keeps to the start and the end of a line, so that it is mirrored where writing begins at the right. */
const logicalCss: TreeRule = {
  name: 'logical-css',
  *check({ root, workspaces }) {
    for (const { sources, files } of webOf(workspaces)) {
      for (const { path, body } of sources) {
        if (!isTestFile(path)) yield* refuse(path, utilitiesIn(body))
      }
      for (const path of files) {
        if (!path.startsWith('web/src/') || !path.endsWith('.css')) continue
        const found = physicalDeclaration.exec(readFileSync(join(root, path), 'utf8'))
        if (found) yield* refuse(path, [(found[1] ?? found[0]).trim()])
      }
    }
  },
}

function* refuse(path: string, found: Iterable<string>): Generator<{ path: string; says: string }> {
  const allowed = sameInEveryDirection.get(path) ?? []
  for (const name of found) {
    if (!allowed.includes(name)) yield { path, says: `${name} is a side of the window: use start and end` }
  }
}

function* utilitiesIn(body: readonly SyntaxNode[]): Generator<string> {
  for (const node of walk(body)) {
    const text = node.type === 'StringLiteral' ? node.value : node.type === 'TemplateElement' ? node.cooked : undefined
    if (typeof text !== 'string') continue
    for (const word of text.split(/\s+/)) {
      const utility = word.slice(word.lastIndexOf(':') + 1)
      if (physicalUtility.test(utility)) yield utility
    }
  }
}

/** What every language of the interface needs. */
export const languageRules: readonly TreeRule[] = [textsFromCatalogs, logicalCss]
