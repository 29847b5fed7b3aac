import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './files.ts'

/** `node tests/helm/src/write.ts`: writes what the chart has of the services' definitions and of `deploy/`. */
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(join(import.meta.dirname, '../../..', path), text)
  console.log(path)
}
