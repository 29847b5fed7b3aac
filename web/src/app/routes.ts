/** The patterns of the screens, each with what makes its address. */
export const routes = {
  chat: { path: '/', getHref: () => '/' },
  savedChat: { path: '/c/:chatId', getHref: (chatId: string) => `/c/${encodeURIComponent(chatId)}` },
  login: { path: '/login', getHref: () => '/login' },
  register: { path: '/register', getHref: () => '/register' },
} as const
