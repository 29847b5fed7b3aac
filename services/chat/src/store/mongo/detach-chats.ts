/** A file without chats that are gone: others go on keeping it, and what had one and has none any more expires. One that no message has yet stays as it is. */
export function detachChats(chatIds: readonly string[], gone: readonly string[], now: Date) {
  const kept = chatIds.filter((chatId) => !gone.includes(chatId))
  return { chatIds: kept, ...(kept.length === 0 && chatIds.length > 0 && { expiresAt: now }) }
}
