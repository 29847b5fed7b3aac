/** How the keys for a new chat are written on a platform, as `navigator.platform` names it. */
export const newChatKeys = (platform: string): string => (/^(mac|iphone|ipad)/i.test(platform) ? '⇧⌘O' : 'Ctrl ⇧ O')
