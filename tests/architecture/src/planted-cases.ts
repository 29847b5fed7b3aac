import type { Plan } from './planted-tree.ts'
import { libraryHomes } from './rules/libraries.ts'

/** What is planted, and where the rule must report it: by default at the first planted file. */
type Planted = Plan | readonly [plan: Plan, at: string]

const domain = 'services/alpha/src/thing.ts'
const importing = (path: string, specifier: string): Plan => ({ [path]: `export * from '${specifier}'\n` })
const inDomain = (text: string): Plan => ({ [domain]: `${text}\nexport const decide = (store: object) => store\n` })
const inStore = (text: string): Plan => ({
  'services/alpha/src/store/pg-thing-store.ts': `import pg from 'pg'\n${text}\n`,
})

const onPage = (text: string): Plan => ({ 'web/src/shared/a.tsx': `export const A = () => ${text}\n` })

/** Violations by the rule that they break, each with its title. */
const violations: Readonly<Record<string, Readonly<Record<string, Planted>>>> = {
  'texts-from-catalogs': {
    'a page says a word of its own': onPage('<p>Welcome back</p>'),
    'a label of its own': onPage('<button aria-label="Close" />'),
  },
  'logical-css': {
    'a class keeps to the left': onPage('<p className="mt-2 md:pl-4" />'),
    'a sheet keeps to the right': { 'web/src/a.css': 'p { right: 0; }\n' },
  },
  'packages-in-order/contracts': {
    'contracts imports the kit': importing('packages/contracts/src/more.ts', '@parley/kit'),
    'contracts imports a library': importing('packages/contracts/src/more.ts', 'react'),
  },
  'packages-in-order/kit': {
    'kit imports the bus': importing('packages/kit/src/more.ts', '@parley/bus'),
  },
  'packages-in-order/engines': {
    'bus imports db': importing('packages/bus/src/more.ts', '@parley/db'),
  },
  'packages-in-order/documents': {
    'documents imports the bus': importing('packages/documents/src/more.ts', '@parley/bus'),
  },
  'packages-in-order/fake-provider': {
    'fake-provider imports a test builder': importing('packages/fake-provider/src/more.ts', '@parley/testing'),
  },
  'packages-in-order/markdown': {
    'markdown imports the kit': importing('packages/markdown/src/more.ts', '@parley/kit'),
  },
  'fake-provider-in-the-demo': {
    'the domain answers in the place of a model': inDomain("import '@parley/fake-provider'"),
  },
  'tools-in-order/engines': {
    'the engines need a test builder': importing('tools/engines/src/more.ts', '@parley/testing'),
  },
  'documents-behind-stores': {
    'a route changes a document': importing('services/alpha/src/routes/more.ts', '@parley/documents'),
  },
  'packages-know-no-service': {
    'db imports a service': importing('packages/db/src/more.ts', '@parley/alpha'),
  },
  'no-service-imports-a-service': {
    'a type of another service': {
      'services/beta/src/more.ts':
        "import type { createService } from '@parley/alpha'\nexport type More = typeof createService\n",
    },
  },
  'services-by-their-exports': {
    'all-in-one reaches into a service': importing('services/all-in-one/src/more.ts', '@parley/alpha/inside'),
    'a launcher reaches into a service': importing('tools/split/src/more.ts', '@parley/alpha/inside'),
  },
  'services-know-no-screen': {
    'a service imports the SPA': {
      'services/alpha/src/more.ts': "export const more = import('../../../web/src/features/history/list.ts')\n",
    },
  },
  'sources-import-no-tests': {
    'the domain uses a test builder': inDomain("import '@parley/testing'"),
    'a helper of tests in the browser': {
      ...importing('web/src/shared/more.ts', '../testing/given.ts'),
      'web/src/testing/given.ts': 'export {}\n',
    },
    'a package opens engines for tests': importing('packages/db/src/more.ts', '@parley/engines'),
  },
  'no-cycle': {
    'two files need each other': {
      'packages/kit/src/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n",
      'packages/kit/src/b.ts': "import { a } from './a.ts'\nexport const b = () => a\n",
    },
    'two files need types of each other': {
      'packages/kit/src/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1\n",
      'packages/kit/src/b.ts': "import type { A } from './a.ts'\nexport type B = A[]\n",
    },
  },
  resolvable: {
    'a file that is not there': importing('packages/kit/src/more.ts', './missing.ts'),
  },
  'main-is-the-top': {
    'the composer starts a main': importing('services/alpha/src/more.ts', './main.ts'),
  },
  'service-is-wiring': {
    'a route takes a type of the wiring': {
      'services/alpha/src/routes/more.ts':
        "import type { createService } from '../service.ts'\nexport type More = typeof createService\n",
    },
  },
  'routes-only-from-service': {
    'the domain calls a route': { 'services/alpha/src/more.ts': "export * from './routes/thing.ts'\n" },
  },
  'consumers-only-from-service': {
    'a route calls a consumer': importing('services/alpha/src/routes/more.ts', '../consumers.ts'),
  },
  'adapters-behind-ports': {
    'a route opens an adapter': importing('services/alpha/src/routes/more.ts', '../store/pg-thing-store.ts'),
    'the domain uses a file in an engine’s folder': {
      ...inDomain("import './store/mongo/things.ts'"),
      'services/alpha/src/store/mongo/things.ts': 'export const things = () => ({ size: 0 })\n',
      'services/alpha/contract/mongo.test.ts': "import '../src/store/mongo/things.ts'\n",
    },
    'the wiring opens the stores': {
      'services/alpha/src/service.ts':
        "import { openStores } from './store/index.ts'\nexport const createService = (deps: object) => [openStores, deps]\n",
    },
  },
  'ports-name-no-engine': {
    'a port extends its adapter': importing('services/alpha/src/store/more-store.ts', './pg-thing-store.ts'),
  },
  'config-only-from-the-top': {
    'the domain imports the config': inDomain("import './config.ts'"),
  },
  'web-knows-contracts-and-markdown': {
    'the SPA uses the kit': importing('web/src/shared/more.ts', '@parley/kit'),
  },
  'web-loads-no-schema': {
    'a schema in the browser': importing('web/src/shared/more.ts', '@parley/contracts'),
  },
  'web-shared-is-lowest': {
    'shared knows a feature': importing('web/src/shared/more.ts', '../features/history/list.ts'),
  },
  'web-feature-below-app': {
    'a feature knows the app': importing('web/src/features/history/more.ts', '../../app/main.tsx'),
  },
  'web-feature-knows-no-feature': {
    'chat imports history': importing('web/src/features/chat/more.ts', '../history/list.ts'),
  },
  'adapters-run-by-a-suite': {
    'an adapter without a suite': {
      'services/alpha/src/store/memory-thing-store.ts': 'export const things = () => ({ size: 0 })\n',
    },
    'a folder of an engine without a suite': {
      'services/alpha/src/store/postgres/things.ts': 'export const things = () => ({ size: 0 })\n',
    },
    'a suite that is gone': [
      { 'services/alpha/contract/thing.test.ts': undefined },
      'services/alpha/src/store/pg-thing-store.ts',
    ],
  },
  'every-workspace-is-read': {
    'a workspace without sources': [{ 'packages/bus/src/index.ts': undefined }, 'packages/bus'],
  },
  'short-files': {
    'a main of 41 lines': { 'services/alpha/src/main.ts': '\n'.repeat(41) },
    'a file of 401 lines': { 'packages/kit/src/more.ts': '\n'.repeat(401) },
  },
  'readme-of-one-screen': {
    'no README': [{ 'services/beta/README.md': undefined }, 'services/beta'],
    'a README of 81 lines': { 'packages/kit/README.md': 'line\n'.repeat(81) },
  },
  'documented-layout': {
    'a service that is not defined': [
      { 'services/alpha/src/manifest.ts': undefined, 'services/alpha/src/main.ts': "import './service.ts'\n" },
      'services/alpha',
    ],
    'no test': [{ 'services/alpha/test/api.test.ts': undefined }, 'services/alpha'],
    'no migrations': [{ 'services/alpha/migrations/001.sql': undefined }, 'services/alpha'],
  },
  'imports-are-declared': {
    'a library that package.json does not name': {
      'packages/kit/src/more.ts': "import type { Left } from 'left-pad'\nexport type More = Left\n",
    },
  },
  'no-relative-import-leaves-its-workspace': {
    'a way round the package name': importing('packages/testing/src/more.ts', '../../kit/src/index.ts'),
  },
  'erasable-syntax-only': {
    'an enum': { 'packages/kit/src/more.ts': 'export enum Colour { Red }\n' },
    'a namespace': { 'packages/kit/src/more.ts': 'export namespace Colours { export const red = 1 }\n' },
    'a decorator': { 'packages/kit/src/more.ts': 'const seal = (_: unknown) => {}\n@seal\nexport class Box {}\n' },
    'a parameter property': {
      'packages/kit/src/more.ts': 'export class Box { constructor(readonly size: number) {} }\n',
    },
  },
  'no-default-export': {
    'a default export': { 'packages/kit/src/more.ts': 'export default 1\n' },
  },
  'standard-terms': {
    'a function with a private metaphor': inDomain('export function sayFarewell() {}'),
    'a parameter and a property with one': inDomain(
      'export type Keeper = { readonly letGo: (standing: number) => void }',
    ),
    'a file with one': { 'packages/kit/src/port-office.test.ts': 'export const ports = 1\n' },
  },
  'environment-in-config': {
    'process.env in the domain': inDomain('export const port = () => process.env.PORT'),
    'process.env in main': {
      'services/alpha/src/main.ts': "import { alpha } from './manifest.ts'\nalpha.create(process.env)\n",
    },
    'env taken out of process': inDomain('export const read = () => { const { env } = process; return env }'),
  },
  'postgres-pools-at-home': {
    'a pool': inStore('export const open = () => new pg.Pool()'),
  },
  'services-are-listed-once': {
    'the names of the services in an array': { 'packages/kit/src/more.ts': "export const order = ['beta', 'alpha']\n" },
    'the names of the services as keys of a table': {
      'tools/split/src/more.ts': 'export const stages = { alpha: 1, beta: 2 }\n',
    },
  },
  'migrations-expand': {
    'a dropped column': {
      'services/alpha/migrations/002.sql': '-- Tidies.\nalter table things\n  drop column size;\n',
    },
    'a renamed table after one with a reason': {
      'services/alpha/migrations/002.sql':
        '-- contracts 0.3.0: nobody reads it since.\ndrop table olds;\nalter table things rename to items;\n',
    },
  },
  'loading-opens-nothing': {
    'a pool': inStore('export const pool = new pg.Pool()'),
    'a timer': inDomain('setInterval(() => {}, 1000)'),
    'a signal handler': inDomain("process.on('SIGTERM', () => {})"),
    'a cache of the module': inDomain('export const seen = new Map<string, string>()'),
    'a variable of the module': inDomain('export let count = 0'),
  },
  'limits-say-what-they-are': {
    'a bare 429': inDomain("new AppError('cooldown', 'Wait')"),
  },
  // A library imported in the domain layer, where no library is allowed.
  ...Object.fromEntries(
    Object.entries(libraryHomes).map(([home, { libraries }]) => {
      const library = libraries.split('|')[0] ?? ''
      return [`library-at-home/${home}`, { [`${library} in the domain`]: inDomain(`import '${library}'`) }]
    }),
  ),
}

const isReportedElsewhere = (planted: Planted): planted is readonly [Plan, string] => Array.isArray(planted)

/** A violation of each rule, or several. */
export const plantedCases = Object.entries(violations).flatMap(([rule, cases]) =>
  Object.entries(cases).map(([planted, violation]) => {
    const [plan, at] = isReportedElsewhere(violation) ? violation : [violation, Object.keys(violation)[0]]
    return { rule, planted, plan, at }
  }),
)
