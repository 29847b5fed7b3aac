/** The kinds of prompts to begin with. */
export const tabs = ['coding', 'learn', 'about', 'fact'] as const
