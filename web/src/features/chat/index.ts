export type { ChatPaths } from './chat-paths.ts'
export { FinishGuestAnswer } from './guest-migration/finish-guest-answer.tsx'
export { migrateGuestChat } from './guest-migration/migrate-guest-chat.ts'
export { ChatPage } from './page/chat-page.tsx'
