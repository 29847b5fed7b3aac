import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'
import type { Workspace } from '../tree.ts'

const webOf = (workspaces: readonly Workspace[]): readonly Workspace[] =>
  workspaces.filter(({ kind }) => kind === 'web')

/** Attributes shown or read out to users. */
const readAttributes = /^(aria-(label|description|roledescription|placeholder|valuetext)|title|placeholder|alt|label)$/
/** Names that are the same in every language. */
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

/** Texts of pages come from the catalogues, which have them in every language. */
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

/** Tailwind utilities for a physical side, after their variants. */
const physicalUtility =
  /^-?((scroll-)?[mp][lr]|left|right)-(\d|\[|\(|auto|px|full)|^(rounded|border)-([lr]|[tb][lr])(-|$)|^(text|float|clear)-(left|right)$/
const physicalDeclaration =
  /(?:^|[\s;{])((?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear):\s*(?:left|right)/m

/** Physical sides that do not depend on the writing direction. */
const sameInEveryDirection: ReadonlyMap<string, readonly string[]> = new Map([
  // A spinning ring has no side.
  ['web/src/shared/ui/spinner.tsx', ['border-r-transparent']],
  // Centred by an offset of half its own width.
  ['web/src/app/styles.css', ['left']],
])

/** Layout uses logical start and end, so that it is mirrored in right-to-left languages. */
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

/** Rules for an interface in several languages. */
export const languageRules: readonly TreeRule[] = [textsFromCatalogs, logicalCss]
