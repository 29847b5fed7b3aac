import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogs } from './vite/catalogs.ts'
import { emojiData } from './vite/emoji-data.ts'
import { precompress } from './vite/precompress.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss(), catalogs(here('./src/locales')), emojiData(), precompress()],
  // Formulas are set by the version whose style sheet and fonts are served.
  resolve: { dedupe: ['katex'] },
  server: { port: 5173, host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The content policy allows nothing inline but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
