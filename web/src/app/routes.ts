/** The patterns of the screens, each with what makes its address. */
export const routes = {
  chat: { path: '/', getHref: () => '/' },
  savedChat: { path: '/c/:chatId', getHref: (chatId: string) => `/c/${encodeURIComponent(chatId)}` },
  login: { path: '/login', getHref: () => '/login' },
  passwordReset: { path: '/password-reset', getHref: () => '/password-reset' },
  oauthCallback: { path: '/auth/callback', getHref: () => '/auth/callback' },
  profile: { path: '/profile', getHref: () => '/profile' },
  appearance: { path: '/profile/appearance', getHref: () => '/profile/appearance' },
  preferences: { path: '/profile/preferences', getHref: () => '/profile/preferences' },
  dataExport: { path: '/data-export', getHref: () => '/data-export' },
  goodbye: { path: '/goodbye', getHref: () => '/goodbye' },
  privacy: { path: '/privacy', getHref: () => '/privacy' },
  register: { path: '/register', getHref: () => '/register' },
} as const
