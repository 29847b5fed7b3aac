import { errorCodes, errorStatus } from '@parley/contracts'
import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

const limitCodes: ReadonlySet<string> = new Set(errorCodes.filter((code) => errorStatus[code] === 429))

/** Files with refusals by limits that have other headers: those of compatible APIs, and sockets, which have none. */
const allowed =
  /^(packages\/kit\/src\/http\/limit\.ts|services\/llm-router\/src\/api\/limits\.ts|services\/realtime\/src\/.+)$/

/** `limitReached` adds headers with the limit and its reset time to each refusal. */
const limitsByOneFunction: TreeRule = {
  name: 'limits-say-what-they-are',
  *check(tree) {
    for (const { path, body } of tree.workspaces.flatMap(({ sources }) => sources)) {
      if (isTestFile(path) || allowed.test(path)) continue
      for (const node of walk(body)) {
        const code = codeOf(node)
        if (code !== undefined && limitCodes.has(code)) yield { path, says: `refuses with ${code} past limitReached` }
      }
    }
  },
}

/** The code of an AppError under construction. */
function codeOf({ type, callee, arguments: given }: SyntaxNode): string | undefined {
  if (type !== 'NewExpression' || (callee as SyntaxNode).value !== 'AppError') return undefined
  const [first] = given as readonly { readonly expression: SyntaxNode }[]
  return first?.expression.type === 'StringLiteral' ? String(first.expression.value) : undefined
}

/** Rules on refusals. */
export const refusalRules: readonly TreeRule[] = [limitsByOneFunction]
