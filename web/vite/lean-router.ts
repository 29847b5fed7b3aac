import type { Plugin } from 'vite'

/** A name that only React's developer tools show, on a line of its own. */
const shownName = /^\w+\.displayName = "[^"]*";$/gm
/** What makes a component or a context, and does nothing else. */
const making = /= (?=React\d*\.(?:forwardRef|memo|createContext)\()/g

/**
 * Lets the bundler leave out what the application does not use of the router, such as its forms and what loads data ahead: names that are written onto
 * those components, and calls that might do anything, would keep them and all that they import.
 */
export function leanRouter(): Plugin {
  return {
    name: 'parley-lean-router',
    apply: 'build',
    resolveId: {
      order: 'pre',
      filter: { id: /^react-router(\/dom)?$/ },
      async handler(id, importer, options) {
        // Its package offers bundlers the build that warns developers.
        const found = await this.resolve(id, importer, { ...options, skipSelf: true })
        return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
      },
    },
    transform: {
      filter: { id: /\/react-router\/dist\/.*\.mjs$/ },
      handler: (code) => ({ code: withoutEffects(code), map: null }),
    },
  }
}

/** The code of a module whose components and contexts go where nothing uses them. */
const withoutEffects = (code: string): string => code.replace(shownName, '').replace(making, '= /* @__PURE__ */ ')
