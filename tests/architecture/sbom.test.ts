import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('the SBOM of an image lists the installed libraries by package URL, licence and checksum', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-sbom-'))
  try {
    const integrity = `sha512-${Buffer.from([1, 2]).toString('base64')}`
    const packages = {
      '': { name: 'parley', version: '0.1.0' },
      'node_modules/@scope/here': { version: '1.2.3', license: 'MIT', integrity },
      'node_modules/elsewhere': { version: '2.0.0', license: 'ISC' },
      'node_modules/@parley/kit': { resolved: 'packages/kit', link: true },
      'packages/kit': { version: '0.1.0' },
    }
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ version: '0.1.0', packages }))
    for (const path of ['node_modules/@scope/here', 'node_modules/@parley/kit']) {
      mkdirSync(join(root, path), { recursive: true })
    }
    execFileSync(process.execPath, [
      join(import.meta.dirname, '../../deploy/sbom.mjs'),
      root,
      'parley-chat',
      'sbom.json',
    ])
    expect(JSON.parse(readFileSync(join(root, 'sbom.json'), 'utf8'))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'parley-chat', version: '0.1.0' } },
      components: [
        {
          name: '@scope/here',
          version: '1.2.3',
          purl: 'pkg:npm/%40scope/here@1.2.3',
          licenses: [{ license: { name: 'MIT' } }],
          hashes: [{ alg: 'SHA-512', content: '0102' }],
        },
      ],
    })
  } finally {
    rmSync(root, { recursive: true })
  }
})
