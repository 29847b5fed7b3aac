/** Names the form of an exported file; a later form has another version. */
export const exportFormat = { format: 'parley-chat', version: 1 } as const
