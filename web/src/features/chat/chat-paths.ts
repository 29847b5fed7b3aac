export interface ChatPaths {
  readonly newChat: string
  readonly chat: (chatId: string) => string
  readonly signIn: string
  readonly register: string
}
