import { errorCodes, errorStatus } from '@parley/contracts'
import { isTestFile, type TreeRule } from '../rule.ts'
import { type SyntaxNode, walk } from '../source.ts'

const limitCodes: ReadonlySet<string> = new Set(errorCodes.filter((code) => errorStatus[code] === 429))

/** Where a refusal by a limit is made, and where it has other headers: those of the APIs that programs know, and none on a socket. */
const allowed =
  /^(packages\/kit\/src\/limit\.ts|services\/llm-router\/src\/api\/limits\.ts|services\/realtime\/src\/.+)$/

/** `limitReached` says with each refusal by a limit what the limit is and when it starts anew. */
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

/** The code of an AppError that is made. */
function codeOf({ type, callee, arguments: given }: SyntaxNode): string | undefined {
  if (type !== 'NewExpression' || (callee as SyntaxNode).value !== 'AppError') return undefined
  const [first] = given as readonly { readonly expression: SyntaxNode }[]
  return first?.expression.type === 'StringLiteral' ? String(first.expression.value) : undefined
}

/** How requests are refused. */
export const refusalRules: readonly TreeRule[] = [limitsByOneFunction]
