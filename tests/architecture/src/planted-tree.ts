import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files by path; `undefined` removes a file of the valid tree. */
export type Plan = Readonly<Record<string, string | undefined>>

const libraries = ['pg', 'express', 'zod', 'nodemailer', 'react']
const packages = ['contracts', 'kit', 'bus', 'cache', 'db', 'documents', 'fake-provider', 'markdown', 'testing']
const services = ['alpha', 'beta', 'all-in-one']
const tools = ['engines']

const manifest = (name: string, exports: Record<string, string>): string =>
  JSON.stringify({
    name: `@parley/${name}`,
    type: 'module',
    exports,
    dependencies: Object.fromEntries(
      [...libraries, ...[...packages, ...services, ...tools].map((other) => `@parley/${other}`)].map((other) => [
        other,
        '*',
      ]),
    ),
  })

const packageFiles = (name: string): Plan => ({
  [`packages/${name}/package.json`]: manifest(name, { '.': './src/index.ts', './constants': './src/constants.ts' }),
  [`packages/${name}/README.md`]: `# ${name}\n`,
  [`packages/${name}/src/index.ts`]: `export const name = '${name}'\n`,
})

const serviceFiles = (name: string): Plan => ({
  [`services/${name}/package.json`]: manifest(name, {
    '.': './src/manifest.ts',
    './inside': './src/thing.ts',
  }),
  [`services/${name}/README.md`]: `# ${name}\n`,
  [`services/${name}/src/main.ts`]: `import { ${name} } from './manifest.ts'\nprocess.on('SIGTERM', () => {})\n${name}.create()\n`,
  [`services/${name}/src/manifest.ts`]: `import { config } from './config.ts'\nimport { createService } from './service.ts'\nimport { openStores } from './store/index.ts'\nexport const ${name} = { create: () => createService({ config, ...openStores() }) }\n`,
  [`services/${name}/src/config.ts`]: `export const config = { port: process.env.PORT }\n`,
  [`services/${name}/src/service.ts`]: `import express from 'express'\nimport { subscribe } from './consumers.ts'\nimport { addRoutes } from './routes/thing.ts'\nexport const createService = (deps: object) => [express, addRoutes, subscribe, deps]\n`,
  [`services/${name}/src/consumers.ts`]: `import { decide } from './thing.ts'\nexport const subscribe = decide\n`,
  [`services/${name}/src/routes/thing.ts`]: `import { decide } from '../thing.ts'\nexport const addRoutes = decide\n`,
  [`services/${name}/src/thing.ts`]: `import type { ThingStore } from './store/thing-store.ts'\nexport const decide = (store: ThingStore) => store\n`,
  [`services/${name}/src/store/thing-store.ts`]: `export interface ThingStore { readonly size: number }\n`,
  [`services/${name}/src/store/pg-thing-store.ts`]: `import pg from 'pg'\nimport type { ThingStore } from './thing-store.ts'\nexport const openThings = (): ThingStore & object => ({ size: 0, pg })\n`,
  [`services/${name}/src/store/index.ts`]: `import { openThings } from './pg-thing-store.ts'\nexport const openStores = () => ({ things: openThings() })\n`,
  [`services/${name}/contract/thing.test.ts`]: `import '../src/store/index.ts'\n`,
  [`services/${name}/test/api.test.ts`]: `import '@parley/testing'\nimport '../src/service.ts'\n`,
  [`services/${name}/migrations/001.sql`]: 'select 1;\n',
})

const soundTree: Plan = {
  ...Object.assign({}, ...packages.map(packageFiles)),
  'packages/contracts/src/constants.ts': 'export const limit = 1\n',
  ...serviceFiles('alpha'),
  ...serviceFiles('beta'),
  'services/all-in-one/package.json': manifest('all-in-one', { '.': './src/compose.ts' }),
  'services/all-in-one/README.md': '# all-in-one\n',
  'services/all-in-one/src/main.ts': "import './compose.ts'\nimport './config.ts'\n",
  'services/all-in-one/src/config.ts': 'export const config = process.env\n',
  'services/all-in-one/src/compose.ts': "import { alpha } from '@parley/alpha'\nexport const compose = alpha.create\n",
  'services/all-in-one/test/compose.test.ts': "import '../src/compose.ts'\n",
  'tests/e2e/package.json': manifest('e2e', {}),
  'tests/e2e/README.md': '# e2e\n',
  'tests/e2e/src/chat.test.ts': "import '@parley/all-in-one'\n",
  'tools/engines/package.json': manifest('engines', { '.': './src/index.ts' }),
  'tools/engines/README.md': '# engines\n',
  'tools/engines/src/index.ts': "export const name = 'engines'\n",
  'tools/split/package.json': manifest('split', {}),
  'tools/split/README.md': '# split\n',
  'tools/split/src/split.ts': "import '@parley/alpha'\n",
  'web/package.json': manifest('web', {}),
  'web/README.md': '# web\n',
  'web/src/app/main.tsx': "import { Chat } from '../features/chat/chat.tsx'\nexport const App = () => <Chat />\n",
  'web/src/features/chat/chat.tsx':
    "import type { contracts } from '@parley/contracts'\nimport { limit } from '@parley/contracts/constants'\nimport { Button } from '../../shared/button.tsx'\nexport const Chat = () => <Button limit={limit as never as typeof contracts} />\n",
  'web/src/features/history/list.ts': 'export const list = []\n',
  'web/src/shared/button.tsx': 'export const Button = (props: object) => <button {...props} />\n',
}

/** A small valid repository in a temporary folder, with files planted in it. Dispose of it to delete the folder. */
export function plantTree(plan: Plan = {}): Disposable & { readonly root: string } {
  const root = mkdtempSync(join(tmpdir(), 'parley-architecture-'))
  for (const [path, text] of Object.entries({ ...soundTree, ...plan })) {
    if (text !== undefined) write(root, path, text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
