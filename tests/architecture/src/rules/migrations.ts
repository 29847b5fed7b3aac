import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeRule } from '../rule.ts'

/** Statements that remove something the previous version may still read or write. */
const contracts =
  /\bdrop\s+(?:table|column|view|schema|type)\b|\brename\s+(?:to|column|constraint|attribute)\b|\brename\s+\w+\s+to\b/i
/** The comment that allows such a statement: the version that left the thing unused. */
const reason = /^--\s*contracts\s+\d+\.\d+\.\d+:\s*\S/

/** A migration runs while the previous version still uses the same tables. */
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

/** The lines with contracting statements that no preceding comment justifies. */
function contractingIn(text: string): string[] {
  const found: string[] = []
  let hasReason = false
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line.startsWith('--')) hasReason ||= reason.test(line)
    else {
      if (contracts.test(line.replace(/--.*$/, '')) && !hasReason) found.push(line)
      // The comment covers one statement.
      if (line.endsWith(';')) hasReason = false
    }
  }
  return found
}

/** Rules on migrations. */
export const migrationRules: readonly TreeRule[] = [expandOnly]
