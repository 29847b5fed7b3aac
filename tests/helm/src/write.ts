import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './files.ts'

/** `node tests/helm/src/write.ts`: writes the files derived from the service definitions and from `deploy/`. */
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(join(import.meta.dirname, '../../..', path), text)
  console.log(path)
}
