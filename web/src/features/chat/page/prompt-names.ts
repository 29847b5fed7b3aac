/** The kinds of example prompts. */
export const tabs = ['coding', 'learn', 'about', 'fact'] as const
