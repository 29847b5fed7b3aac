import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin } from 'vite'
import { catalogs } from './catalogs.ts'
import { compileHints } from './compile-hints.ts'
import { sharedChunk, sharedChunkName } from './first-chunks.ts'
import { shownIn } from './shown-texts.ts'

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Builds the page of a shared link beside the application, of the same sources: who opens it reads one chat and leaves, so that it is drawn by Preact, which is
 * a seventh of React, and has no text that only the application shows.
 */
export function sharePage(): Plugin {
  return {
    name: 'parley-share-page',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        if (dir === undefined) throw new Error('The build names no folder to write to')
        await build(sharePageConfig(dir))
      },
    },
  }
}

/** The chunks that the page's first screen waits for, by the bundler's names. */
const namedChunks: ReadonlyMap<string, string> = new Map([
  [sharedChunkName, 'share-runtime.js'],
  // What the bundler's own wrappers need: `share-runtime.js` begins with it.
  ['rolldown-runtime', 'share-base.js'],
])

/** The style sheets that the gateway names, by the bundler's names. */
const namedStyles: ReadonlyMap<string, string> = new Map([
  [`${sharedChunkName}.css`, 'share.css'],
  ['math-parts.css', 'share-math.css'],
])

/** What is used instead of a package, or of one of its modules. */
const replacements: ReadonlyMap<string, string> = new Map([
  // Whoever imports it as one object gets what they use of it: that of the package holds everything.
  ['react', "export * from 'preact/compat'; export * as default from 'preact/compat'"],
  // Takes over the elements that the server wrote; that of the package empties the root first.
  [
    'react-dom/client',
    "import { render } from 'preact'; export const createRoot = (root) => ({ render: (node) => render(node, root) })",
  ],
  // How lucide-react makes a component of an icon's data: without the names, sizes and context that no icon here is given.
  [
    '../createLucideIcon.mjs',
    `import { createElement } from 'preact'
    const fixed = {
      xmlns: 'http://www.w3.org/2000/svg', width: 24, height: 24, viewBox: '0 0 24 24',
      fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round', strokeLinejoin: 'round', 'aria-hidden': 'true',
    }
    export default ({ node }) => (props) =>
      createElement('svg', { ...fixed, ...props }, node.map(([tag, attributes]) => createElement(tag, attributes)))`,
  ],
  // Closes what a text that grows has left open; none grows here.
  ['remend', 'export default (text) => text'],
])

function standIns(): Plugin {
  const prefix = '\0instead-of:'
  return {
    name: 'parley-stand-ins',
    enforce: 'pre',
    resolveId: (id) => (replacements.has(id) ? prefix + id : undefined),
    load: (id) => (id.startsWith(prefix) ? replacements.get(id.slice(prefix.length)) : undefined),
  }
}

function sharePageConfig(outDir: string): InlineConfig {
  const isShown = shownIn(here('src/share.ts'))
  return {
    root: here('.'),
    configFile: false,
    publicDir: false,
    plugins: [
      standIns(),
      react(),
      tailwindcss(),
      compileHints(),
      catalogs(here('src/locales'), { isShown, together: true }),
    ],
    resolve: {
      alias: [
        { find: /^(react-dom|use-sync-external-store\/shim)$/, replacement: 'react' },
        { find: 'react/jsx-runtime', replacement: 'preact/jsx-runtime' },
      ],
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      // What is loaded by hand may come in two steps.
      modulePreload: { polyfill: false, resolveDependencies: () => [] },
      rolldownOptions: {
        input: { share: here('src/share.ts') },
        output: {
          // The gateway names them in the pages of shared links, and does not know what was built.
          entryFileNames: 'share.js',
          chunkFileNames: ({ name }) => namedChunks.get(name) ?? 'assets/[name]-[hash].js',
          assetFileNames: ({ names }) =>
            names.map((name) => namedStyles.get(name)).find((name) => name !== undefined) ??
            'assets/[name]-[hash][extname]',
          codeSplitting: { groups: [{ name: sharedChunk(here('src/')), includeDependenciesRecursively: false }] },
        },
      },
    },
  }
}
