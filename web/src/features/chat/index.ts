export { ChatPage } from './chat-page.tsx'
export type { ChatPaths } from './chat-paths.ts'
export { chatShortcuts } from './keyboard/shortcuts.ts'
