import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableOf, tablePath } from './table.ts'

// Run it after changing requirements or named tests: `node tests/spec/src/write.ts`.
const root = join(import.meta.dirname, '../../..')
writeFileSync(join(root, tablePath), tableOf(root))
