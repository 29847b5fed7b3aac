export { ChatPage } from './chat-page.tsx'
export type { ChatPaths } from './chat-paths.ts'
export { FinishGuestAnswer } from './guest-migration/finish-guest-answer.tsx'
export { migrateGuestChat } from './guest-migration/migrate-guest-chat.ts'
