import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableOf, tablePath } from './table.ts'

// Run by hand after a change of promises or of tests that are named: `node tests/spec/src/write.ts`.
const root = join(import.meta.dirname, '../../..')
writeFileSync(join(root, tablePath), tableOf(root))
