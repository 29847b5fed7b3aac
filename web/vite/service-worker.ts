import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginOption } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

/**
 * The manifest by which the application is installed, and the worker that opens it without a network. The worker keeps the page with what it names from
 * the start, and hashed files as they are loaded. A page always comes from the server where there is one, so that it never names files that are gone.
 * @param outDir where the build is written
 */
export function serviceWorker(outDir: string): PluginOption {
  return VitePWA({
    strategies: 'generateSW',
    registerType: 'prompt',
    injectRegister: null,
    filename: 'sw.js',
    manifestFilename: 'manifest.json',
    includeManifestIcons: false,
    manifest: {
      id: '/',
      name: 'Parley',
      short_name: 'Parley',
      description: 'Chat with many AI models in one place.',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      // The page of the dark theme, which is the one to begin with.
      theme_color: '#0d1015',
      background_color: '#0d1015',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    workbox: {
      globPatterns: ['index.html', 'first-paint.js', 'icon.svg', 'assets/*.{js,css}'],
      globIgnores: ['**/*.{br,gz}'],
      manifestTransforms: [
        async (entries) => {
          const page = await readFile(join(outDir, 'index.html'), 'utf8')
          const manifest = entries.filter(({ url }) => url === 'index.html' || page.includes(`/${url}"`))
          return { manifest }
        },
      ],
      navigateFallback: null,
      cleanupOutdatedCaches: true,
      clientsClaim: true,
      importScripts: ['worker-routes.js'],
      inlineWorkboxRuntime: true,
      navigationPreload: true,
      sourcemap: false,
      runtimeCaching: [
        {
          // Calls, sockets, pages of shared links and probes come from the server or not at all. The worker is given the text of this function alone.
          urlPattern: ({ request, url }) =>
            request.mode === 'navigate' && !/^\/(api|s|socket\.io|healthz|readyz)(\/|$)/.test(url.pathname),
          handler: 'NetworkOnly',
          options: { precacheFallback: { fallbackURL: 'index.html' } },
        },
        {
          urlPattern: ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'),
          handler: 'CacheFirst',
          options: { cacheName: 'assets', expiration: { maxEntries: 400, purgeOnQuotaError: true } },
        },
      ],
    },
  })
}
