import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

/** Where the services stand by name, and where they stand as they are defined. */
const lists = new Set(['packages/contracts/src/route.ts', 'services/all-in-one/src/services.ts'])
/** So many names are a list and no choice. */
const manyNames = 5

/** A second list of the services is one that a new service is forgotten in. */
const listedOnce: TreeRule = {
  name: 'services-are-listed-once',
  *check(tree) {
    const folders = tree.workspaces
      .filter(({ kind }) => kind === 'service')
      .map(({ dir }) => dir.replace('services/', ''))
    const services = new Set(folders.filter((name) => name !== 'all-in-one'))
    const least = Math.min(manyNames, services.size)
    for (const { path, body } of tree.workspaces.flatMap(({ sources }) => sources)) {
      if (isTestFile(path) || lists.has(path)) continue
      for (const node of walk(body)) {
        const named = new Set(wordsOf(node).filter((word) => services.has(word)))
        if (named.size >= least) yield { path, says: `lists ${[...named].join(', ')}` }
      }
    }
  },
}

/** The texts and names that stand directly in an array or an object that is written out. */
function wordsOf({ type, elements, properties }: SyntaxNode): string[] {
  if (type === 'ArrayExpression')
    return (elements as ({ expression: unknown } | null)[]).flatMap((element) => wordOf(element?.expression))
  if (type !== 'ObjectExpression') return []
  // A name alone stands for a key and its value.
  return (properties as { key?: unknown; value?: unknown }[]).flatMap((property) => [
    ...wordOf(property.key ?? property),
    ...wordOf(property.value),
  ])
}

function wordOf(node: unknown): string[] {
  const value = (node as { value?: unknown } | null | undefined)?.value
  return typeof value === 'string' ? [value] : []
}

/** What stands in one place. */
export const listRules: readonly TreeRule[] = [listedOnce]
