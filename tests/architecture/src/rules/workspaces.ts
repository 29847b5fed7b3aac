import type { ImportRule } from '../import-rule.ts'

const testOnly = '(/(test|contract)/|\\.(test|contract)\\.tsx?$|/contract\\.ts$|^web/src/testing/)'

/** Allowed imports between workspaces: contracts ← kit ← {bus, cache, db ← documents} ← testing, which also uses fake-provider; services → packages; web → contracts, markdown. */
export const workspaceRules: ImportRule[] = [
  {
    name: 'packages-in-order/contracts',
    comment: 'contracts imports zod only',
    from: { path: '^packages/contracts/' },
    to: { path: '^(packages/(?!contracts/)|node_modules/(?!zod/))' },
  },
  {
    name: 'packages-in-order/kit',
    comment: 'kit is built on contracts alone',
    from: { path: '^packages/kit/' },
    to: { path: '^packages/(?!kit/|contracts/)' },
  },
  {
    name: 'packages-in-order/engines',
    comment: 'bus, cache and db know contracts and kit, never each other',
    from: { path: '^packages/(bus|cache|db)/', pathNot: testOnly },
    to: { path: '^packages/', pathNot: '^packages/($1|contracts|kit)/' },
  },
  {
    name: 'packages-in-order/documents',
    comment: 'documents is built on db, whose engines and outboxes it writes to',
    from: { path: '^packages/documents/', pathNot: testOnly },
    to: { path: '^packages/', pathNot: '^packages/(documents|db|contracts|kit)/' },
  },
  {
    name: 'packages-in-order/fake-provider',
    comment: 'the product runs fake-provider as its demo: it stands on nothing, least of all on tests',
    from: { path: '^packages/fake-provider/', pathNot: testOnly },
    to: { path: '^(packages/(?!fake-provider/)|node_modules/)' },
  },
  {
    name: 'packages-in-order/markdown',
    comment: 'markdown is read in browsers and by services alike, so it stands on nothing of either',
    from: { path: '^packages/markdown/' },
    to: { path: '^packages/(?!markdown/)' },
  },
  {
    name: 'fake-provider-in-the-demo',
    comment: 'of what runs, the demo alone answers in the place of a model',
    from: { path: '^(packages/(?!fake-provider/|testing/)|services/(?!all-in-one/src/demo/))', pathNot: testOnly },
    to: { path: '^packages/fake-provider/' },
  },
  {
    name: 'tools-in-order/engines',
    comment: 'engines are opened below testing, which shares those of a run among its tests',
    from: { path: '^tools/engines/' },
    to: { path: '^(packages/testing/|services/|tests/|tools/(?!engines/))' },
  },
  {
    name: 'documents-behind-stores',
    comment: 'a store turns acts of the business into changes of documents; everything else sees the store',
    from: { path: '^services/', pathNot: `(/src/store/|${testOnly})` },
    to: { path: '^packages/documents/' },
  },
  {
    name: 'packages-know-no-service',
    comment: 'a package serves every service and knows none',
    from: { path: '^packages/' },
    to: { path: '^(services|web|tests|tools/split)/' },
  },
  {
    name: 'no-service-imports-a-service',
    comment: 'services speak over the wire, even when they share a process',
    from: { path: '^services/(?!all-in-one/)([^/]+)/' },
    to: { path: '^services/', pathNot: '^services/$1/' },
  },
  {
    name: 'services-by-their-exports',
    comment: 'of another service only what its package.json exports: its definition and, for tests, its factory',
    from: { path: '^(services/all-in-one|tests|tools)/' },
    to: {
      path: '^services/(?!all-in-one/)',
      pathNot: '^services/[^/]+/src/(manifest|service|http/(web-app|headers))\\.ts$',
    },
  },
  {
    name: 'services-know-no-screen',
    comment: 'a service neither imports the SPA nor the tests of the whole',
    from: { path: '^services/' },
    to: { path: '^(web|tests|tools/split)/' },
  },
  {
    name: 'sources-import-no-tests',
    comment: 'test builders, fakes, suites and tools of developers stay out of what runs',
    from: { path: '^(packages/(?!testing/)|services/|web/)', pathNot: testOnly },
    to: { path: `(^packages/testing/|^tests/|^tools/|${testOnly})` },
  },
]
