import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

/** The only lists: of service names, and of service definitions. */
const lists = new Set(['packages/contracts/src/route.ts', 'services/all-in-one/src/services.ts'])
/** This many service names make a list rather than a choice. */
const manyNames = 5

/** A second list of services is one in which a new service will be forgotten. */
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

/** The literals and identifiers directly inside an array or object literal. */
function wordsOf({ type, elements, properties }: SyntaxNode): string[] {
  if (type === 'ArrayExpression')
    return (elements as ({ expression: unknown } | null)[]).flatMap((element) => wordOf(element?.expression))
  if (type !== 'ObjectExpression') return []
  // A shorthand property is both key and value.
  return (properties as { key?: unknown; value?: unknown }[]).flatMap((property) => [
    ...wordOf(property.key ?? property),
    ...wordOf(property.value),
  ])
}

function wordOf(node: unknown): string[] {
  const value = (node as { value?: unknown } | null | undefined)?.value
  return typeof value === 'string' ? [value] : []
}

/** Rules on lists of services. */
export const listRules: readonly TreeRule[] = [listedOnce]
