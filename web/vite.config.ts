import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogs } from './vite/catalogs.ts'
import { compileHints } from './vite/compile-hints.ts'
import { emojiData } from './vite/emoji-data.ts'
import { firstChunks } from './vite/first-chunks.ts'
import { firstPaint } from './vite/first-paint.ts'
import { leanRouter } from './vite/lean-router.ts'
import { precompress } from './vite/precompress.ts'
import { serviceWorker } from './vite/service-worker.ts'
import { sharePage } from './vite/share-page.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  plugins: [
    react(),
    tailwindcss(),
    catalogs(here('./src/locales')),
    emojiData(),
    leanRouter(),
    compileHints(),
    firstPaint(here('./src/locales')),
    sharePage(),
    precompress(),
    serviceWorker(here('./dist')),
  ],
  resolve: {
    alias: [
      // React has had it for long; the package is for those before.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
  server: { port: 5173, host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The content policy allows nothing inline but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: firstChunks(here('./src/')), includeDependenciesRecursively: false }] },
      },
    },
  },
})
