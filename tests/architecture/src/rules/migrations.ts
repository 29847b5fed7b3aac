import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeRule } from '../rule.ts'

/** What takes something away that the version before may still read or write. */
const contracts =
  /\bdrop\s+(?:table|column|view|schema|type)\b|\brename\s+(?:to|column|constraint|attribute)\b|\brename\s+\w+\s+to\b/i
/** Such a statement's reason: the version that left it unused. */
const reason = /^--\s*contracts\s+\d+\.\d+\.\d+:\s*\S/

/** A migration runs while the version before still works on the same tables. */
const expandOnly: TreeRule = {
  name: 'migrations-expand',
  *check(tree) {
    for (const { files } of tree.workspaces) {
      for (const path of files) {
        if (!/\/migrations\/[^/]+\.sql$/.test(path)) continue
        for (const statement of contractingIn(readFileSync(join(tree.root, path), 'utf8')))
          yield { path, says: `has “${statement}” without a comment “-- contracts <version>: …” before it` }
      }
    }
  },
}

/** The lines that take something away, of statements that no comment above gives a reason for. */
function contractingIn(text: string): string[] {
  const found: string[] = []
  let hasReason = false
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line.startsWith('--')) hasReason ||= reason.test(line)
    else {
      if (contracts.test(line.replace(/--.*$/, '')) && !hasReason) found.push(line)
      // The reason holds to the end of its statement.
      if (line.endsWith(';')) hasReason = false
    }
  }
  return found
}

/** What migrations may do. */
export const migrationRules: readonly TreeRule[] = [expandOnly]
