export { type ExportFormat, exportChat } from './export-chat.ts'
export { Highlighted } from './highlighted.tsx'
export { useChatSearch } from './use-chat-search.ts'
