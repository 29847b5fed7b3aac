import type { ImportRule } from '../import-rule.ts'

/** The layers of the SPA: shared → features → app, one way. */
export const webRules: ImportRule[] = [
  {
    name: 'web-knows-contracts-and-markdown',
    comment: 'of this repository the SPA imports the wire contract, the parser of answers and nothing else',
    from: { path: '^web/' },
    to: { path: '^(packages/(?!contracts/|markdown/)|services/|tests/)' },
  },
  {
    name: 'web-loads-no-schema',
    comment: 'schemas stay on the server: only types and constants reach the browser',
    from: { path: '^web/src/', pathNot: '^web/src/testing/|\\.test\\.tsx?$' },
    to: {
      path: '^packages/contracts/',
      pathNot: '^packages/contracts/src/(constants|memory-constants|safe-path)\\.ts$',
      typesAllowed: true,
    },
  },
  {
    name: 'web-shared-is-lowest',
    comment: 'shared knows no feature and no route',
    from: { path: '^web/src/shared/' },
    to: { path: '^web/src/(features|app)/' },
  },
  {
    name: 'web-feature-below-app',
    comment: 'a feature does not know where it is mounted',
    from: { path: '^web/src/features/' },
    to: { path: '^web/src/app/' },
  },
  {
    name: 'web-feature-knows-no-feature',
    comment: 'what two features need lies in shared; app puts them together',
    from: { path: '^web/src/features/([^/]+)/' },
    to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  },
]
