// Copies the manifests from this folder into another: every package.json without devDependencies, and the lockfile.
// npm treats the dependencies of all workspaces as the product's, so development dependencies have to be removed beforehand.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [target] = process.argv.slice(2)
for (const path of globSync(['package.json', '{packages,services}/*/package.json'])) {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  mkdirSync(dirname(join(target, path)), { recursive: true })
  writeFileSync(join(target, path), JSON.stringify(manifest, null, 2))
}
for (const path of ['package-lock.json', '.npmrc']) cpSync(path, join(target, path))
