/** The path patterns of the screens, each with a function that builds its URL. */
export const routes = {
  chat: { path: '/', getHref: () => '/' },
  savedChat: { path: '/c/:chatId', getHref: (chatId: string) => `/c/${encodeURIComponent(chatId)}` },
  login: { path: '/login', getHref: () => '/login' },
  passwordReset: { path: '/password-reset', getHref: () => '/password-reset' },
  oauthCallback: { path: '/auth/callback', getHref: () => '/auth/callback' },
  profile: { path: '/profile', getHref: () => '/profile' },
  appearance: { path: '/profile/appearance', getHref: () => '/profile/appearance' },
  preferences: { path: '/profile/preferences', getHref: () => '/profile/preferences' },
  keys: { path: '/profile/keys', getHref: () => '/profile/keys' },
  usage: { path: '/profile/usage', getHref: () => '/profile/usage' },
  memory: { path: '/profile/memory', getHref: () => '/profile/memory' },
  admin: { path: '/admin/*', getHref: () => '/admin' },
  dataExport: { path: '/data-export', getHref: () => '/data-export' },
  goodbye: { path: '/goodbye', getHref: () => '/goodbye' },
  sharedChat: { path: '/s/:id', getHref: (id: string) => `/s/${encodeURIComponent(id)}` },
  docs: { path: '/docs/api', getHref: () => '/docs/api' },
  privacy: { path: '/privacy', getHref: () => '/privacy' },
  register: { path: '/register', getHref: () => '/register' },
} as const

/** Paths of the profile's sections. */
export const profilePaths = {
  chat: routes.chat.getHref(),
  profile: routes.profile.getHref(),
  appearance: routes.appearance.getHref(),
  preferences: routes.preferences.getHref(),
  keys: routes.keys.getHref(),
  usage: routes.usage.getHref(),
  memory: routes.memory.getHref(),
  docs: routes.docs.getHref(),
}
