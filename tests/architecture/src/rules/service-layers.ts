import type { ImportRule } from '../import-rule.ts'

const test = '(/(test|contract)/|\\.(test|contract)\\.ts$)'
const own = '^services/(?!all-in-one/)([^/]+)/src/'
const same = '^services/$1/src/'
/** A file with its engine's prefix, or one in its engine's folder. */
const engine = '(pg|postgres|mongo|memory|kafka|redis)'
const adapter = `store/${engine}[-/].*`
const typesAside = { typesAllowed: true }

/** A service's definition, from which every way to start it is built. */
const top = '/(main|manifest)\\.ts$'

/** Inside a service: main → service → routes, consumers → domain → ports ← adapters. */
export const serviceLayerRules: ImportRule[] = [
  {
    name: 'main-is-the-top',
    comment: 'main.ts starts things and is imported by nobody',
    from: { path: '' },
    to: { path: '^services/[^/]+/src/main\\.ts$' },
  },
  {
    name: 'service-is-wiring',
    comment: 'nothing below service.ts knows how it is put together',
    from: { path: own, pathNot: `(${top}|${test})` },
    to: { path: `${same}service\\.ts$` },
  },
  {
    name: 'routes-only-from-service',
    comment: 'domain, stores and consumers do not know the routes',
    from: { path: own, pathNot: `(/service\\.ts$|/routes/|${test})` },
    to: { path: `${same}routes/` },
  },
  {
    name: 'consumers-only-from-service',
    comment: 'only the wiring and the definition know the consumers',
    from: { path: own, pathNot: `(${top}|/service\\.ts$|/consumers[./]|${test})` },
    to: { path: `${same}consumers[./]` },
  },
  {
    name: 'adapters-behind-ports',
    comment: 'engines are opened by the definition and handed in; everything else sees the port',
    from: { path: own, pathNot: `(${top}|/store/|${test})` },
    to: { path: `${same}(${adapter}|store/index)\\.ts$`, ...typesAside },
  },
  {
    name: 'ports-name-no-engine',
    comment: 'a port is written in words of the domain, not of an adapter',
    from: { path: `${own}store/(?!${engine}[-/]|index)`, pathNot: test },
    to: { path: `${same}${adapter}\\.ts$`, ...typesAside },
  },
  {
    name: 'config-only-from-the-top',
    comment: 'values of the configuration are handed down; only the definition knows its variables',
    from: { path: own, pathNot: `(${top}|${test})` },
    to: { path: `${same}config\\.ts$`, ...typesAside },
  },
]
