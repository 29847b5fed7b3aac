import type { Plan } from './planted-tree.ts'
import { libraryHomes } from './rules/libraries.ts'

interface Case {
  readonly rule: string
  readonly planted: string
  readonly plan: Plan
  /** Where the rule must report it; the first planted file by default. */
  readonly at?: string
}

const domain = 'services/alpha/src/thing.ts'
const importing = (path: string, specifier: string): Plan => ({ [path]: `export * from '${specifier}'\n` })
const inDomain = (text: string): Plan => ({ [domain]: `${text}\nexport const decide = (store: object) => store\n` })
const inStore = (text: string): Plan => ({
  'services/alpha/src/store/pg-thing-store.ts': `import pg from 'pg'\n${text}\n`,
})

/** A file that imports what it must not. */
const wrongImport = (rule: string, planted: string, path: string, imported: string): Case => ({
  rule,
  planted,
  plan: importing(path, imported),
})

const onPage = (text: string): Plan => ({ 'web/src/shared/a.tsx': `export const A = () => ${text}\n` })

/** A violation of each rule, or several. */
export const plantedCases: readonly Case[] = [
  { rule: 'texts-from-catalogs', planted: 'a page says a word of its own', plan: onPage('<p>Welcome back</p>') },
  { rule: 'texts-from-catalogs', planted: 'a label of its own', plan: onPage('<button aria-label="Close" />') },
  { rule: 'logical-css', planted: 'a class keeps to the left', plan: onPage('<p className="mt-2 md:pl-4" />') },
  { rule: 'logical-css', planted: 'a sheet keeps to the right', plan: { 'web/src/a.css': 'p { right: 0; }\n' } },
  wrongImport(
    'packages-in-order/contracts',
    'contracts imports the kit',
    'packages/contracts/src/more.ts',
    '@parley/kit',
  ),
  wrongImport('packages-in-order/contracts', 'contracts imports a library', 'packages/contracts/src/more.ts', 'react'),
  wrongImport('packages-in-order/kit', 'kit imports the bus', 'packages/kit/src/more.ts', '@parley/bus'),
  wrongImport('packages-in-order/engines', 'bus imports db', 'packages/bus/src/more.ts', '@parley/db'),
  wrongImport(
    'packages-in-order/documents',
    'documents imports the bus',
    'packages/documents/src/more.ts',
    '@parley/bus',
  ),
  wrongImport(
    'packages-in-order/fake-provider',
    'fake-provider imports a test builder',
    'packages/fake-provider/src/more.ts',
    '@parley/testing',
  ),
  wrongImport('packages-in-order/markdown', 'markdown imports the kit', 'packages/markdown/src/more.ts', '@parley/kit'),
  {
    rule: 'fake-provider-in-the-demo',
    planted: 'the domain answers in the place of a model',
    plan: inDomain("import '@parley/fake-provider'"),
  },
  {
    rule: 'tools-in-order/engines',
    planted: 'the engines need a test builder',
    plan: importing('tools/engines/src/more.ts', '@parley/testing'),
  },
  {
    rule: 'documents-behind-stores',
    planted: 'a route changes a document',
    plan: importing('services/alpha/src/routes/more.ts', '@parley/documents'),
  },
  {
    rule: 'packages-know-no-service',
    planted: 'db imports a service',
    plan: importing('packages/db/src/more.ts', '@parley/alpha'),
  },
  {
    rule: 'no-service-imports-a-service',
    planted: 'a type of another service',
    plan: {
      'services/beta/src/more.ts':
        "import type { createService } from '@parley/alpha'\nexport type More = typeof createService\n",
    },
  },
  {
    rule: 'services-by-their-exports',
    planted: 'all-in-one reaches into a service',
    plan: importing('services/all-in-one/src/more.ts', '@parley/alpha/inside'),
  },
  {
    rule: 'services-by-their-exports',
    planted: 'a launcher reaches into a service',
    plan: importing('tools/split/src/more.ts', '@parley/alpha/inside'),
  },
  {
    rule: 'services-know-no-screen',
    planted: 'a service imports the SPA',
    plan: { 'services/alpha/src/more.ts': "export const more = import('../../../web/src/features/history/list.ts')\n" },
  },
  {
    rule: 'sources-import-no-tests',
    planted: 'the domain uses a test builder',
    plan: inDomain("import '@parley/testing'"),
  },
  {
    rule: 'sources-import-no-tests',
    planted: 'a helper of tests in the browser',
    plan: { ...importing('web/src/shared/more.ts', '../testing/given.ts'), 'web/src/testing/given.ts': 'export {}\n' },
  },
  {
    rule: 'sources-import-no-tests',
    planted: 'a package opens engines for tests',
    plan: importing('packages/db/src/more.ts', '@parley/engines'),
  },
  {
    rule: 'no-cycle',
    planted: 'two files need each other',
    plan: {
      'packages/kit/src/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n",
      'packages/kit/src/b.ts': "import { a } from './a.ts'\nexport const b = () => a\n",
    },
  },
  {
    rule: 'no-cycle',
    planted: 'two files need types of each other',
    plan: {
      'packages/kit/src/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1\n",
      'packages/kit/src/b.ts': "import type { A } from './a.ts'\nexport type B = A[]\n",
    },
  },
  {
    rule: 'resolvable',
    planted: 'a file that is not there',
    plan: importing('packages/kit/src/more.ts', './missing.ts'),
  },
  {
    rule: 'main-is-the-top',
    planted: 'the composer starts a main',
    plan: importing('services/alpha/src/more.ts', './main.ts'),
  },
  {
    rule: 'service-is-wiring',
    planted: 'a route takes a type of the wiring',
    plan: {
      'services/alpha/src/routes/more.ts':
        "import type { createService } from '../service.ts'\nexport type More = typeof createService\n",
    },
  },
  {
    rule: 'routes-only-from-service',
    planted: 'the domain calls a route',
    plan: { 'services/alpha/src/more.ts': "export * from './routes/thing.ts'\n" },
  },
  {
    rule: 'consumers-only-from-service',
    planted: 'a route calls a consumer',
    plan: importing('services/alpha/src/routes/more.ts', '../consumers.ts'),
  },
  {
    rule: 'adapters-behind-ports',
    planted: 'a route opens an adapter',
    plan: importing('services/alpha/src/routes/more.ts', '../store/pg-thing-store.ts'),
  },
  {
    rule: 'adapters-behind-ports',
    planted: 'the domain uses a file in an engine’s folder',
    plan: {
      ...inDomain("import './store/mongo/things.ts'"),
      'services/alpha/src/store/mongo/things.ts': 'export const things = () => ({ size: 0 })\n',
      'services/alpha/contract/mongo.test.ts': "import '../src/store/mongo/things.ts'\n",
    },
  },
  {
    rule: 'adapters-behind-ports',
    planted: 'the wiring opens the stores',
    plan: {
      'services/alpha/src/service.ts':
        "import { openStores } from './store/index.ts'\nexport const createService = (deps: object) => [openStores, deps]\n",
    },
  },
  {
    rule: 'ports-name-no-engine',
    planted: 'a port extends its adapter',
    plan: importing('services/alpha/src/store/more-store.ts', './pg-thing-store.ts'),
  },
  {
    rule: 'config-only-from-the-top',
    planted: 'the domain imports the config',
    plan: inDomain("import './config.ts'"),
  },
  {
    rule: 'web-knows-contracts-and-markdown',
    planted: 'the SPA uses the kit',
    plan: importing('web/src/shared/more.ts', '@parley/kit'),
  },
  {
    rule: 'web-loads-no-schema',
    planted: 'a schema in the browser',
    plan: importing('web/src/shared/more.ts', '@parley/contracts'),
  },
  {
    rule: 'web-shared-is-lowest',
    planted: 'shared knows a feature',
    plan: importing('web/src/shared/more.ts', '../features/history/list.ts'),
  },
  {
    rule: 'web-feature-below-app',
    planted: 'a feature knows the app',
    plan: importing('web/src/features/history/more.ts', '../../app/main.tsx'),
  },
  {
    rule: 'web-feature-knows-no-feature',
    planted: 'chat imports history',
    plan: importing('web/src/features/chat/more.ts', '../history/list.ts'),
  },
  {
    rule: 'adapters-run-by-a-suite',
    planted: 'an adapter without a suite',
    plan: { 'services/alpha/src/store/memory-thing-store.ts': 'export const things = () => ({ size: 0 })\n' },
  },
  {
    rule: 'adapters-run-by-a-suite',
    planted: 'a folder of an engine without a suite',
    plan: { 'services/alpha/src/store/postgres/things.ts': 'export const things = () => ({ size: 0 })\n' },
  },
  {
    rule: 'adapters-run-by-a-suite',
    planted: 'a suite that is gone',
    plan: { 'services/alpha/contract/thing.test.ts': undefined },
    at: 'services/alpha/src/store/pg-thing-store.ts',
  },
  {
    rule: 'every-workspace-is-read',
    planted: 'a workspace without sources',
    plan: { 'packages/bus/src/index.ts': undefined },
    at: 'packages/bus',
  },
  { rule: 'short-files', planted: 'a main of 41 lines', plan: { 'services/alpha/src/main.ts': '\n'.repeat(41) } },
  { rule: 'short-files', planted: 'a file of 401 lines', plan: { 'packages/kit/src/more.ts': '\n'.repeat(401) } },
  {
    rule: 'readme-of-one-screen',
    planted: 'no README',
    plan: { 'services/beta/README.md': undefined },
    at: 'services/beta',
  },
  {
    rule: 'readme-of-one-screen',
    planted: 'a README of 81 lines',
    plan: { 'packages/kit/README.md': 'line\n'.repeat(81) },
  },
  {
    rule: 'documented-layout',
    planted: 'a service that is not defined',
    plan: { 'services/alpha/src/manifest.ts': undefined, 'services/alpha/src/main.ts': "import './service.ts'\n" },
    at: 'services/alpha',
  },
  {
    rule: 'documented-layout',
    planted: 'no test',
    plan: { 'services/alpha/test/api.test.ts': undefined },
    at: 'services/alpha',
  },
  {
    rule: 'documented-layout',
    planted: 'no migrations',
    plan: { 'services/alpha/migrations/001.sql': undefined },
    at: 'services/alpha',
  },
  {
    rule: 'imports-are-declared',
    planted: 'a library that package.json does not name',
    plan: {
      'packages/kit/src/more.ts': "import type { Left } from 'left-pad'\nexport type More = Left\n",
    },
  },
  {
    rule: 'no-relative-import-leaves-its-workspace',
    planted: 'a way round the package name',
    plan: importing('packages/testing/src/more.ts', '../../kit/src/index.ts'),
  },
  {
    rule: 'erasable-syntax-only',
    planted: 'an enum',
    plan: { 'packages/kit/src/more.ts': 'export enum Colour { Red }\n' },
  },
  {
    rule: 'erasable-syntax-only',
    planted: 'a namespace',
    plan: { 'packages/kit/src/more.ts': 'export namespace Colours { export const red = 1 }\n' },
  },
  {
    rule: 'erasable-syntax-only',
    planted: 'a decorator',
    plan: { 'packages/kit/src/more.ts': 'const seal = (_: unknown) => {}\n@seal\nexport class Box {}\n' },
  },
  {
    rule: 'erasable-syntax-only',
    planted: 'a parameter property',
    plan: { 'packages/kit/src/more.ts': 'export class Box { constructor(readonly size: number) {} }\n' },
  },
  {
    rule: 'no-default-export',
    planted: 'a default export',
    plan: { 'packages/kit/src/more.ts': 'export default 1\n' },
  },
  {
    rule: 'standard-terms',
    planted: 'a function with a private metaphor',
    plan: inDomain('export function sayFarewell() {}'),
  },
  {
    rule: 'standard-terms',
    planted: 'a parameter and a property with one',
    plan: inDomain('export type Keeper = { readonly letGo: (standing: number) => void }'),
  },
  {
    rule: 'standard-terms',
    planted: 'a file with one',
    plan: { 'packages/kit/src/port-office.test.ts': 'export const ports = 1\n' },
  },
  {
    rule: 'environment-in-config',
    planted: 'process.env in the domain',
    plan: inDomain('export const port = () => process.env.PORT'),
  },
  {
    rule: 'environment-in-config',
    planted: 'process.env in main',
    plan: {
      'services/alpha/src/main.ts': "import { alpha } from './manifest.ts'\nalpha.create(process.env)\n",
    },
  },
  {
    rule: 'environment-in-config',
    planted: 'env taken out of process',
    plan: inDomain('export const read = () => { const { env } = process; return env }'),
  },
  { rule: 'postgres-pools-at-home', planted: 'a pool', plan: inStore('export const open = () => new pg.Pool()') },
  {
    rule: 'services-are-listed-once',
    planted: 'the names of the services in an array',
    plan: { 'packages/kit/src/more.ts': "export const order = ['beta', 'alpha']\n" },
  },
  {
    rule: 'services-are-listed-once',
    planted: 'the names of the services as keys of a table',
    plan: { 'tools/split/src/more.ts': 'export const stages = { alpha: 1, beta: 2 }\n' },
  },
  {
    rule: 'migrations-expand',
    planted: 'a dropped column',
    plan: { 'services/alpha/migrations/002.sql': '-- Tidies.\nalter table things\n  drop column size;\n' },
  },
  {
    rule: 'migrations-expand',
    planted: 'a renamed table after one with a reason',
    plan: {
      'services/alpha/migrations/002.sql':
        '-- contracts 0.3.0: nobody reads it since.\ndrop table olds;\nalter table things rename to items;\n',
    },
  },
  { rule: 'loading-opens-nothing', planted: 'a pool', plan: inStore('export const pool = new pg.Pool()') },
  { rule: 'loading-opens-nothing', planted: 'a timer', plan: inDomain('setInterval(() => {}, 1000)') },
  { rule: 'loading-opens-nothing', planted: 'a signal handler', plan: inDomain("process.on('SIGTERM', () => {})") },
  {
    rule: 'loading-opens-nothing',
    planted: 'a cache of the module',
    plan: inDomain('export const seen = new Map<string, string>()'),
  },
  { rule: 'loading-opens-nothing', planted: 'a variable of the module', plan: inDomain('export let count = 0') },
  { rule: 'limits-say-what-they-are', planted: 'a bare 429', plan: inDomain("new AppError('cooldown', 'Wait')") },
  ...Object.entries(libraryHomes).map(([name, { libraries }]) => inWrongPlace(name, libraries.split('|')[0] ?? '')),
]

/** A library imported in the domain layer, where no library is allowed. */
function inWrongPlace(home: string, library: string): Case {
  return {
    rule: `library-at-home/${home}`,
    planted: `${library} in the domain`,
    plan: inDomain(`import '${library}'`),
  }
}
