// Writes an image's installed libraries, as in the lockfile, as a CycloneDX SBOM. `npm sbom` refuses a folder with a single workspace.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [root = '.', subject = 'parley', file = 'sbom.json'] = process.argv.slice(2)
const { version, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const prefix = 'node_modules/'

const components = Object.entries(packages)
  .filter(([path, { link }]) => path.includes(prefix) && !link && existsSync(join(root, path)))
  .map(([path, { version, license, integrity }]) => {
    const name = path.slice(path.lastIndexOf(prefix) + prefix.length)
    const [algorithm, digest] = integrity?.split('-') ?? []
    return {
      type: 'library',
      'bom-ref': path,
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(license && { licenses: [{ license: { name: license } }] }),
      ...(algorithm === 'sha512' && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
    }
  })

writeFileSync(
  join(root, file),
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: subject, version } },
    components,
  }),
)
